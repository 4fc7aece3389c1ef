// Gold against an extraction: what was found, missed, wrongly taken; in one label set, by ranges.

import { CONTENT, clip, normalise, within, without } from "./spans.js";

/** @typedef {import("./spans.js").Span} Span */
/** @typedef {import("./spans.js").Range} Range */

/**
 * @param {Span[]} gold
 * @param {Span[]} extraction
 * @param {string[]} labels that count; `content` always does
 * @param {{blocks: Range[], text: import("./codepoints.js").Text}} page
 * @returns {{found: Range[], missed: Range[], wrong: Range[]}}
 */
export function compare(gold, extraction, labels, { blocks, text }) {
  const isCounted = ([, , label]) => label === CONTENT || labels.includes(label);
  const counted = (spans) => normalise(spans.filter(isCounted).map(([start, end]) => [start, end, ""]));
  const [expected, given] = [counted(gold), counted(extraction)];
  const tidy = (spans) => clip(spans, blocks, text);
  return {
    found: tidy(within(expected, given)),
    missed: tidy(without(expected, given)),
    wrong: tidy(without(given, expected)),
  };
}
