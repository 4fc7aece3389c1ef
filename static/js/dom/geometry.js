// Where the blocks lie on the built page, measured once after each build or change of size, in idle slices.

const SLICE = 400;

export class Geometry {
  #view;
  #life = null;

  /** @param {import("./pageview.js").PageView} view */
  constructor(view) {
    this.#view = view;
    this.forget();
  }

  /** Height of the page in pixels. */
  get height() {
    return Math.max(1, this.#view.document.documentElement.scrollHeight);
  }

  forget() {
    this.#life?.abort();
    const { length } = this.#view.blocks;
    this.top = new Float64Array(length);
    this.bottom = new Float64Array(length);
    this.hidden = new Uint8Array(length);
    this.isMeasured = false;
  }

  /** Measure all blocks, leaving the browser free between slices. @returns {Promise<boolean>} false when given up */
  async measure() {
    this.forget();
    this.#life = new AbortController();
    const { signal } = this.#life;
    const { length } = this.#view.blocks;
    for (let first = 0; first < length; first += SLICE) {
      if (first) await idle();
      if (signal.aborted) return false;
      for (let block = first; block < Math.min(first + SLICE, length); block += 1) this.#take(block);
    }
    this.isMeasured = true;
    return true;
  }

  /** Whether nothing of a block can be seen. Asked of the page itself: it is one block only. @param {number} block */
  isHidden(block) {
    return this.isMeasured ? this.hidden[block] === 1 : isUnseen(this.#view.blockRange(block));
  }

  /** @returns {number[]} */
  hiddenBlocks() {
    return [...this.hidden.keys()].filter((block) => this.hidden[block]);
  }

  #take(block) {
    const range = this.#view.blockRange(block);
    const box = range.getBoundingClientRect();
    const { scrollY } = this.#view.window;
    this.top[block] = box.top + scrollY;
    this.bottom[block] = box.bottom + scrollY;
    this.hidden[block] = box.width > 0 && box.height > 0 ? 0 : 1;
  }
}

const idle = () => new Promise((resolve) => {
  if (window.requestIdleCallback) window.requestIdleCallback(resolve, { timeout: 200 });
  else setTimeout(resolve, 0);
});

function isUnseen(range) {
  const box = range.getBoundingClientRect();
  return !(box.width > 0 && box.height > 0);
}
