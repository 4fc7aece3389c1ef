// Marks for a first page: what a click, a click with Shift and a drag do, or a tap and a held word. Each goes once it was
// done, all with "Close".

import { remember, rememberedJSON } from "../dom/remembered.js";
import { find, findAll } from "./build.js";

const STORAGE_KEY = "coached";

/** @typedef {"click"|"extend"|"drag"|"hold"} Step */

export class Coach {
  #box;
  #user;

  /** @param {string} user browser key */
  constructor(user) {
    this.#box = find("[data-coach]");
    this.#user = user;
  }

  /** Show the marks, unless this person has seen them in this browser. @param {AbortSignal} signal */
  begin(signal) {
    if (coached().includes(this.#user)) return;
    this.#box.hidden = false;
    find("[data-coach-close]").addEventListener("click", () => this.#end(), { signal });
  }

  /** @param {Step} step */
  did(step) {
    if (this.#box.hidden) return;
    find(`[data-coach-step="${step}"]`)?.setAttribute("data-done", "");
    const open = findAll("[data-coach-step]:not([data-done])", this.#box);
    // A screen that is touched does not show all of them.
    if (!open.some((each) => each.checkVisibility())) this.#end();
  }

  #end() {
    this.#box.hidden = true;
    remember(STORAGE_KEY, JSON.stringify([...coached(), this.#user]));
  }
}

/**
 * Gestures that also tell the coach what was done.
 * @param {import("../dom/gestures.js").Gestures} gestures
 * @param {Coach} coach
 * @returns {import("../dom/gestures.js").Gestures}
 */
export function withCoach(coach, gestures) {
  const told =
    (step) =>
    (...given) => {
      gestures[step](...given);
      coach.did(step);
    };
  return { ...gestures, click: told("click"), extend: told("extend"), drag: told("drag"), hold: told("hold") };
}

/** @returns {string[]} the browser keys of those who have seen them */
const coached = () => rememberedJSON(STORAGE_KEY, []);
