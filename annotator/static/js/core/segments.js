// Segments on which annotators differ, the answers to them, and what each answer makes gold.

/** @typedef {import("./spans.js").Span} Span */
/** @typedef {{start: number, end: number, labels: Array<string|null>}} Piece labels in the order of letters */
/**
 * @typedef {{number: number, start: number, end: number, pieces: Piece[], can_take_both: boolean, choice: string,
 *   marks?: Span[]|null, clause?: string}} Segment `marks`: the adjudicator's own spans, where the choice is "relabel" */

/**
 * What one letter marked in a segment.
 * @param {Segment} segment
 * @param {number} index of the letter
 * @returns {Span[]}
 */
export const markedBy = (segment, index) =>
  segment.pieces.filter(({ labels }) => labels[index]).map(({ start, end, labels }) => span(start, end, labels[index]));

/**
 * What becomes gold by an answer: a letter, "both", "neither", "relabel"; nothing while there is none.
 * @param {Segment} segment
 * @param {string[]} letters
 * @param {string} [choice]
 * @returns {Span[]}
 */
export function outcome(segment, letters, choice = segment.choice) {
  if (choice === "relabel") return segment.marks ?? [];
  if (choice === "both") {
    return segment.pieces
      .map(({ start, end, labels }) => span(start, end, labels.find(Boolean)))
      .filter((each) => each[2]);
  }
  return letters.includes(choice) ? markedBy(segment, letters.indexOf(choice)) : [];
}

/**
 * The letters of each distinct reading: identical readings are one. @param {Segment} segment @param {string[]} letters
 * @returns {string[][]}
 */
export function readings(segment, letters) {
  const found = new Map();
  letters.forEach((letter, index) => {
    const reading = JSON.stringify(markedBy(segment, index));
    found.set(reading, [...(found.get(reading) ?? []), letter]);
  });
  return [...found.values()];
}

/** Whether each part was marked by some and left by others, and nobody marked all: "one from each". @param {Segment} segment */
export const isSideBySide = ({ pieces }) =>
  pieces.length > 1 &&
  pieces.every(({ labels }) => labels.some(Boolean) && !labels.every(Boolean)) &&
  pieces[0].labels.every((_, index) => !pieces.every(({ labels }) => labels[index]));

/**
 * The answers of one page in order, with undo. Dispatches "change" (detail: {segments, choice, marks}) for each answer,
 * once for all segments that it answers; those with a clause of their own follow one by one.
 */
export class Adjudication extends EventTarget {
  /** What each answer replaced. @type {Array<Array<{index: number, choice: string, marks: Span[]|null}>>} */
  #past = [];
  /** @type {Segment[]} */
  segments;

  /** @param {Segment[]} segments @param {string[]} letters */
  constructor(segments, letters) {
    super();
    this.letters = letters;
    this.replace(segments);
  }

  /** @param {Segment[]} segments of another verdict */
  replace(segments) {
    this.segments = segments.map((segment) => ({ marks: null, ...segment }));
    this.#past = [];
  }

  get open() {
    return this.segments.filter(({ choice }) => !choice).length;
  }
  get canUndo() {
    return this.#past.length > 0;
  }

  /** @param {Segment} segment @param {string} choice @returns {boolean} whether the segment can be answered so */
  allows(segment, choice) {
    if (choice === "both") return segment.can_take_both;
    return ["neither", "relabel"].includes(choice) || this.letters.includes(choice);
  }

  /** @param {number} index @param {string} choice @param {Span[]|null} [marks] with "relabel" @returns {boolean} */
  choose(index, choice, marks = null) {
    const segment = this.segments[index];
    if (!segment || !this.allows(segment, choice) || (segment.choice === choice && !marks)) return false;
    this.#answer([index], choice, marks);
    return true;
  }

  /** One answer to all open segments that allow it. @param {string} choice @returns {number} to how many */
  chooseRest(choice) {
    const indexes = [...this.segments.keys()].filter((index) => {
      const segment = this.segments[index];
      return !segment.choice && this.allows(segment, choice);
    });
    if (indexes.length) this.#answer(indexes, choice, null);
    // Clauses were cited of one segment each.
    for (const index of indexes) if (this.segments[index].clause) this.#set([this.segments[index]], choice, null);
    return indexes.length;
  }

  /** Cite the clause that is the reason: at once if the segment is answered, else with its answer. */
  cite(index, clause) {
    const segment = this.segments[index];
    if (!segment || segment.clause === clause) return;
    segment.clause = clause;
    if (segment.choice) this.#set([segment], segment.choice, segment.marks);
  }

  /** Undo the last answer. @returns {number} the index of its first segment, -1 when there is none */
  undo() {
    const last = this.#past.pop();
    if (!last) return -1;
    const [{ index, choice, marks }] = last;
    this.#set(
      last.map((each) => this.segments[each.index]),
      choice,
      marks,
    );
    return index;
  }

  /** The next open segment from an index on, around the end. @param {number} from @returns {number} -1: none is open */
  nextOpen(from) {
    const { length } = this.segments;
    for (let step = 0; step < length; step += 1) {
      if (!this.segments[(from + step) % length].choice) return (from + step) % length;
    }
    return -1;
  }

  // Several segments are answered together only while all of them are open: an undo has one answer to give back.
  #answer(indexes, choice, marks) {
    this.#past.push(
      indexes.map((index) => ({ index, choice: this.segments[index].choice, marks: this.segments[index].marks })),
    );
    this.#set(
      indexes.map((index) => this.segments[index]),
      choice,
      marks,
    );
  }

  #set(segments, choice, marks) {
    for (const segment of segments) Object.assign(segment, { choice, marks });
    this.dispatchEvent(new CustomEvent("change", { detail: { segments, choice, marks } }));
  }
}

/** @returns {Span} */
const span = (start, end, label) => [start, end, label ?? ""];
