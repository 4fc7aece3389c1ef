// The selection on the page: a block, a run of blocks, or some characters. Keys and outline work on it.

export class BlockSelection extends EventTarget {
  #view;
  #geometry;
  #anchor = -1;
  /** The smaller selections that this one was extended from, innermost first. @type {Array<{block: number, range: [number, number], anchor: number}>} */
  #inner = [];

  /**
   * @param {import("./pageview.js").PageView} view
   * @param {import("./geometry.js").Geometry} geometry
   */
  constructor(view, geometry) {
    super();
    this.#view = view;
    this.#geometry = geometry;
    this.block = -1;
    /** @type {[number, number]|null} */
    this.range = null;
  }

  /** @param {number} block @param {boolean} [reveal] scroll to it */
  select(block, reveal = false) {
    this.#anchor = block;
    this.#set(block, this.#view.blocks[block], reveal);
  }

  /** Extend to the blocks of the next larger element. @returns {boolean} false where there is none, or no selection */
  grow() {
    if (!this.range) return false;
    const { structure, blocks } = this.#view;
    const [first, last] = this.run;
    const isPart = this.range[0] > blocks[first][0] || this.range[1] < blocks[last][1];
    const next = isPart ? this.run : structure.grown(this.run);
    if (!next) return false;
    const inner = [...this.#inner, { block: this.block, range: this.range, anchor: this.#anchor }];
    this.#selectRun(next);
    this.#inner = inner;
    return true;
  }

  /** Back to the smaller selection, or to the next smaller element around the anchor. */
  shrink() {
    if (!this.range) return false;
    const inner = this.#inner.slice(0, -1);
    const last = this.#inner[inner.length];
    const run = last ? null : this.#view.structure.shrunk(this.run, this.#anchor);
    if (last) {
      this.#anchor = last.anchor;
      this.#set(last.block, last.range, false);
    } else if (run) this.#selectRun(run);
    this.#inner = inner;
    return Boolean(last || run);
  }

  /** @param {[number, number]} range @param {boolean} [reveal] */
  selectRange(range, reveal = false) {
    const block = this.#view.blockAt(range[0]);
    this.#anchor = block;
    this.#set(block, range, reveal);
  }

  /** From the anchor to a block, whole. @param {number} block @param {boolean} [reveal] */
  extendTo(block, reveal = false) {
    this.#set(block, this.rangeTo(block), reveal);
  }

  /** What `extendTo` selects. @param {number} block @returns {[number, number]} */
  rangeTo(block) {
    const from = this.#anchor < 0 ? block : this.#anchor;
    const { blocks } = this.#view;
    return [blocks[Math.min(from, block)][0], blocks[Math.max(from, block)][1]];
  }

  /** Whether keys pass over a block: it cannot be seen, or holds nothing but white space, which cannot be marked. @param {number} block */
  passes(block) {
    return this.#geometry.isHidden(block) || !this.#view.clip([this.#view.blocks[block]]).length;
  }

  /** To the next block that can be seen and marked. @param {1|-1} by @param {boolean} [isExtending] */
  step(by, isExtending = false) {
    const block = this.#next(by);
    if (block < 0) return;
    if (isExtending && this.block >= 0) this.extendTo(block, true);
    else this.select(block, true);
  }

  clear() {
    this.#anchor = -1;
    this.#set(-1, null, false);
  }

  /** The selection, cut into blocks. @returns {Array<[number, number]>} */
  get ranges() {
    return this.range ? this.#view.clip([this.range]) : [];
  }

  /** First and last block of the selection. @returns {[number, number]} */
  get run() {
    const [start, end] = this.range ?? [0, 0];
    return [this.#view.blockAt(start), this.#view.blockAt(Math.max(start, end - 1))];
  }

  // Walking on goes from the end of the run, stretching from its beginning.
  #selectRun([first, last]) {
    const { blocks } = this.#view;
    this.#anchor = first;
    this.#set(last, [blocks[first][0], blocks[last][1]], false);
  }

  #next(by) {
    const { length } = this.#view.blocks;
    let block = this.block < 0 ? this.#firstInSight(by) : this.block + by;
    while (block >= 0 && block < length && this.passes(block)) block += by;
    return block < length ? block : -1;
  }

  #firstInSight(by) {
    const { scrollY } = this.#view.window;
    const block = this.#geometry.top.findIndex((top, i) => top >= scrollY && !this.#geometry.hidden[i]);
    if (block < 0) return by > 0 ? 0 : this.#view.blocks.length - 1;
    return by > 0 ? block : Math.max(0, block - 1);
  }

  #set(block, range, reveal) {
    this.block = block;
    this.range = range;
    this.#inner = [];
    this.dispatchEvent(new CustomEvent("change", { detail: { reveal } }));
  }
}
