// Unlimited undo and redo. A step stores what it changed, both ways, so that a page with thousands of marks
// can have thousands of steps, and as plain data, so that a step survives the window it was made in.

import { without } from "./spans.js";

/** @typedef {import("./spans.js").Span} Span */
/** @typedef {Record<string, any>} Present lists of spans, sorted and disjoint, and strings; nothing is changed in place */
/** @typedef {Record<string, [any, any]>} Step by field: what went and what came; for a list, the spans of it */
/** @typedef {{present: Present, steps: Step[], position: number, isCopy?: boolean}} StoredHistory a copy: of another window's */

export class History {
  #steps;
  #position;
  // How many of the first steps are stored elsewhere as they are here.
  #stored = 0;

  /**
   * @param {Present} present
   * @param {Step[]} [steps]
   * @param {number} [position] how many of them are done
   */
  constructor(present, steps = [], position = steps.length) {
    this.present = present;
    this.#steps = [...steps];
    this.#position = position;
  }

  /**
   * Continue where an earlier window stopped. A different present state, saved from elsewhere, becomes a step of its
   * own, so that it can be undone too.
   * @param {Present} present
   * @param {StoredHistory|null} [stored]
   */
  static resume(present, stored) {
    if (!stored) return new History(present);
    const made = new History(stored.present, stored.steps, stored.position);
    made.#stored = stored.isCopy ? 0 : stored.steps.length;
    if (isSame({ ...present, ghosts: [] }, { ...stored.present, ghosts: [] })) return made;
    made.push({ ...present, ghosts: without(stored.present.ghosts, present.spans) });
    return made;
  }

  get canUndo() {
    return this.#position > 0;
  }

  get canRedo() {
    return this.#position < this.#steps.length;
  }

  /** @param {Present} next */
  push(next) {
    this.#cut();
    this.#steps.push(stepBetween(this.present, next));
    this.#position += 1;
    this.present = next;
  }

  /**
   * The last step goes on, as with the next letter of a note.
   * @param {Present} next
   * @returns {boolean} whether it is still a step: one that leads back to its own beginning is none
   */
  extend(next) {
    this.retract();
    const isStep = !isSame(this.present, next);
    if (isStep) this.push(next);
    return isStep;
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    if (!this.canUndo) return false;
    this.#position -= 1;
    this.present = moved(this.present, this.#steps[this.#position], 1, 0);
    return true;
  }

  redo() {
    if (!this.canRedo) return false;
    this.present = moved(this.present, this.#steps[this.#position], 0, 1);
    this.#position += 1;
    return true;
  }

  /** Undo as if it had never been: the first click of a double click leaves nothing to redo. */
  retract() {
    if (!this.undo()) return false;
    this.#cut();
    return true;
  }

  /**
   * What is to be stored and was not asked for yet.
   * @returns {{from: number, steps: Step[], position: number, present: Present}} steps from a number on; later ones go
   */
  news() {
    const from = this.#stored;
    this.#stored = this.#steps.length;
    return { from, steps: this.#steps.slice(from), position: this.#position, present: this.present };
  }

  /** What `news` gave could not be stored: the next call gives everything. */
  notStored() {
    this.#stored = 0;
  }

  #cut() {
    this.#steps.length = this.#position;
    this.#stored = Math.min(this.#stored, this.#position);
  }
}

/** @param {Present} before @param {Present} after @returns {Step} */
function stepBetween(before, after) {
  const step = {};
  for (const [field, value] of Object.entries(after)) {
    if (!Array.isArray(value)) {
      if (value !== before[field]) step[field] = [before[field], value];
    } else if (value !== before[field]) {
      const [went, came] = difference(before[field], value);
      if (went.length || came.length) step[field] = [went, came];
    }
  }
  return step;
}

/** The present after a step, from its side `from` to its side `to`. */
function moved(present, step, from, to) {
  const next = { ...present };
  for (const [field, sides] of Object.entries(step)) {
    next[field] = Array.isArray(present[field]) ? exchanged(present[field], sides[from], sides[to]) : sides[to];
  }
  return next;
}

const areEqual = (a, b) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

function isSame(left, right) {
  return Object.keys(stepBetween(left, right)).length === 0;
}

/** @param {Span[]} before @param {Span[]} after @returns {[Span[], Span[]]} in one sweep: what only one of them has */
function difference(before, after) {
  const went = [];
  const came = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && areEqual(before[i], after[j])) {
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && before[i][0] <= after[j][0])) {
      went.push(before[i]);
      i += 1;
    } else {
      came.push(after[j]);
      j += 1;
    }
  }
  return [went, came];
}

/** @param {Span[]} list @param {Span[]} went all of them in the list @param {Span[]} came */
function exchanged(list, went, came) {
  const out = [];
  let gone = 0;
  let next = 0;
  for (const span of list) {
    if (gone < went.length && areEqual(span, went[gone])) {
      gone += 1;
    } else {
      while (next < came.length && came[next][0] < span[0]) out.push(came[next++]);
      out.push(span);
    }
  }
  return [...out, ...came.slice(next)];
}
