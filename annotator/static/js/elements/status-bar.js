// The status bar: the selected blocks, the last change with its undo, the active time.

import { announce, find } from "./build.js";
import { duration, figure } from "./format.js";

/** What a change is called, by what it did and to how many. @type {Record<string, (n: number) => string>} */
const MESSAGES = {
  marked: (n) => ngettext("1 block marked %(label)s", "%(n)s blocks marked %(label)s", n),
  alike: (n) => ngettext("1 similar block marked %(label)s", "%(n)s similar blocks marked %(label)s", n),
  moved: () => gettext("Boundary moved"),
  cleared: (n) => ngettext("1 mark removed", "%(n)s marks removed", n),
  "suggestion cleared": () => gettext("Suggestion cleared"),
  accepted: (n) => ngettext("1 suggestion accepted", "%(n)s suggestions accepted", n),
  judged: () => gettext("Verdict: %(label)s"),
  taken: () => gettext("Other version applied"),
  replaced: () => gettext("Other version applied"),
  undone: () => gettext("Undone"),
  redone: () => gettext("Redone"),
};
// With the number of the block, which screen-reader users do not see.
/** @type {Record<string, () => string>} */
const MESSAGES_OF_ONE = {
  marked: () => gettext("Block %(block)s marked %(label)s"),
  cleared: () => gettext("Block %(block)s: mark removed"),
};

export class StatusBar {
  #blocks = find("[data-block]");
  #of = find("[data-blocks]");
  #message = find("[data-message]");
  #undo = find("[data-message-undo]");
  #space = find("[data-space]");
  #alike = find("[data-alike]");
  #active = find("[data-active]");
  #alert = find("[data-alert]");

  /** @param {number} block @param {number} blocks @param {[number, number]|null} run the whole selection */
  showSelection(block, blocks, run) {
    const [first, last] = run ?? [block, block];
    this.#blocks.textContent = block < 0 ? "–" : [...new Set([first, last])].map((each) => figure(each + 1)).join("–");
    this.#of.textContent = figure(blocks);
  }

  /** @param {number} blocks similar to the selection */
  countAlike(blocks) {
    this.#alike.textContent = blocks ? `(${figure(blocks)})` : "";
  }

  /** What the space bar would do. @param {boolean} isOn the selection has the label */
  hint(isOn) {
    this.#space.textContent = isOn ? gettext("off") : gettext("on");
  }

  /** @param {{what: string, count: number}} change @param {{label: string, block: number}} about the label's title, the first block */
  say({ what, count: n }, { label, block }) {
    if (!MESSAGES[what]) {
      // Undo would take back this change, of which nothing is said, and not the one that is named.
      this.#undo.hidden = true;
      return;
    }
    const message = n === 1 && MESSAGES_OF_ONE[what] ? MESSAGES_OF_ONE[what]() : MESSAGES[what](n);
    this.tell(interpolate(message, { n: figure(n), block: figure(block + 1), label }, true));
    this.#undo.hidden = ["undone", "redone"].includes(what);
  }

  /** @param {string} words without undo */
  tell(words) {
    announce(this.#message, words);
    this.#alert.textContent = "";
    this.#undo.hidden = true;
  }

  /** Announced at once, interrupting what is being read. @param {string} words */
  warn(words) {
    announce(this.#alert, words);
    this.#message.textContent = "";
    this.#undo.hidden = true;
  }

  /** @param {number} seconds */
  tick(seconds) {
    this.#active.textContent = duration(seconds);
  }
}
