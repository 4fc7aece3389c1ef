import { element } from "./build.js";

/** The name of a label in its colours. @param {{number: number, title: string}} label */
export const chip = ({ number, title }) => element("span", { class: "label", "data-n": number }, title);

/** A sign in the colours of a label, whose name is for the ear and the pointer. */
export const signChip = ({ number, title }, sign) =>
  element(
    "span",
    { class: "label", "data-n": number, title },
    `\u00a0${sign}\u00a0`,
    element("span", { class: "sr" }, title),
  );
