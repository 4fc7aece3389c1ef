// Active time on a page: time counts only while there was input within the last half minute. Its milliseconds are those of
// performance.now(), which goes on where the computer's clock is set back.

const IDLE_AFTER = 30_000;

export class ActiveClock {
  #milliseconds;
  /** @type {number|null} */
  #since = null;
  #last = 0;

  /** @param {number} seconds what was counted before */
  constructor(seconds = 0) {
    this.#milliseconds = seconds * 1000;
  }

  /** Somebody did something. @param {number} now milliseconds */
  input(now) {
    this.#addElapsed(now);
    this.#since ??= now;
    this.#last = now;
  }

  /** The window went out of sight: nothing counts until the next input. @param {number} now */
  pause(now) {
    this.#addElapsed(now);
    if (this.#since !== null) this.#milliseconds += Math.max(0, now - this.#since);
    this.#since = null;
  }

  /** @param {number} now @returns {number} whole seconds */
  seconds(now) {
    this.#addElapsed(now);
    const open = this.#since === null ? 0 : Math.max(0, now - this.#since);
    return Math.floor((this.#milliseconds + open) / 1000);
  }

  /** @param {number} now */
  isActive(now) {
    return this.#since !== null && now - this.#last < IDLE_AFTER;
  }

  #addElapsed(now) {
    if (this.#since === null || now - this.#last < IDLE_AFTER) return;
    this.#milliseconds += this.#last + IDLE_AFTER - this.#since;
    this.#since = null;
  }
}
