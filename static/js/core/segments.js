// Segments on which annotators differ, the answers to them, and what each answer makes gold.

/** @typedef {import("./spans.js").Span} Span */
/** @typedef {{start: number, end: number, labels: Array<string|null>}} Piece labels in the order of letters */
/** @typedef {{number: number, start: number, end: number, pieces: Piece[], can_take_both: boolean, choice: string, clause?: string}} Segment */

/**
 * What one letter marked in a segment.
 * @param {Segment} segment
 * @param {number} index of the letter
 * @returns {Span[]}
 */
export const markedBy = (segment, index) => segment.pieces
  .filter(({ labels }) => labels[index])
  .map(({ start, end, labels }) => [start, end, labels[index]]);

/**
 * What becomes gold by an answer: a letter, "both", "neither"; nothing while there is none.
 * @param {Segment} segment
 * @param {string[]} letters
 * @param {string} [choice]
 * @returns {Span[]}
 */
export function outcome(segment, letters, choice = segment.choice) {
  if (choice === "both") {
    return segment.pieces.map(({ start, end, labels }) => [start, end, labels.find(Boolean)]).filter((span) => span[2]);
  }
  return letters.includes(choice) ? markedBy(segment, letters.indexOf(choice)) : [];
}

/** Whether each part was marked by some and left by others, and nobody marked all: "one from each". @param {Segment} segment */
export const isSideBySide = ({ pieces }) => pieces.length > 1 &&
  pieces.every(({ labels }) => labels.some(Boolean) && !labels.every(Boolean)) &&
  pieces[0].labels.every((_, index) => !pieces.every(({ labels }) => labels[index]));

/** The answers of one page in order, with undo. Says "change" (detail: {segment, choice}) for each answer. */
export class Settlement extends EventTarget {
  #past = [];

  /** @param {Segment[]} segments @param {string[]} letters */
  constructor(segments, letters) {
    super();
    this.letters = letters;
    this.replace(segments);
  }

  /** @param {Segment[]} segments the verdict was settled anew */
  replace(segments) {
    this.segments = segments.map((segment) => ({ ...segment }));
    this.#past = [];
  }

  get open() { return this.segments.filter(({ choice }) => !choice).length; }
  get canUndo() { return this.#past.length > 0; }

  /** @param {Segment} segment @param {string} choice @returns {boolean} whether it may be chosen here */
  allows(segment, choice) {
    return choice === "neither" || (choice === "both" ? segment.can_take_both : this.letters.includes(choice));
  }

  /** @param {number} index @param {string} choice @returns {boolean} */
  choose(index, choice) {
    const segment = this.segments[index];
    if (!segment || !this.allows(segment, choice) || segment.choice === choice) return false;
    this.#past.push({ index, choice: segment.choice });
    this.#set(segment, choice);
    return true;
  }

  /** Name the clause that is the reason; with an answer it is said at once, without one it goes with the answer. */
  cite(index, clause) {
    const segment = this.segments[index];
    if (!segment || segment.clause === clause) return;
    segment.clause = clause;
    if (segment.choice) this.#set(segment, segment.choice);
  }

  /** Take the last answer back. @returns {number} the index of its segment, -1 when there is none */
  undo() {
    const last = this.#past.pop();
    if (!last) return -1;
    this.#set(this.segments[last.index], last.choice);
    return last.index;
  }

  /** The next open segment from a place on, around the end. @param {number} from @returns {number} -1: all are settled */
  nextOpen(from) {
    const { length } = this.segments;
    for (let step = 0; step < length; step += 1) {
      if (!this.segments[(from + step) % length].choice) return (from + step) % length;
    }
    return -1;
  }

  #set(segment, choice) {
    segment.choice = choice;
    this.dispatchEvent(new CustomEvent("change", { detail: { segment, choice } }));
  }
}
