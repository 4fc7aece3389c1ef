// The foot line: where the choice stands, what just happened with its undo, the active time.

import { find } from "./build.js";
import { count, duration, figure, say } from "./words.js";

// One block by name: who hears the page asks which.
const SAID_OF_ONE = {
  marked: "Block {block} marked {label}",
  cleared: "Block {block}: mark taken away",
};
const SAID = {
  marked: ["1 block marked {label}", "{n} blocks marked {label}"],
  alike: ["1 block like this marked {label}", "{n} blocks like this marked {label}"],
  moved: ["Edge moved", "Edge moved"],
  cleared: ["1 mark taken away", "{n} marks taken away"],
  "suggestion cleared": ["Suggestion cleared", "Suggestion cleared"],
  accepted: ["1 suggestion accepted", "{n} suggestions accepted"],
  judged: ["Verdict: {label}", "Verdict: {label}"],
  taken: ["The other version was taken", "The other version was taken"],
  replaced: ["The other version was taken", "The other version was taken"],
  undone: ["Undone", "Undone"],
  redone: ["Done again", "Done again"],
};

export class Foot {
  #blocks = find("[data-block]");
  #of = find("[data-blocks]");
  #said = find("[data-said]");
  #undo = find("[data-said-undo]");
  #space = find("[data-space]");
  #alike = find("[data-alike]");
  #active = find("[data-active]");
  #alert = find("[data-alert]");
  #block = -1;

  /** @param {number} block @param {number} blocks @param {[number, number]|null} run all that is chosen */
  place(block, blocks, run) {
    this.#block = block;
    const [first, last] = run ?? [block, block];
    this.#blocks.textContent = block < 0 ? "–" : [...new Set([first, last])].map((each) => figure(each + 1)).join("–");
    this.#of.textContent = figure(blocks);
  }

  /** @param {number} blocks like what is chosen */
  countAlike(blocks) {
    this.#alike.textContent = blocks ? `(${figure(blocks)})` : "";
  }

  /** What the space bar would do. @param {boolean} isOn the choice has the label */
  hint(isOn) {
    this.#space.textContent = isOn ? say("off") : say("on");
  }

  /** @param {{what: string, count: number}} change @param {string} label its title */
  say({ what, count: n }, label) {
    const words = SAID[what];
    if (!words) return;
    const ofOne = n === 1 && this.#block >= 0 && SAID_OF_ONE[what];
    this.tell(ofOne ? say(ofOne, { block: figure(this.#block + 1), label }) : count(n, ...words, { label }));
    this.#undo.hidden = ["undone", "redone"].includes(what);
  }

  /** @param {string} words without undo */
  tell(words) {
    this.#said.textContent = words;
    this.#alert.textContent = "";
    this.#undo.hidden = true;
  }

  /** What stands in the way: said at once, over whatever is being read. @param {string} words */
  warn(words) {
    this.tell("");
    this.#alert.textContent = words;
  }

  /** @param {number} seconds */
  tick(seconds) {
    this.#active.textContent = duration(seconds);
  }
}
