// The tree of a captured page as its operations tell it: which blocks an element holds, which blocks are alike.
// Both views are built from the same operations, so what is found here holds in both.

import { indexAt } from "./spans.js";

/** @typedef {[number, number]} Run first and last block, both within */
/**
 * @typedef {{parent: Element|null, depth: number, path: number, isInline: boolean, isHidden: boolean,
 *   first: number, last: number}} Element
 */

const INLINE = new Set(
  `a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark nobr q rb rp rt rtc
  ruby s samp small span strike strong sub sup time tt u var wbr`.split(/\s+/),
);

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

export class Structure {
  /** The innermost element that holds all of a block. @type {Element[]} */
  #owners = [];
  /** @type {Map<number, number[]>|null} */
  #alike = null;
  #paths = new Map();
  #length;

  /** @param {{ops: Array, starts: number[], blocks: import("./spans.js").Range[]}} wire */
  constructor({ ops, starts, blocks }) {
    this.#length = blocks.length;
    /** @type {Element} */
    let here = { parent: null, depth: 0, path: 0, isInline: false, isHidden: false, first: 0, last: blocks.length - 1 };
    let node = 0;
    for (const op of ops) {
      if (typeof op === "string") {
        this.#hold(here, starts[node], blocks);
        node += 1;
      } else if (op === 0) {
        here = here.parent ?? here;
      } else if (op !== 1 && !op[2]) {
        here = this.#open(here, op);
      }
    }
  }

  /**
   * The next larger run of blocks that an element holds; null at the whole page.
   * @param {Run} run
   * @returns {Run|null}
   */
  grown([first, last]) {
    /** @type {Element|null} */
    let element = this.#owners[first];
    for (; element; element = element.parent) {
      if (element.first <= first && element.last >= last && element.last - element.first > last - first) {
        return [element.first, element.last];
      }
    }
    return null;
  }

  /**
   * The largest run around a block that is smaller than a run; null when that is the block itself.
   * @param {Run} run
   * @param {number} block in the run
   * @returns {Run|null}
   */
  shrunk([first, last], block) {
    if (first === last) return null;
    /** @type {Run} */
    let inner = [block, block];
    for (let next = this.grown(inner); next && next[0] >= first && next[1] <= last; next = this.grown(next)) {
      if (next[1] - next[0] === last - first) break;
      inner = next;
    }
    return inner;
  }

  /**
   * All blocks that have the path, tags with their classes, of one of these.
   * @param {Run} run
   * @returns {number[]} sorted
   */
  like([first, last]) {
    this.#alike ??= this.#grouped();
    const alike = this.#alike;
    const paths = new Set();
    for (let block = first; block <= last; block += 1) paths.add(this.#pathOf(block));
    return [...paths].flatMap((path) => alike.get(path) ?? []).sort((a, b) => a - b);
  }

  /** Whether the page's markup itself says that a block is not to be seen. @param {number} block */
  isHidden(block) {
    return Boolean(this.#owners[block]?.isHidden);
  }

  #open(parent, [tag, attributes]) {
    const { class: classes = "", hidden, style = "" } = attributes ?? {};
    return {
      parent,
      depth: parent.depth + 1,
      path: this.#path(parent.path, tag, classes),
      isInline: INLINE.has(tag),
      isHidden: parent.isHidden || hidden !== undefined || HIDING.test(style),
      first: -1,
      last: -1,
    };
  }

  // A number stands for the path: written out, one of many deep levels would be as long as the page.
  #path(above, tag, classes) {
    // Digits in a class name the one post or item, not its kind.
    const kinds = classes
      .split(/\s+/)
      .filter(Boolean)
      .map((each) => each.replace(/\d+/g, "0"))
      .sort();
    const step = `${above}>${[tag, ...kinds].join(".")}`;
    if (!this.#paths.has(step)) this.#paths.set(step, this.#paths.size + 1);
    return this.#paths.get(step);
  }

  #hold(element, start, blocks) {
    const block = indexAt(blocks, start);
    const owner = this.#owners[block];
    this.#owners[block] = owner ? common(owner, element) : element;
    for (let each = element; each.parent; each = each.parent) {
      if (each.last === block) break;
      if (each.last < 0) each.first = block;
      each.last = block;
    }
  }

  #grouped() {
    const groups = new Map();
    for (let block = 0; block < this.#length; block += 1) {
      const path = this.#pathOf(block);
      if (!groups.has(path)) groups.set(path, []);
      groups.get(path).push(block);
    }
    return groups;
  }

  // A paragraph that is one link is still a paragraph.
  #pathOf(block) {
    let element = this.#owners[block];
    while (element?.isInline && element.parent) element = element.parent;
    return element?.path ?? -1;
  }
}

function common(one, other) {
  let [deep, shallow] = one.depth > other.depth ? [one, other] : [other, one];
  while (deep.depth > shallow.depth) deep = deep.parent;
  while (deep !== shallow) [deep, shallow] = [deep.parent, shallow.parent];
  return deep;
}
