// One annotator's spans, verdict and note on one page, and the rest of the suggestion; with undo.

import { History } from "./history.js";
import { clip, covers, labelled, normalise, union, within, without } from "./spans.js";

/** @typedef {import("./spans.js").Range} Range */
/** @typedef {import("./spans.js").Span} Span */
/** @typedef {{spans: Span[], verdict: string, reason: string, note: string}} Content */

/** Dispatches "change" (detail: {what, count, label, start}) after each change of what will be saved. */
export class Editor extends EventTarget {
  #blocks;
  #text;
  #suggestion;
  #history;
  // The last step is a note that may continue.
  #isNoting = false;

  /**
   * @param {{blocks: Range[], text: import("./codepoints.js").Text, state: Content, suggestion: Span[], label: string,
   *   isReadOnly?: boolean}} given a submitted page is read-only
   */
  constructor({ blocks, text, state, suggestion, label, isReadOnly = false }) {
    super();
    this.#blocks = blocks;
    this.#text = text;
    this.label = label;
    this.isReadOnly = isReadOnly;
    this.#suggestion = normalise(this.#tidy(suggestion));
    this.#begin(state, null);
  }

  get spans() {
    return this.#history.present.spans;
  }
  /** The part of the suggestion that was neither accepted nor cleared. */
  get ghosts() {
    return this.#history.present.ghosts;
  }
  get verdict() {
    return this.#history.present.verdict;
  }
  get reason() {
    return this.#history.present.reason;
  }
  get note() {
    return this.#history.present.note;
  }
  /** The undo history, to be stored. */
  get history() {
    return this.#history;
  }
  get canUndo() {
    return this.#history.canUndo;
  }
  get canRedo() {
    return this.#history.canRedo;
  }

  /**
   * Begin again with the changes of an earlier window. Nothing has been changed here yet.
   * @param {Content} state
   * @param {import("./history.js").StoredHistory|null} stored its steps
   */
  resume(state, stored) {
    this.#begin(state, stored);
    this.#dispatch({ what: "resumed", count: 1 });
  }

  /** @returns {Content} what a save holds */
  content() {
    return { spans: this.spans, verdict: this.verdict, reason: this.reason, note: this.note };
  }

