// Where the blocks lie on the built page, measured once after each build or change of size, in idle slices.

import { idle } from "../net/pause.js";

const SLICE = 400;

export class Geometry {
  #view;
  /** @type {AbortController|null} */
  #life = null;
  #height = 0;
  /** Tops, bottoms and hidden blocks, by block. @type {Float64Array} */
  top;
  /** @type {Float64Array} */
  bottom;
  /** @type {Uint8Array} */
  hidden;

  /** @param {import("./pageview.js").PageView} view */
  constructor(view) {
    this.#view = view;
    this.forget();
  }

  /** Height of the page in pixels. */
  get height() {
    return this.#height || heightOf(this.#view.document);
  }

  forget() {
    this.#life?.abort();
    const { length } = this.#view.blocks;
    this.top = new Float64Array(length);
    this.bottom = new Float64Array(length);
    this.hidden = new Uint8Array(length);
    this.isMeasured = false;
    this.#height = 0;
  }

  /** Measure all blocks, leaving the browser free between slices. @returns {Promise<boolean>} false when given up */
  async measure() {
    this.forget();
    const life = new AbortController();
    this.#life = life;
    const { signal } = life;
    const { length } = this.#view.blocks;
    for (let first = 0; first < length; first += SLICE) {
      await idle(200);
      if (signal.aborted) return false;
      const { scrollY } = this.#view.window;
      for (let block = first; block < Math.min(first + SLICE, length); block += 1) this.#take(block, scrollY);
    }
    this.#height = heightOf(this.#view.document);
    this.isMeasured = true;
    return true;
  }

  /** Whether nothing of a block can be seen. Asked of the page itself: it is one block only. @param {number} block */
  isHidden(block) {
    return this.isMeasured ? this.hidden[block] === 1 : !isSeen(this.#box(block));
  }

  /** @returns {number[]} */
  hiddenBlocks() {
    return [...this.hidden.keys()].filter((block) => this.hidden[block]);
  }

  /**
   * Groups of blocks of which something lies within some screens of the one in sight. Before all is measured it is a
   * guess: that the page runs down in the order of its blocks.
   * @param {number} screens above and below
   * @param {number} size blocks of a group
   * @returns {Set<number>} their numbers
   */
  near(screens, size) {
    const { scrollY, innerHeight } = this.#view.window;
    const from = scrollY - screens * innerHeight;
    const to = scrollY + (1 + screens) * innerHeight;
    return this.isMeasured ? this.#between(from, to, size) : this.#guess(from - scrollY, to - scrollY, size);
  }

  #between(from, to, size) {
    const groups = new Set();
    for (let block = 0; block < this.top.length; block += 1) {
      if (!this.hidden[block] && this.bottom[block] >= from && this.top[block] <= to)
        groups.add(Math.floor(block / size));
    }
    return groups;
  }

  #guess(from, to, size) {
    const groups = new Set();
    const { length } = this.#view.blocks;
    for (let first = 0; first < length; first += size) {
      const box = this.#firstSeen(first, Math.min(first + size, length));
      if (box && box.top > to) break;
      if (box && box.top < from) groups.clear();
      if (box) groups.add(first / size);
    }
    return groups;
  }

  #firstSeen(first, end) {
    for (let block = first; block < end; block += 1) {
      const box = this.#box(block);
      if (isSeen(box)) return box;
    }
    return null;
  }

  #take(block, scrollY) {
    const box = this.#box(block);
    this.top[block] = box.top + scrollY;
    this.bottom[block] = box.bottom + scrollY;
    this.hidden[block] = isSeen(box) ? 0 : 1;
  }

  #box(block) {
    return this.#view.blockRange(block).getBoundingClientRect();
  }
}

const isSeen = (box) => box.width > 0 && box.height > 0;

const heightOf = (document) => Math.max(1, document.documentElement.scrollHeight);
