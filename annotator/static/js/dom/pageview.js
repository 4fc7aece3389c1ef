// A captured page, built from data inside the frame, and the map between its DOM and canonical offsets.
//
// Every text node is a slice of the canonical text, so an offset is the node's start plus the position in the node.
// A WeakMap out here says which node is which: nothing in the page's DOM is trusted or read.

import { isAstral, lengthOf, pointsBefore, Text, unitsBefore } from "../core/codepoints.js";
import { clip, firstWhere, indexAt } from "../core/spans.js";
import { Structure } from "../core/structure.js";
import { build, compactLinkLists, fillImages, hideEmptyItems, settleButtons } from "./build.js";
import { above, BASE, DEFAULTS, DRESSED, paint, QUIRKS, reading as readingSheet } from "./sheets.js";

/** @typedef {import("../core/spans.js").Range} Range */
/** @typedef {{sha256: string, length: number, quirks: boolean, ops: Array, starts: number[], blocks: Range[], css: string[], lost_sheets?: number, dressed?: boolean}} Wire */

export class PageView {
  #wire;
  #strings;
  #nodes = [];
  #index = new WeakMap();
  #astral = [];
  #ends = [];
  #pictures = [];
  /** @type {Structure|null} */
  #structure = null;
  /** The canonical text. @type {Text} */
  text;
  /** Of the frame, since the last build. @type {HTMLElement} */
  body;

  /**
   * @param {HTMLIFrameElement} frame with its skeleton loaded
   * @param {Wire} wire
   */
  constructor(frame, wire) {
    this.frame = frame;
    this.#wire = wire;
    this.mode = "";
    this.#strings = wire.ops.filter((op) => typeof op === "string");
    this.#survey();
  }

  get document() {
    return /** @type {Document} */ (this.frame.contentDocument);
  }
  get window() {
    return /** @type {Window & typeof globalThis} */ (this.frame.contentWindow);
  }
  get blocks() {
    return this.#wire.blocks;
  }
  /** The page's tree, the same in both views; read when it is first asked for. */
  get structure() {
    this.#structure ??= new Structure(this.#wire);
    return this.#structure;
  }

