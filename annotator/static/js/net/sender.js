// Sends decisions one after the other, and retries each until the server answers.

import { pauseAfter, SIGNED_OUT } from "../core/backoff.js";
import { NoAnswer, postJSON } from "./api.js";

/** Dispatches "state" like a Saver: saved · saving · offline · signed-out. The queue lives as long as the page. */
export class Sender extends EventTarget {
  #queue = Promise.resolve();
  /** @type {((value?: unknown) => void)|null} */
  #wake = null;

  constructor() {
    super();
    this.state = "saved";
    this.savedAt = null;
    this.since = null;
    this.retryAt = null;
    this.changes = 0;
    this.isKept = false;
  }

  get isEmpty() {
    return this.changes === 0;
  }

  /**
   * @param {string} url
   * @param {object|(() => object)} body a function is asked once all that was sent before is answered
   * @returns {Promise<{status: number, data: any}>} the server's response, however long it takes
   */
  send(url, body) {
    this.changes += 1;
    this.#say("saving");
    const answer = this.#queue.then(() => this.#insist(url, typeof body === "function" ? body() : body));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /** Retry now, without waiting for the pause to end. */
  retry() {
    this.#wake?.();
  }

  async #insist(url, body) {
    for (let failures = 1; ; failures += 1) {
      const answer = await this.#attempt(url, body);
      if (answer) return this.#answered(answer);
      await this.#pause(this.state === "signed-out" ? SIGNED_OUT : pauseAfter(failures));
    }
  }

  async #attempt(url, body) {
    try {
      const answer = await postJSON(url, body);
      if (answer.status !== 401) return answer;
      this.state = "signed-out";
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.state = "offline";
    }
    return null;
  }

  #answered(answer) {
    this.changes -= 1;
    this.since = this.retryAt = null;
    if (answer.status === 200) this.savedAt = new Date();
    this.#say(this.isEmpty ? "saved" : "saving");
    return answer;
  }

  #pause(seconds) {
    this.since ??= new Date();
    this.retryAt = Date.now() + seconds * 1000;
    this.#say(this.state);
    return new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, seconds * 1000);
    });
  }

  #say(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
