// What brings a page's text in sight and in reach where its own scripts would have: boxes over the text are hidden, what
// waits for a script is revealed. Each can be undone. The text and its offsets stay: what is hidden is a hidden block.

import { boxesOverText } from "./points.js";

/** @typedef {"overlays"|"reveal"} Remedy */

/** @type {Remedy[]} */
export const REMEDIES = ["reveal", "overlays"];

const MARK = "data-goldpan-overlay";
// Important rules of the first layer beat all others.
const RULES = {
  reveal: "*, ::before, ::after { opacity: 1 !important; visibility: visible !important; }",
  overlays: `[${MARK}] { display: none !important; }`,
};
// Under a box there may be another one.
const ROUNDS = 4;

export class Remedies {
  #view;
  /** @type {Set<Remedy>} */
  #on = new Set();

  /** @param {import("./pageview.js").PageView} view */
  constructor(view) {
    this.#view = view;
  }

  get any() {
    return this.#on.size > 0;
  }

  /** @param {Remedy} remedy */
  has(remedy) {
    return this.#on.has(remedy);
  }

  /** @param {Remedy} remedy @param {boolean} isOn */
  set(remedy, isOn) {
    if (isOn) this.#on.add(remedy);
    else this.#on.delete(remedy);
    this.apply();
  }

  /** To the page as it is built: after each build. */
  apply() {
    const { document, body, mode } = this.#view;
    for (const style of document.head.querySelectorAll("[data-remedy]")) style.remove();
    for (const box of body.querySelectorAll(`[${MARK}]`)) box.removeAttribute(MARK);
    if (mode !== "page") return;
    for (const remedy of REMEDIES.filter((each) => this.#on.has(each))) {
      const style = document.createElement("style");
      style.dataset.remedy = remedy;
      style.textContent = `@layer { ${RULES[remedy]} }`;
      document.head.prepend(style);
      if (remedy === "overlays") this.#hideOverlays();
    }
  }

  #hideOverlays() {
    for (let round = 0; round < ROUNDS; round += 1) {
      const boxes = boxesOverText(this.#view);
      for (const box of boxes) box.setAttribute(MARK, "");
      if (!boxes.length) return;
    }
  }
}