  /**
   * Build the page again in one of its two views. Marks and offsets are untouched by the change.
   * @param {"page"|"reading"} mode
   * @param {"light"|"dark"} scheme of reading view; a page keeps its own colours
   */
  build(mode, scheme) {
    const isReading = mode === "reading";
    const { body, head, nodes } = build(this.document, this.#wire.ops, isReading);
    this.mode = mode;
    this.body = body;
    this.#dress(head, isReading, isReading ? scheme : "light");
    fillImages(body, Boolean(this.#wire.dressed) && !isReading);
    if (this.#wire.dressed && !isReading) settleButtons(body);
    if (isReading) {
      hideEmptyItems(body);
      compactLinkLists(body);
    }
    this.#register(nodes);
  }

  /**
   * Compare the text with the document that the server stores. What is built in the frame is held to be this text.
   * @param {string} sha256
   * @returns {Promise<boolean>}
   */
  async verify(sha256) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(String(this.text)));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
  }

  /** @param {number} start @param {number} end @returns {globalThis.Range} the live DOM range of canonical offsets */
  range(start, end) {
    const range = this.document.createRange();
    const first = indexOfStart(this.#wire.starts, start);
    const last = Math.max(first, indexOfStart(this.#wire.starts, end - 1));
    range.setStart(this.#nodes[first], this.#units(first, start));
    range.setEnd(this.#nodes[last], this.#units(last, end));
    return range;
  }

  /**
   * Cut ranges where a picture is between their words: a highlight would paint the picture too.
   * @param {Range[]} ranges sorted
   * @returns {Range[]}
   */
  besidePictures(ranges) {
    const out = [];
    let next = 0;
    for (const [start, end] of ranges) {
      let from = start;
      while (this.#pictures[next] <= start) next += 1;
      for (; this.#pictures[next] < end; next += 1) {
        out.push([from, this.#pictures[next]]);
        from = this.#pictures[next];
      }
      out.push([from, end]);
    }
    return out;
  }

  /** @param {globalThis.Range|StaticRange} range @returns {Range} canonical offsets; positions inside a pair snap outward */
  offsets(range) {
    return [
      this.#offset(range.startContainer, range.startOffset, false),
      this.#offset(range.endContainer, range.endOffset, true),
    ];
  }

  /** @param {number} block */
  blockRange(block) {
    const [start, end] = this.blocks[block];
    return this.range(start, end);
  }

  /** Whether the text at an offset is read from right to left. @param {number} offset */
  isRightToLeft(offset) {
    const { parentElement } = this.range(offset, offset + 1).startContainer;
    return parentElement !== null && this.window.getComputedStyle(parentElement).direction === "rtl";
  }

  /** @param {Node} node @returns {number} the block of a text node; -1 where it is none of ours */
  blockOf(node) {
    const i = this.#index.get(node);
    return i === undefined ? -1 : this.blockAt(this.#wire.starts[i]);
  }

  /** @param {number} offset */
  blockAt(offset) {
    return indexAt(this.blocks, offset);
  }

  /** @param {Range[]} ranges @returns {Range[]} */
  clip(ranges) {
    return clip(ranges, this.blocks, this.text);
  }

  #dress(head, isReading, scheme) {
    const marks = paint(scheme, isReading);
    const base = this.#wire.dressed ? DRESSED : BASE;
    const sheets = isReading
      ? [BASE, readingSheet(scheme), marks]
      : [
          above(base, marks),
          DEFAULTS,
          this.#wire.dressed && this.#wire.quirks ? QUIRKS : "",
          ...this.#wire.css,
          base,
          marks,
        ];
    for (const css of sheets) {
      const style = this.document.createElement("style");
      style.textContent = css;
      head.append(style);
    }
  }

  /** The canonical text, as the view's strings and their offsets make it. */
  #survey() {
    const { starts, length } = this.#wire;
    const strings = this.#strings;
    if (strings.length !== starts.length) throw new Error(`${strings.length} text nodes instead of ${starts.length}`);
    this.#astral = strings.map(isAstral);
    this.#ends = strings.map((string, i) => starts[i] + lengthOf(string));
    this.text = new Text(joined(strings, starts, this.#ends));
    if (this.text.length !== length) throw new Error(`${this.text.length} characters instead of ${length}`);
  }

  /** Each text node holds the text at its offset. */
  #register(nodes) {
    const strings = this.#strings;
    if (nodes.length !== strings.length) throw new Error(`${nodes.length} text nodes instead of ${strings.length}`);
    if (nodes.some(({ data }, i) => data !== strings[i])) throw new Error("the text is another one");
    this.#nodes = nodes;
    this.#index = new WeakMap(nodes.map((node, i) => [node, i]));
    this.#pictures = this.#offsetsAfterImages();
  }

  /** Offsets of the text after each image, sorted, each once. */
  #offsetsAfterImages() {
    const after = [...this.body.querySelectorAll("img")].map((image) => this.#firstNodeAfter(image, 0));
    return [...new Set(after)].filter((i) => i > 0 && i < this.#nodes.length).map((i) => this.#wire.starts[i]);
  }

  #offset(node, at, isEnd) {
    const i = this.#index.get(node);
    if (i !== undefined) {
      return this.#wire.starts[i] + (this.#astral[i] ? pointsBefore(node.data, at, isEnd) : at);
    }
    const after = this.#firstNodeAfter(node, at);
    if (isEnd) return after ? this.#ends[after - 1] : 0;
    return after < this.#nodes.length ? this.#wire.starts[after] : this.#wire.length;
  }

  #firstNodeAfter(container, at) {
    const point = this.document.createRange();
    point.setStart(container, at);
    return firstWhere(this.#nodes.length, (i) => point.comparePoint(this.#nodes[i], 0) >= 0);
  }

  #units(i, offset) {
    const points = Math.max(0, Math.min(offset, this.#ends[i]) - this.#wire.starts[i]);
    return this.#astral[i] ? unitsBefore(this.#nodes[i].data, points) : points;
  }
}

/** The last node that starts at or before an offset; 0 where none does. */
const indexOfStart = (starts, offset) => Math.max(0, firstWhere(starts.length, (i) => starts[i] > offset) - 1);

/** The canonical text: between nodes is what belongs to none, a line break or the separator of blocks. */
function joined(strings, starts, ends) {
  const parts = [];
  strings.forEach((string, i) => {
    const gap = starts[i] - (i ? ends[i - 1] : 0);
    if (gap < 0) throw new Error(`text node ${i} begins before the one before it ends`);
    if (gap) parts.push("\n".repeat(gap));
    parts.push(string);
  });
  return parts.join("");
}
