// Spans are [start, end, label] in code points. A list in normal form is sorted and disjoint, holds no
// separator between blocks, starts and ends on something visible, and joins what touches under one label.
// Every function here is one sweep over sorted lists; none changes its arguments.

/** @typedef {[number, number]} Range */
/** @typedef {[number, number, string]} Span */

/** The label of programs that do not distinguish labels. */
export const CONTENT = "content";

// What Python's str.isspace() holds for white space; \s of JavaScript differs by five characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are white space to Python
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** @param {string} character */
export const isSpace = (character) => SPACE.test(character);

/**
 * Sort, join what touches under one label; where two labels claim a character, the earlier span keeps it.
 * @param {Span[]} spans
 * @returns {Span[]}
 */
export function normalise(spans) {
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const out = [];
  for (const [start, end, label] of sorted) {
    const last = out[out.length - 1];
    if (last && last[2] === label && start <= last[1]) last[1] = Math.max(last[1], end);
    else if (!last || end > last[1]) out.push([last ? Math.max(start, last[1]) : start, end, label]);
  }
  return out.filter(([start, end]) => start < end);
}

/**
 * The union of ranges, sorted and disjoint.
 * @param {Range[]} ranges
 * @returns {Range[]}
 */
export const union = (ranges) => normalise(ranges.map(([start, end]) => [start, end, ""])).map(([s, e]) => [s, e]);

/**
 * What is left of spans outside some ranges; the same list where nothing goes.
 * @param {Span[]} spans sorted, disjoint
 * @param {Array<Range|Span>} ranges sorted, disjoint
 * @returns {Span[]}
 */
export function without(spans, ranges) {
  const [first, last] = touched(spans, ranges);
  if (first === last) return spans;
  const out = spans.slice(0, first);
  let next = 0;
  for (let at = first; at < last; at += 1) {
    const [start, end, label] = spans[at];
    while (next < ranges.length && ranges[next][1] <= start) next += 1;
    let from = start;
    for (let i = next; i < ranges.length && ranges[i][0] < end; i += 1) {
      if (ranges[i][0] > from) out.push([from, ranges[i][0], label]);
      from = Math.max(from, ranges[i][1]);
    }
    if (from < end) out.push([from, end, label]);
  }
  return appended(out, spans, last);
}

/**
 * What spans have inside some ranges.
 * @param {Span[]} spans sorted, disjoint
 * @param {Array<Range|Span>} ranges sorted, disjoint
 * @returns {Span[]}
 */
export function within(spans, ranges) {
  const out = [];
  const [first, last] = touched(spans, ranges);
  let next = 0;
  for (let at = first; at < last; at += 1) {
    const [start, end, label] = spans[at];
    while (next < ranges.length && ranges[next][1] <= start) next += 1;
    for (let i = next; i < ranges.length && ranges[i][0] < end; i += 1) {
      out.push([Math.max(start, ranges[i][0]), Math.min(end, ranges[i][1]), label]);
    }
  }
  return out;
}

/**
 * Give ranges a label; a character has at most one, so earlier spans there are removed.
 * @param {Span[]} spans normal form
 * @param {Array<Range|Span>} ranges sorted, disjoint
 * @param {string} label
 * @returns {Span[]}
 */
export function labelled(spans, ranges, label) {
  if (!ranges.length) return spans;
  const rest = without(spans, ranges);
  // The neighbours on both sides may join what is new.
  const first = Math.max(0, firstEndingAfter(rest, ranges[0][0]) - 1);
  const last = Math.min(rest.length, firstEndingAfter(rest, ranges[ranges.length - 1][1]) + 1);
  /** @type {Span[]} */
  const given = ranges.map(([start, end]) => [start, end, label]);
  const middle = normalise([...rest.slice(first, last), ...given]);
  return appended(rest.slice(0, first).concat(middle), rest, last);
}

/**
 * Whether every range lies wholly in spans of the label; false for no ranges.
 * @param {Span[]} spans normal form
 * @param {Array<Range|Span>} ranges sorted, disjoint
 * @param {string} label
 */
export function covers(spans, ranges, label) {
  if (!ranges.length) return false;
  let next = firstEndingAfter(spans, ranges[0][0]);
  return ranges.every(([start, end]) => {
    while (next < spans.length && spans[next][1] <= start) next += 1;
    const span = spans[next];
    return Boolean(span) && span[0] <= start && end <= span[1] && span[2] === label;
  });
}

/**
 * Index of the first item that ends after an offset; their number where none does.
 * @param {Array<Range|Span>} items sorted, disjoint
 * @param {number} offset
 */
export const firstEndingAfter = (items, offset) => firstWhere(items.length, (i) => items[i][1] > offset);

/**
 * The first index with which a test holds, as it does with all after it; the number of indexes where it holds with none.
 * @param {number} length
 * @param {(index: number) => boolean} holds
 */
export function firstWhere(length, holds) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The stretch of spans, as two indexes, outside of which none overlaps any range. */
function touched(spans, ranges) {
  if (!ranges.length) return [0, 0];
  const end = ranges[ranges.length - 1][1];
  const first = firstEndingAfter(spans, ranges[0][0]);
  let last = firstEndingAfter(spans, end);
  if (last < spans.length && spans[last][0] < end) last += 1;
  return [first, Math.max(first, last)];
}

function appended(out, spans, from) {
  for (let i = from; i < spans.length; i += 1) out.push(spans[i]);
  return out;
}

/**
 * Cut ranges to blocks and trim white space off their edges.
 * @param {Array<Range|Span>} ranges sorted, disjoint
 * @param {Range[]} blocks
 * @param {import("./codepoints.js").Text} text
 * @returns {Range[]}
 */
export function clip(ranges, blocks, text) {
  const out = [];
  for (const [start, end] of ranges) {
    for (let i = indexAt(blocks, start); i < blocks.length && blocks[i][0] < end; i += 1) {
      const cut = trim(Math.max(start, blocks[i][0]), Math.min(end, blocks[i][1]), text);
      if (cut) out.push(cut);
    }
  }
  return out;
}

/**
 * Index of the last item that starts at or before an offset; 0 where none does.
 * @param {Array<Range|Span>} items sorted
 * @param {number} offset
 */
export const indexAt = (items, offset) => Math.max(0, firstWhere(items.length, (i) => items[i][0] > offset) - 1);

/**
 * Characters that are not white space.
 * @param {Range[]} ranges
 * @param {import("./codepoints.js").Text} text
 */
export function weight(ranges, text) {
  let total = 0;
  for (const [start, end] of ranges) for (const c of text.slice(start, end)) if (!isSpace(c)) total += 1;
  return total;
}

/**
 * Spans as the server takes them: it compares the text with its own.
 * @param {Span[]} spans
 * @param {import("./codepoints.js").Text} text
 */
export const quoted = (spans, text) =>
  spans.map(([start, end, label]) => ({ start, end, label, text: text.slice(start, end) }));

function trim(start, end, text) {
  if (start >= end) return null;
  const characters = [...text.slice(start, end)];
  let first = 0;
  let last = characters.length;
  while (first < last && isSpace(characters[first])) first += 1;
  while (last > first && isSpace(characters[last - 1])) last -= 1;
  return first < last ? [start + first, start + last] : null;
}
