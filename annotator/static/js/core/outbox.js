// The queue of unsaved changes, as a state machine without network, clock or storage.
//
// One operation is in flight at a time and keeps its name until the server has answered it: it may have been
// accepted although the answer was lost, so newer changes wait and become the next operation.

import { pauseAfter } from "./backoff.js";

/** @typedef {import("./editor.js").Content} Content */
/** @typedef {{operation: string, based_on: number, content: Content}} Operation */

export class Outbox {
  /** @type {Operation|null} */
  #flying = null;
  /** @type {Content|null} */
  #waiting = null;
  #changes = 0;
  #flyingChanges = 0;
  #name;

  /**
   * @param {{revision: number, name: () => string}} given `name` makes a new operation's name (a UUID)
   */
  constructor({ revision, name }) {
    this.revision = revision;
    this.failures = 0;
    this.#name = name;
  }

  get isEmpty() {
    return !this.#flying && !this.#waiting;
  }

  /** Changes that the server has not acknowledged. */
  get changes() {
    return this.#changes + this.#flyingChanges;
  }

  /** Seconds until the next attempt, by the number of failures in a row. */
  get pause() {
    return pauseAfter(this.failures);
  }

  /**
   * @param {Content} content the newest whole state
   * @param {boolean} [isContinued] it continues the previous change, as the next letter of a note does
   */
  put(content, isContinued = false) {
    this.#waiting = content;
    if (!isContinued || !this.#changes) this.#changes += 1;
  }

  /** @returns {Operation|null} what to send now: the unanswered operation again, else the waiting one */
  next() {
    if (!this.#flying && this.#waiting) {
      this.#flying = { operation: this.#name(), based_on: this.revision, content: this.#waiting };
      this.#flyingChanges = this.#changes;
      this.#waiting = null;
      this.#changes = 0;
    }
    return this.#flying;
  }

  /** @param {number} revision the number that the server gave */
  acknowledge(revision) {
    this.revision = revision;
    this.#land();
  }

  fail() {
    this.failures += 1;
  }

  /** The server refuses this operation for good; the newest state goes back to waiting. */
  refuse() {
    if (this.#flying) {
      this.#waiting ??= this.#flying.content;
      this.#changes += this.#flyingChanges;
    }
    this.#land();
  }

  /** Save the newest state again, on top of the conflicting revision. @param {number} revision */
  rebase(revision) {
    this.refuse();
    this.revision = revision;
  }

  /** Discard unsaved changes: the other version was applied. @param {number} revision */
  drop(revision) {
    this.#land();
    this.#waiting = null;
    this.#changes = 0;
    this.revision = revision;
  }

  /**
   * @returns {{flying: Operation|null, waiting: Content|null, based_on: number, changes: number,
   *   flying_changes: number}|null} to be stored
   */
  pack() {
    if (this.isEmpty) return null;
    return {
      flying: this.#flying,
      waiting: this.#waiting,
      based_on: this.revision,
      changes: this.changes,
      flying_changes: this.#flyingChanges,
    };
  }

  /** Restore what an earlier window stored. @param {NonNullable<ReturnType<Outbox["pack"]>>} packed */
  unpack(packed) {
    this.#flying = packed.flying;
    this.#waiting = packed.waiting;
    this.#flyingChanges = packed.flying_changes;
    this.#changes = Math.max(packed.waiting ? 1 : 0, packed.changes - this.#flyingChanges);
    this.revision = packed.based_on;
  }

  /** @returns {Content|null} the newest unsaved state */
  newest() {
    return this.#waiting ?? this.#flying?.content ?? null;
  }

  #land() {
    this.#flying = null;
    this.#flyingChanges = 0;
    this.failures = 0;
  }
}
