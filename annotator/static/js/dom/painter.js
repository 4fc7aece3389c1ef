// Paints spans with the CSS Custom Highlight API: the page's DOM stays as it is.
//
// After any change a browser goes through all text of all ranges again and draws it again, so that a key would take as
// long as the page is. It is therefore painted in chunks of a few blocks: a change replaces the ranges of its own
// chunk, and only the chunks near what is in sight are painted.

import { firstEndingAfter } from "../core/spans.js";
import { inFrame } from "./frames.js";

/** @typedef {import("../core/spans.js").Range} Range */
/** @typedef {import("../core/spans.js").Span} Span */

// Blocks of a chunk.
const CHUNK = 4;
// Pages of up to so many blocks are painted whole until it is known where their blocks lie.
const SHORT = 320;
// Screens above and below the one in sight: what must be painted, and what is painted when something of it is not.
// More than a wheel turns between two frames, and little more than is seen.
const MUST = 0.1;
const WILL = 0.3;

export class Painter {
  #view;
  #geometry;
  /** @type {Map<string, Layer>} */
  #layers = new Map();
  /** @type {Set<number>|null} the chunks that are painted */
  #near = null;
  #isWhole = false;
  /** The page was scrolled or measured: other chunks may be near. */
  follow = inFrame(() => this.#moved());

  /**
   * @param {import("./pageview.js").PageView} view
   * @param {import("./geometry.js").Geometry} geometry
   */
  constructor(view, geometry) {
    this.#view = view;
    this.#geometry = geometry;
  }

  /** Forget all ranges: the page was built again, and the old ones point nowhere. */
  reset() {
    for (const name of this.#layers.keys()) this.#view.window.CSS.highlights.delete(name);
    this.#layers.clear();
    this.#near = null;
  }

  /**
   * Show exactly these spans in a layer. Only what changed since the last time is touched.
   * @param {string} name a ::highlight() name
   * @param {Array<Range|Span>} spans sorted, disjoint
   * @param {number} [priority] the higher one paints over
   * @param {Set<string>} [labels] only those with one of these labels
   */
  show(name, spans, priority = 0, labels = undefined) {
    const near = this.#near ?? this.#first();
    this.#near = near;
    const layer = this.#layers.get(name) ?? this.#open(name);
    layer.highlight.priority = priority;
    layer.give(spans, labels);
    layer.draw(near);
  }

  /**
   * One layer a colour: `goldpan-2`, or `goldpan-ghost-2`. Retired labels share 0.
   * @param {string} prefix
   * @param {Span[]} spans
   * @param {Iterable<{name: string, number: number}>} labels
   * @param {number} [priority]
   */
  showLabelled(prefix, spans, labels, priority = 0) {
    /** @type {Map<number, Set<string>>} */
    const named = new Map();
    for (const { name, number } of labels) named.set(number, (named.get(number) ?? new Set()).add(name));
    for (const [number, names] of named) this.show(`${prefix}${number}`, spans, priority, names);
  }

  #open(name) {
    const layer = new Layer(this.#view);
    this.#view.window.CSS.highlights.set(name, layer.highlight);
    this.#layers.set(name, layer);
    return layer;
  }

  #moved() {
    if (!this.#near || (this.#isWhole && !this.#geometry.isMeasured)) return;
    if (!this.#isWhole && isWithin(this.#geometry.near(MUST, CHUNK), this.#near)) return;
    this.#isWhole = false;
    const near = this.#geometry.near(WILL, CHUNK);
    this.#near = near;
    for (const layer of this.#layers.values()) layer.draw(near);
  }

  /** What is painted before the page was scrolled or measured. */
  #first() {
    const { length } = this.#view.blocks;
    this.#isWhole = length <= SHORT && !this.#geometry.isMeasured;
    if (!this.#isWhole) return this.#geometry.near(WILL, CHUNK);
    return new Set(Array.from({ length: Math.ceil(length / CHUNK) }, (_, chunk) => chunk));
  }
}

class Layer {
  #view;
  #spans = [];
  /** @type {Set<string>|undefined} */
  #labels;
  /** @type {Map<number, {pieces: Range[], ranges: globalThis.Range[]}>} by chunk */
  #drawn = new Map();

  constructor(view) {
    this.#view = view;
    this.highlight = new view.window.Highlight();
  }

  give(spans, labels) {
    this.#spans = spans;
    this.#labels = labels;
  }

  /** @param {Set<number>} chunks */
  draw(chunks) {
    for (const chunk of this.#drawn.keys()) if (!chunks.has(chunk)) this.#erase(chunk);
    for (const chunk of chunks) this.#redraw(chunk, this.#pieces(chunk));
  }

  #redraw(chunk, pieces) {
    const old = this.#drawn.get(chunk);
    if (old ? areSame(old.pieces, pieces) : !pieces.length) return;
    this.#erase(chunk);
    if (!pieces.length) return;
    const ranges = this.#view.besidePictures(pieces).map(([start, end]) => this.#view.range(start, end));
    for (const range of ranges) this.highlight.add(range);
    this.#drawn.set(chunk, { pieces, ranges });
  }

  #erase(chunk) {
    for (const range of this.#drawn.get(chunk)?.ranges ?? []) this.highlight.delete(range);
    this.#drawn.delete(chunk);
  }

  /** What a chunk shows of the spans; neighbouring blocks share one range. @returns {Range[]} */
  #pieces(chunk) {
    const { blocks } = this.#view;
    const from = blocks[chunk * CHUNK][0];
    const to = blocks[Math.min((chunk + 1) * CHUNK, blocks.length) - 1][1];
    const out = [];
    for (let i = firstEndingAfter(this.#spans, from); this.#spans[i]?.[0] < to; i += 1) {
      const [start, end, label] = this.#spans[i];
      if (this.#labels && !this.#labels.has(label)) continue;
      const last = out[out.length - 1];
      if (last && start - last[1] <= 2) last[1] = Math.min(end, to);
      else out.push([Math.max(start, from), Math.min(end, to)]);
    }
    return out;
  }
}

const areSame = (a, b) => a.length === b.length && a.every(([start, end], i) => start === b[i][0] && end === b[i][1]);

const isWithin = (chunks, others) => [...chunks].every((chunk) => others.has(chunk));
