// Undo and redo over snapshots, which are never changed in place.

/** @template T */
export class History {
  #past = [];
  #future = [];
  #limit;

  /**
   * @param {T} present
   * @param {number} [limit] how many steps are kept
   */
  constructor(present, limit = 1000) {
    this.present = present;
    this.#limit = limit;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @param {T} next */
  push(next) {
    this.#past.push(this.present);
    if (this.#past.length > this.#limit) this.#past.shift();
    this.#future = [];
    this.present = next;
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    return this.#move(this.#past, this.#future);
  }

  redo() {
    return this.#move(this.#future, this.#past);
  }

  /** Undo as if it had never been: the first click of a double click leaves nothing to redo. */
  retract() {
    if (!this.undo()) return false;
    this.#future.pop();
    return true;
  }

  #move(from, to) {
    if (!from.length) return false;
    to.push(this.present);
    this.present = from.pop();
    return true;
  }
}
