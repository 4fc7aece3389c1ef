// The adjudicator's own marks inside one segment, with the clicks, drags and keys of the annotation screen.

import { Editor } from "../core/editor.js";
import { BlockSelection } from "../dom/selection.js";

/** Dispatches "change" when what is shown has changed. */
export class Relabelling extends EventTarget {
  #view;
  #labels;
  #selection;
  /** Null while nothing is relabelled. @type {Editor|null} */
  #editor = null;
  /** The parts of the segment that may be marked, a block each. @type {Array<[number, number]>} */
  #parts = [];

  /**
   * @param {{stage: import("../dom/stage.js").Stage, labels: Map<string, {name: string, key: number}>, signal: AbortSignal}} given
   */
  constructor({ stage, labels, signal }) {
    super();
    this.#view = stage.view;
    this.#labels = labels;
    this.#selection = new BlockSelection(stage.view, stage.geometry);
    this.#selection.addEventListener("change", () => this.#dispatchChange(), { signal });
  }

  get isOn() {
    return this.#editor !== null;
  }
  get spans() {
    return this.#editor?.spans ?? [];
  }
  get label() {
    return this.#editor?.label ?? "";
  }
  /** The selection inside the segment. @returns {[number, number]|null} */
  get range() {
    const cut = this.#editor?.clip(this.#selection.ranges) ?? [];
    return cut.length ? [cut[0][0], cut[cut.length - 1][1]] : null;
  }

  /** @param {import("../core/segments.js").Segment} segment @param {import("../core/spans.js").Span[]} spans to begin with */
  begin(segment, spans) {
    this.#parts = this.#view.clip([[segment.start, segment.end]]);
    const marked = segment.pieces.flatMap(({ labels }) => labels).find(Boolean);
    const editor = new Editor({
      blocks: this.#parts,
      text: this.#view.text,
      suggestion: [],
      label: marked ?? [...this.#labels.keys()][0],
      state: { spans, verdict: "", reason: "", note: "" },
    });
    editor.addEventListener("change", () => this.#dispatchChange());
    this.#editor = editor;
    if (this.#parts.length) this.#selection.select(this.#view.blockAt(this.#parts[0][0]));
  }

  end() {
    this.#editor = null;
    this.#selection.clear();
  }

  /** The label that clicks and the space bar give. @param {number} number its key @returns {boolean} whether there is one */
  pick(number) {
    const label = [...this.#labels.values()].find((each) => each.key === number);
    if (!label || !this.#editor) return false;
    this.#editor.label = label.name;
    this.#dispatchChange();
    return true;
  }

  /** Pick a label and apply it to the selection. @param {number} number @returns {boolean} */
  digit(number) {
    if (!this.pick(number)) return false;
    this.#editor?.mark(this.#selection.ranges);
    return true;
  }

  /** To the next block of the segment. @param {1|-1} by */
  step(by) {
    const { block } = this.#selection;
    this.#selection.step(by);
    if (!this.range) this.#selection.select(block);
    else this.#selection.select(this.#selection.block, true);
  }

  toggle() {
    this.#editor?.toggle(this.#selection.ranges);
  }
  clear() {
    this.#editor?.clear(this.#selection.ranges);
  }
  /** @returns {boolean} whether there was something to undo */
  undo() {
    return Boolean(this.#editor?.undo());
  }

  /** Handlers of the mouse. @returns {import("../dom/gestures.js").Gestures} */
  get gestures() {
    return {
      click: (block) => {
        if (this.#holds(block)) {
          this.#selection.select(block);
          this.toggle();
        }
      },
      extend: (block) => {
        if (this.#holds(block)) {
          this.#selection.extendTo(block);
          this.#editor?.mark(this.#selection.ranges);
        }
      },
      drag: (range, isRemoval) => this.#paint(range, isRemoval),
      word: (range) => {
        if (!this.#holds(this.#view.blockAt(range[0]))) return;
        this.#editor?.retract();
        this.#editor?.toggle([range]);
      },
    };
  }

  #paint(range, isRemoval) {
    const cut = this.#editor?.clip([range]) ?? [];
    if (!cut.length) return;
    if (isRemoval) this.#editor?.clear(cut);
    else this.#editor?.mark(cut);
    this.#selection.selectRange([cut[0][0], cut[cut.length - 1][1]]);
  }

  #holds(block) {
    const [start, end] = this.#view.blocks[block];
    return this.#parts.some((part) => part[0] < end && start < part[1]);
  }

  #dispatchChange() {
    this.dispatchEvent(new Event("change"));
  }
}
