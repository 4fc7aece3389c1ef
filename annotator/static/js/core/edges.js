// Moving one edge of a mark by a character or a word, inside its block.

import { isSpace } from "./spans.js";

/** @typedef {import("./spans.js").Range} Range */

/**
 * @param {import("./codepoints.js").Text} text
 * @param {Range} block the edge stays in it
 * @param {Range} span
 * @param {{edge: "start"|"end", step: 1|-1, unit: "grapheme"|"word", language?: string}} move
 * @returns {Range} the span with its edge moved, never empty
 */
export function moveEdge(text, block, [start, end], { edge, step, unit, language }) {
  const stops = stopsIn(text.slice(...block), unit, language).map((stop) => block[0] + stop);
  if (edge === "end") {
    const to =
      step > 0
        ? stops.find((stop) => stop > end && !isSpace(text.slice(stop - 1, stop)))
        : stops.findLast((stop) => stop < end && stop > start);
    return [start, to ?? end];
  }
  const to =
    step < 0
      ? stops.findLast((stop) => stop < start && !isSpace(text.slice(stop, stop + 1)))
      : stops.find((stop) => stop > start && stop < end);
  return [to ?? start, end];
}

/** Boundaries of what people call a character or a word, in code points; a word's end and start are both one. */
function stopsIn(string, granularity, language) {
  const stops = [0];
  let at = 0;
  for (const { segment } of new Intl.Segmenter(language || undefined, { granularity }).segment(string)) {
    at += [...segment].length;
    stops.push(at);
  }
  return stops;
}
