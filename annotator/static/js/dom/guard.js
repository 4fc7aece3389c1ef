// Watches the built page: a translator or another extension that changes its text would move every offset.

const TOO_OFTEN = 4;
const WINDOW = 20_000;

export class Guard {
  #view;
  #onChange;
  /** @type {MutationObserver|null} */
  #observer = null;
  #own = new WeakSet();
  #times = [];

  /**
   * @param {import("./pageview.js").PageView} view
   * @param {(isHopeless: boolean) => void} onChange it is hopeless when the changes keep coming back
   */
  constructor(view, onChange) {
    this.#view = view;
    this.#onChange = onChange;
  }

  /** Something of ours without words: adding or removing it moves no offset. @param {Node} node */
  own(node) {
    this.#own.add(node);
  }

  /** Watch the present body. */
  watch() {
    this.stop();
    this.#observer = new MutationObserver((records) => {
      if (!records.every((record) => this.#isOurs(record))) this.#changed();
    });
    this.#observer.observe(this.#view.body, { subtree: true, childList: true, characterData: true });
  }

  stop() {
    this.#observer?.disconnect();
    this.#observer = null;
  }

  #isOurs({ type, addedNodes, removedNodes }) {
    return (
      type === "childList" &&
      [...addedNodes, ...removedNodes].every((node) => this.#own.has(node) && !node.hasChildNodes())
    );
  }

  #changed() {
    this.stop();
    const now = performance.now();
    this.#times = [...this.#times.filter((time) => now - time < WINDOW), now];
    this.#onChange(this.#times.length >= TOO_OFTEN);
  }
}
