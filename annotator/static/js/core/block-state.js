// The state of a block's marks.

import { within } from "./spans.js";

/** @typedef {import("./spans.js").Range} Range */
/** @typedef {import("./spans.js").Span} Span */
/** @typedef {{how: "whole"|"part"|"parts"|"none", labels: string[]}} BlockState parts: several labels, each once, in order */

/**
 * @param {Span[]} spans normal form
 * @param {Range} block without the white space at its edges
 * @returns {BlockState}
 */
export function stateOf(spans, block) {
  const held = within(spans, [block]);
  const labels = [...new Set(held.map((span) => span[2]))];
  if (!labels.length) return { how: "none", labels };
  if (labels.length > 1) return { how: "parts", labels };
  const isWhole = held.length === 1 && held[0][0] === block[0] && held[0][1] === block[1];
  return { how: isWhole ? "whole" : "part", labels };
}
