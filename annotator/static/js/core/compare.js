// Gold against an extraction: what was found, missed, wrongly taken; in one label set, by ranges.

import { CONTENT, clip, union, weight, within, without } from "./spans.js";

/** @typedef {import("./spans.js").Span} Span */
/** @typedef {import("./spans.js").Range} Range */
/** @typedef {{kind: "missed"|"wrong", start: number, end: number, size: number}} Difference size without white space */

/**
 * @param {Span[]} gold
 * @param {Span[]} extraction
 * @param {string[]} labels that count; `content` always does
 * @param {{blocks: Range[], text: import("./codepoints.js").Text}} page
 * @returns {{found: Range[], missed: Range[], wrong: Range[]}}
 */
export function compare(gold, extraction, labels, { blocks, text }) {
  const counted = (spans) => asSpans(union(spans.filter(([, , label]) => label === CONTENT || labels.includes(label))));
  const [expected, given] = [counted(gold), counted(extraction)];
  const tidy = (spans) =>
    clip(
      spans.map(([start, end]) => [start, end]),
      blocks,
      text,
    );
  return {
    found: tidy(within(expected, given)),
    missed: tidy(without(expected, given)),
    wrong: tidy(without(given, expected)),
  };
}

/**
 * What was missed and wrong, the largest first.
 * @param {{missed: Range[], wrong: Range[]}} comparison
 * @param {import("./codepoints.js").Text} text
 * @returns {Difference[]}
 */
export function differences({ missed, wrong }, text) {
  const sized =
    (kind) =>
    ([start, end]) => ({ kind, start, end, size: weight([[start, end]], text) });
  return [...missed.map(sized("missed")), ...wrong.map(sized("wrong"))].sort(
    (a, b) => b.size - a.size || a.start - b.start,
  );
}

const asSpans = (ranges) => ranges.map(([start, end]) => [start, end, ""]);