  /**
   * Ranges as they may be marked: in blocks, trimmed.
   * @param {Range[]} ranges
   */
  clip(ranges) {
    return clip(union(ranges), this.#blocks, this.#text);
  }

  /**
   * @param {Range[]} ranges
   * @param {string} [label]
   * @param {string} [what] how it came about
   */
  mark(ranges, label = this.label, what = "marked") {
    const cut = this.clip(ranges);
    if (!cut.length || covers(this.spans, cut, label)) return;
    this.#step(
      { spans: labelled(this.#without(this.spans, cut, label), cut, label), ghosts: this.#without(this.ghosts, cut) },
      { what, count: cut.length, label, start: cut[0][0] },
    );
  }

  /** The one label that all of some ranges have; "" where there is none. @param {Range[]} ranges */
  labelOf(ranges) {
    const [first] = within(this.spans, ranges);
    return first && covers(this.spans, this.clip(ranges), first[2]) ? first[2] : "";
  }

  /** Take marks, and what is left of the suggestion, away. @param {Range[]} ranges */
  clear(ranges) {
    const cut = this.clip(ranges);
    const held = within(this.spans, cut);
    if (!held.length && !within(this.ghosts, cut).length) return;
    this.#step(
      { spans: this.#without(this.spans, cut), ghosts: this.#without(this.ghosts, cut) },
      { what: held.length ? "cleared" : "suggestion cleared", count: held.length, start: held[0]?.[0] },
    );
  }

  /** Off where all of it has the label, else on. @param {Range[]} ranges */
  toggle(ranges, label = this.label, what = "marked") {
    if (covers(this.spans, this.clip(ranges), label)) this.clear(ranges);
    else this.mark(ranges, label, what);
  }

  /** Move one edge of a mark; what it gives up becomes unmarked. @param {Span} span @param {Range} to */
  reshape(span, to) {
    const [cut] = this.clip([to]);
    if (!cut || (cut[0] === span[0] && cut[1] === span[1])) return null;
    const rest = without(this.spans, [[span[0], span[1]]]);
    this.#step(
      {
        spans: labelled(this.#without(rest, [cut], span[2]), [cut], span[2]),
        ghosts: this.#without(this.ghosts, [cut]),
      },
      { what: "moved", count: 1, label: span[2] },
    );
    return cut;
  }

  /** Accept the suggestion, or its part in some ranges. @param {Range[]} [ranges] @returns {number} how many */
  accept(ranges = [[0, Infinity]]) {
    const taken = this.#tidy(within(this.ghosts, ranges));
    if (!taken.length) return 0;
    this.#step(
      { spans: normalise([...this.spans, ...taken]), ghosts: this.#without(this.ghosts, ranges) },
      { what: "accepted", count: taken.length },
    );
    return taken.length;
  }

  dismiss() {
    if (this.ghosts.length) this.#step({ ghosts: [] }, { what: "suggestion cleared", count: this.ghosts.length });
  }

  /** @param {string} verdict @param {string} [reason] */
  judge(verdict, reason = "") {
    if (verdict === this.verdict && reason === this.reason) return;
    this.#step({ verdict, reason }, { what: "judged", count: 1 });
  }

  /** Letter by letter one step, until `endNote` or another step. @param {string} note */
  annotate(note) {
    if (note === this.note || this.isReadOnly) return;
    const isContinued = this.#isNoting;
    const next = { ...this.#history.present, note };
    let isStep = true;
    if (isContinued) isStep = this.#history.extend(next);
    else this.#history.push(next);
    this.#dispatch({ what: "noted", count: 1, isContinued });
    this.#isNoting = isStep;
  }

  /** Typing paused, or the field lost the focus: what is typed next is a step of its own. */
  endNote() {
    this.#isNoting = false;
  }

  /**
   * Replace everything by another version, as one step that can be undone.
   * @param {Content} state
   * @param {string} [what] "replaced": the server has it already
   */
  replace({ verdict, reason, note, ...state }, what = "replaced") {
    const spans = normalise(state.spans);
    this.#step({ spans, ghosts: without(this.ghosts, spans), verdict, reason, note }, { what, count: 1 });
  }

  undo() {
    return !this.isReadOnly && this.#history.undo() && this.#dispatch({ what: "undone", count: 1 });
  }
  redo() {
    return !this.isReadOnly && this.#history.redo() && this.#dispatch({ what: "redone", count: 1 });
  }
  retract() {
    return !this.isReadOnly && this.#history.retract() && this.#dispatch({ what: "retracted", count: 1 });
  }

  #begin({ verdict, reason, note, ...state }, stored) {
    const spans = normalise(state.spans);
    const ghosts = without(this.#suggestion, spans);
    this.#history = History.resume({ spans, ghosts, verdict, reason, note }, stored);
  }

  /** What is left of spans, none of it beginning or ending with the blank beside a cut, but what the cut joins. */
  #without(spans, cut, joined = "") {
    const edges = new Set(cut.flat());
    const isCut = ([start, end, label]) => label !== joined && (edges.has(start) || edges.has(end));
    return without(spans, cut).flatMap((span) => (isCut(span) ? this.#tidy([span]) : [span]));
  }

  #tidy(spans) {
    return spans.flatMap(([start, end, label]) => this.clip([[start, end]]).map(([s, e]) => [s, e, label]));
  }

  #step(change, detail) {
    if (this.isReadOnly) return;
    this.#history.push({ ...this.#history.present, ...change });
    this.#dispatch(detail);
  }

  #dispatch(detail) {
    this.#isNoting = false;
    this.dispatchEvent(new CustomEvent("change", { detail }));
    return true;
  }
}
