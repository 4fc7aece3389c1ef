// The only module of the browser that converts UTF-16 units to code points and back (offsets are code points).

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;
const STEP = 512;

/**
 * Whether a string holds a character outside the basic plane, so that units and code points differ.
 * @param {string} text
 */
export const isAstral = (text) => PAIR.test(text);

/**
 * @param {string} text
 * @returns {number} its length in code points
 */
export function lengthOf(text) {
  return isAstral(text) ? pointsBefore(text, text.length) : text.length;
}

/**
 * Code points before a UTF-16 position. A position inside a surrogate pair snaps down, or up with `up`.
 * @param {string} text
 * @param {number} units
 * @param {boolean} [up]
 * @returns {number}
 */
export function pointsBefore(text, units, up = false) {
  let points = 0;
  let at = 0;
  while (at < units) {
    at += width(text, at);
    points += 1;
  }
  return at > units && !up ? points - 1 : points;
}

/**
 * The UTF-16 position of a code point offset.
 * @param {string} text
 * @param {number} points
 * @param {number} [from] a UTF-16 position to start from
 * @returns {number}
 */
export function unitsBefore(text, points, from = 0) {
  let at = from;
  for (let n = 0; n < points && at < text.length; n += 1) at += width(text, at);
  return at;
}

const width = (text, at) => (text.codePointAt(at) > 0xffff ? 2 : 1);

/** A text addressed by code points; with astral characters it stores the UTF-16 position of every 512th. */
export class Text {
  #string;
  /** @type {number[]|null} */
  #starts = null;

  /** @param {string} string */
  constructor(string) {
    this.#string = string;
    this.length = string.length;
    if (isAstral(string)) this.#survey();
  }

  toString() {
    return this.#string;
  }

  /**
   * @param {number} start code points
   * @param {number} end
   * @returns {string}
   */
  slice(start, end) {
    return this.#string.slice(this.#units(start), this.#units(end));
  }

  #units(points) {
    if (!this.#starts) return points;
    const mark = Math.min(Math.floor(points / STEP), this.#starts.length - 1);
    return unitsBefore(this.#string, points - mark * STEP, this.#starts[mark]);
  }

  #survey() {
    const starts = [];
    let points = 0;
    for (let at = 0; at < this.#string.length; at += width(this.#string, at)) {
      if (points % STEP === 0) starts.push(at);
      points += 1;
    }
    this.#starts = starts;
    this.length = points;
  }
}
