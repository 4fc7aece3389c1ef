// The outline of the selection: our own boxes beside the page's body, never a change to the page.

import { inFrame } from "./frames.js";
import { caretNode } from "./points.js";

/** @typedef {Record<import("./sheets.js").Scheme, {ink: string, paper: string}>} Colours by the scheme of the page */

/** A selection's. @type {Colours} */
export const OUTLINE = { light: { ink: "#1c1c1f", paper: "#ffffff" }, dark: { ink: "#f2c452", paper: "#161618" } };

const ROOM = 5;
const TAG_HEIGHT = 20;
// Room for any label: the tag is placed once per selection, whatever its text becomes.
const TAG_WIDTH = 110;
// Where the words nearest to it are looked for, from its upper left corner.
const SAMPLED = [4, 55, 106].flatMap((x) => [1, 10, 19].map((y) => [x, y]));
// Pixels between the words and the tag beside them.
const GAP = 6;

const HOST = `all: initial !important; forced-color-adjust: none !important; display: block !important; position: absolute !important; left: 0 !important;
  top: 0 !important; width: 0 !important; height: 0 !important; z-index: 2147483647 !important;
  pointer-events: none !important;`;

export class Cursor {
  #stage;
  #view;
  #colours;
  // Made by `mount`.
  /** @type {HTMLElement} */
  #box;
  /** @type {HTMLElement} */
  #tag;
  /** @type {[number, number]|null} */
  #range = null;
  #revealed = 0;
  /** Follow the page when its layout changes, with the next frame: nobody waits for where it is. */
  position = inFrame(() => this.#positionNow());

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {Colours} [colours]
   */
  constructor(stage, colours = OUTLINE) {
    this.#stage = stage;
    this.#view = stage.view;
    this.#colours = colours;
  }

  /** Put the outline's elements into the frame; to be called after each build. */
  mount() {
    const { document } = this.#view;
    this.#box = document.createElement("div");
    this.#tag = document.createElement("span");
    this.#dress(this.#colours[this.#stage.scheme]);
    hostIn(document, "goldpan-cursor").append(this.#box, this.#tag);
    this.position();
  }

  /** @param {[number, number]|null} range canonical offsets @param {string} [tag] a word at the corner */
  show(range, tag = "") {
    const isSame = String(range) === String(this.#range);
    this.#range = range;
    this.#tag.textContent = tag;
    if (isSame) this.#tag.hidden = this.#box.hidden || !tag;
    else this.position();
  }

  /** @returns {DOMRect|null} where the selection is, in the frame's viewport */
  get rect() {
    if (!this.#range) return null;
    const box = this.#view.range(...this.#range).getBoundingClientRect();
    return box.width || box.height ? box : null;
  }

  /** Scroll to the selection. @param {number} [below] room to leave under it, in pixels */
  reveal(below = 60) {
    this.#revealed = below;
    this.position();
  }

  #positionNow() {
    if (this.#revealed && this.rect) this.#bringIn();
    const box = this.rect;
    this.#box.hidden = this.#tag.hidden = !box;
    if (!box) return;
    const { scrollX, scrollY } = this.#view.window;
    const left = box.left + scrollX - ROOM;
    const top = box.top + scrollY - ROOM;
    put(this.#box, { left, top, width: box.width + 2 * ROOM, height: box.height + 2 * ROOM });
    const spot = this.#spotForTag(box);
    put(this.#tag, { left: Math.max(0, spot.left + scrollX), top: Math.max(0, spot.top + scrollY) });
    this.#tag.hidden = !this.#tag.textContent;
  }

  /** Where the tag covers no words, in the frame's viewport; above the selection where it covers some everywhere. */
  #spotForTag(box) {
    const range = this.#view.range(.../** @type {[number, number]} */ (this.#range));
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
    const [first, last] = [lines[0] ?? box, lines[lines.length - 1] ?? box];
    const middle = (line) => line.top + (line.height - TAG_HEIGHT) / 2;
    const above = { left: box.left - ROOM - 2, top: box.top - ROOM - TAG_HEIGHT };
    const after = { left: last.right + ROOM + GAP, top: middle(last) };
    const before = { left: box.left - ROOM - GAP - TAG_WIDTH, top: middle(first) };
    const below = { left: above.left, top: box.bottom + ROOM };
    const fits = [after, before].filter(({ left }) => left >= 0 && left + TAG_WIDTH <= rightOf(range));
    return [...fits, above, below].find((spot) => isClear(this.#view.document, spot)) ?? above;
  }

  #bringIn() {
    const { window } = this.#view;
    this.#bringIntoBoxes();
    const box = /** @type {DOMRect} */ (this.rect);
    const room = Math.min(60, window.innerHeight / 6);
    const isIn = box.top >= room && box.bottom <= window.innerHeight - this.#revealed;
    this.#revealed = 0;
    const part = this.#partIn(window.innerWidth, Infinity);
    // Lines from top to bottom run out of a page sideways.
    window.scrollBy({
      left: shiftOf(part.left, part.right, window.innerWidth),
      top: isIn ? 0 : box.top - window.innerHeight / 4,
      behavior: "instant",
    });
  }

  /** Boxes of the page can scroll by themselves; the innermost first. */
  #bringIntoBoxes() {
    const { startContainer } = this.#view.range(.../** @type {[number, number]} */ (this.#range));
    for (let box = startContainer.parentElement; box && box !== this.#view.body; box = box.parentElement) {
      const { clientWidth: width, clientHeight: height } = box;
      if (box.scrollWidth <= width && box.scrollHeight <= height) continue;
      const outer = box.getBoundingClientRect();
      const [left, top] = [outer.left + box.clientLeft, outer.top + box.clientTop];
      const part = this.#partIn(width, height);
      box.scrollBy({
        left: shiftOf(part.left - left, part.right - left, width),
        top: shiftOf(part.top - top, part.bottom - top, height),
        behavior: "instant",
      });
    }
  }

  /** What of the selection to show in a box of this size: its first line, if it is larger. */
  #partIn(width, height) {
    const box = /** @type {DOMRect} */ (this.rect);
    if (box.width <= width && box.height <= height) return box;
    return this.#view.range(.../** @type {[number, number]} */ (this.#range)).getClientRects()[0] ?? box;
  }

  #dress({ ink, paper }) {
    this.#box.setAttribute(
      "style",
      `position: absolute; box-sizing: border-box; border: 2px solid ${ink}; border-radius: 2px;
      box-shadow: 0 0 0 1.5px ${paper};`,
    );
    this.#tag.setAttribute(
      "style",
      `position: absolute; padding: 0 6px; border-radius: 3px; background: ${ink};
      color: ${paper}; font: 600 12px/20px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; white-space: nowrap;`,
    );
  }
}

/**
 * Where boxes of ours go in the frame: a shadow root, which keeps the page's style sheets out.
 * @param {Document} document of the frame
 * @param {string} name of the element
 * @returns {ShadowRoot}
 */
export function hostIn(document, name) {
  const host = document.createElement(name);
  host.setAttribute("style", HOST);
  host.setAttribute("aria-hidden", "true");
  document.documentElement.append(host);
  return host.attachShadow({ mode: "closed" });
}

/** How far to scroll until a stretch lies in a size, or begins in it where it is longer. */
function shiftOf(start, end, size) {
  if (start < 0 || start >= size) return start;
  return end - start > size ? 0 : Math.max(0, end - size);
}

/** How far the lines of a range may run: the edge of the box that holds them. */
function rightOf(range) {
  let holder = range.commonAncestorContainer;
  while (holder.nodeType !== Node.ELEMENT_NODE || getComputedStyle(holder).display === "inline")
    holder = holder.parentElement;
  return holder.getBoundingClientRect().right;
}

/**
 * Whether the tag would cover no words. Sampled: the boxes of all words of a page would take long to read.
 *
 * @param {Document} document
 * @param {{left: number, top: number}} spot in its viewport
 */
function isClear(document, { left, top }) {
  const near = new Set(SAMPLED.map(([x, y]) => caretNode(document, left + x, top + y)));
  const covers = (box) =>
    box.left < left + TAG_WIDTH && box.right > left && box.top < top + TAG_HEIGHT - 1 && box.bottom > top + 1;
  return ![...near].some((node) => node?.nodeType === Node.TEXT_NODE && boxesOf(document, node).some(covers));
}

/**
 * @param {Document} document
 * @param {Node} node of it
 */
function boxesOf(document, node) {
  const words = document.createRange();
  words.selectNodeContents(node);
  return [...words.getClientRects()];
}

/** @param {HTMLElement|null} element @param {Record<string, number>} sizes in pixels */
export function put(element, sizes) {
  if (!element) return;
  for (const [name, value] of Object.entries(sizes)) element.style[name] = `${value}px`;
}
