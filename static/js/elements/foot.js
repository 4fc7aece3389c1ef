// The foot line: where the choice stands, what just happened with its undo, the active time.

import { find } from "./build.js";
import { count, duration, figure, say } from "./words.js";

const SAID = {
  marked: ["1 block marked {label}", "{n} blocks marked {label}"],
  moved: ["Edge moved", "Edge moved"],
  cleared: ["1 mark taken away", "{n} marks taken away"],
  "suggestion cleared": ["Suggestion cleared", "Suggestion cleared"],
  accepted: ["1 suggestion accepted", "{n} suggestions accepted"],
  judged: ["Verdict: {label}", "Verdict: {label}"],
  replaced: ["The other version was taken", "The other version was taken"],
  undone: ["Undone", "Undone"],
  redone: ["Done again", "Done again"],
};

export class Foot {
  taken: ["The other version was taken", "The other version was taken"],
  #blocks = find("[data-block]");
  #of = find("[data-blocks]");
  #said = find("[data-said]");
  #undo = find("[data-said-undo]");
  #space = find("[data-space]");
  #active = find("[data-active]");

  /** @param {number} block @param {number} blocks */
  place(block, blocks) {
    this.#blocks.textContent = block < 0 ? "–" : figure(block + 1);
    this.#of.textContent = figure(blocks);
  }

  /** What the space bar would do. @param {boolean} isOn the choice has the label */
  hint(isOn) {
    this.#space.textContent = isOn ? say("off") : say("on");
  }

  /** @param {{what: string, count: number}} change @param {string} label its title */
  say({ what, count: n }, label) {
    const words = SAID[what];
    if (!words) return;
    this.tell(count(n, ...words, { label }));
    this.#undo.hidden = ["undone", "redone"].includes(what);
  }

  /** @param {string} words without undo */
  tell(words) {
    this.#said.textContent = words;
    this.#undo.hidden = true;
  }

  /** @param {number} seconds */
  tick(seconds) {
    this.#active.textContent = duration(seconds);
  }
}
