// Finding words in the canonical text: case, accents and kinds of quotes and blanks do not matter, offsets are exact.

import { isSpace } from "./spans.js";

/** @typedef {import("./spans.js").Range} Range */

// More hits than this help nobody, and painting them would take long.
export const MOST = 2000;

// Accents and points over and under letters. Other marks are letters themselves: the vowels of Devanagari or Thai, and what
// makes another sound of a kana.
const ACCENT = /(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const TYPED_FOR = { "'": "‘’‚‛′", '"': "“”„‟″«»", "-": "‐‑‒–—−" };
const AS_TYPED = new Map(
  Object.entries(TYPED_FOR).flatMap(([typed, others]) => [...others].map((each) => [each, typed])),
);
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

export class Search {
  #folded = "";
  /** For each unit of the folded text the code point it came from. @type {number[]} */
  #from = [];
  /** For each unit the code point after the last that belongs to it. @type {number[]} */
  #to = [];

  /**
   * @param {import("./codepoints.js").Text} text
   * @param {Range[]} blocks nothing is found over the edge of two
   */
  constructor(text, blocks) {
    const parts = [];
    for (const [start, end] of blocks) {
      this.#fold(text.slice(start, end), start, parts);
      this.#add("\n", end, parts);
    }
    this.#folded = parts.join("");
  }

  /** @param {string} words @returns {Range[]} at most MOST, in order, disjoint */
  find(words) {
    const wanted = folded(words).trim();
    const out = [];
    if (!wanted) return out;
    let at = this.#folded.indexOf(wanted);
    while (at >= 0 && out.length < MOST) {
      out.push([this.#from[at], this.#to[at + wanted.length - 1]]);
      at = this.#folded.indexOf(wanted, at + wanted.length);
    }
    return out;
  }

  #fold(string, start, parts) {
    let at = start;
    for (const character of string) {
      const plain = plainOf(character);
      const isRepeated = plain === " " && parts[parts.length - 1] === " ";
      if (plain && !isRepeated) this.#add(plain, at, parts);
      // An accent of its own belongs to the letter before it.
      else if (!plain && at > start) this.#to[this.#to.length - 1] = at + 1;
      at += 1;
    }
  }

  #add(plain, at, parts) {
    parts.push(plain);
    for (let unit = 0; unit < plain.length; unit += 1) {
      this.#from.push(at);
      this.#to.push(at + 1);
    }
  }
}

const folded = (words) => [...words].map(plainOf).join("").replace(/ +/g, " ");

/** What a character counts as; nothing for accents and what cannot be seen. */
function plainOf(character) {
  if (isSpace(character)) return " ";
  if (UNSEEN.test(character)) return "";
  const letters = [...character.normalize("NFKD")]
    .filter((each) => !ACCENT.test(each))
    .map((each) => AS_TYPED.get(each) ?? each);
  return letters.join("").toUpperCase().toLowerCase().replace(/\s+/g, " ");
}
