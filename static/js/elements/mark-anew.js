// Her own marks inside one segment: clicks, drags and keys as on the workbench, none of them outside it.

import { Editor } from "../core/editor.js";
import { Choice } from "../dom/choice.js";

/** Says "change" when what is to be seen has changed. */
export class MarkAnew extends EventTarget {
  #view;
  #labels;
  #choice;
  #editor = null;
  /** The parts of the segment that may be marked, a block each. @type {Array<[number, number]>} */
  #parts = [];

  /**
   * @param {{stage: import("../dom/stage.js").Stage, labels: Map<string, {number: number}>, signal: AbortSignal}} given
   */
  constructor({ stage, labels, signal }) {
    super();
    this.#view = stage.view;
    this.#labels = labels;
    this.#choice = new Choice(stage.view, stage.geometry);
    this.#choice.addEventListener("change", () => this.#say(), { signal });
  }

  get isOn() { return this.#editor !== null; }
  get spans() { return this.#editor?.spans ?? []; }
  get label() { return this.#editor?.label ?? ""; }
  /** What is chosen inside the segment. @returns {[number, number]|null} */
  get range() {
    const cut = this.#editor?.clip(this.#choice.ranges) ?? [];
    return cut.length ? [cut[0][0], cut[cut.length - 1][1]] : null;
  }

  /** @param {import("../core/segments.js").Segment} segment @param {import("../core/spans.js").Span[]} spans to begin with */
  begin(segment, spans) {
    this.#parts = this.#view.clip([[segment.start, segment.end]]);
    const said = segment.pieces.flatMap(({ labels }) => labels).find(Boolean);
    this.#editor = new Editor({
      blocks: this.#parts, text: this.#view.text, suggestion: [], label: said ?? [...this.#labels.keys()][0],
      state: { spans, verdict: "", reason: "", note: "" },
    });
    this.#editor.addEventListener("change", () => this.#say());
    if (this.#parts.length) this.#choice.take(this.#view.blockAt(this.#parts[0][0]));
  }

  end() {
    this.#editor = null;
    this.#choice.drop();
  }

  /** The label that clicks and the space bar give. @param {number} number @returns {boolean} whether there is one */
  pick(number) {
    const label = [...this.#labels.values()].find((each) => each.number === number);
    if (!label || !this.#editor) return false;
    this.#editor.label = label.name;
    this.#say();
    return true;
  }

  /** What is chosen gets the label too. @param {number} number @returns {boolean} */
  digit(number) {
    if (!this.pick(number)) return false;
    this.#editor.mark(this.#choice.ranges);
    return true;
  }

  /** To the next block of the segment. @param {1|-1} by */
  step(by) {
    const { block } = this.#choice;
    this.#choice.step(by);
    if (!this.range) this.#choice.take(block);
    else this.#choice.take(this.#choice.block, true);
  }

  toggle() { this.#editor.toggle(this.#choice.ranges); }
  clear() { this.#editor.clear(this.#choice.ranges); }
  /** @returns {boolean} whether there was something to take back */
  undo() { return Boolean(this.#editor.undo()); }

  /** What the mouse asks for. @returns {import("../dom/gestures.js").Hands} */
  get hands() {
    return {
      click: (block) => { if (this.#holds(block)) { this.#choice.take(block); this.toggle(); } },
      extend: (block) => { if (this.#holds(block)) { this.#choice.stretch(block); this.#editor.mark(this.#choice.ranges); } },
      drag: (range, isRemoval) => this.#paint(range, isRemoval),
      word: (range) => { this.#editor.retract(); this.#editor.toggle([range]); },
    };
  }

  #paint(range, isRemoval) {
    const cut = this.#editor.clip([range]);
    if (!cut.length) return;
    if (isRemoval) this.#editor.clear(cut);
    else this.#editor.mark(cut);
    this.#choice.takeRange([cut[0][0], cut[cut.length - 1][1]]);
  }

  #holds(block) {
    const [start, end] = this.#view.blocks[block];
    return this.#parts.some((part) => part[0] < end && start < part[1]);
  }

  #say() {
    this.dispatchEvent(new Event("change"));
  }
}
