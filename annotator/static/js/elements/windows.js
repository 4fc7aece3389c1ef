// Two windows of one page: the second says so at once and can continue here; the first then stops, with all stored.

import { NoAnswer } from "../net/api.js";
import { TabLock } from "../net/tab-lock.js";

export class Windows {
  #lock;
  #notices;
  #ask;
  #isIdle;
  #onContinue;
  #wasElsewhere = false;

  /**
   * @param {{user: string, slot: string, notices: import("./notices.js").Notices, ask: () => Promise<object>,
   *   isIdle: () => boolean, onYield: () => Promise<void>, onContinue: () => void, signal: AbortSignal}} given
   *   `ask` sends the server any request; `isIdle`: nothing is unsynced here
   */
  constructor({ user, slot, notices, ask, isIdle, onYield, onContinue, signal }) {
    this.#notices = notices;
    this.#ask = ask;
    this.#isIdle = isIdle;
    this.#onContinue = onContinue;
    this.#lock = new TabLock({ user, slot, onYield, signal });
    this.#lock.addEventListener("state", () => this.#show(), { signal });
    this.#lock.take();
  }

  #show() {
    const words = {
      elsewhere: gettext("This page is also open in another window."),
      given: gettext("Editing continues in another window, with all changes made here."),
    }[this.#lock.state];
    if (words) this.#offer(words);
    else this.#notices.hide("windows");
    // The other window has ended, and what it did last is not here.
    if (this.#lock.state === "here" && this.#wasElsewhere && this.#isIdle()) location.reload();
    this.#wasElsewhere = this.#lock.state === "elsewhere";
  }

  #offer(words) {
    this.#notices.show("windows", words, { bad: true, buttons: [[gettext("Continue here"), () => this.#continue()]] });
  }

  /** Reload the page with what the other window stored; not while the server cannot be reached. */
  async #continue() {
    try {
      await this.#ask();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#offer(gettext("No connection: keep using the other window until it is back."));
      return;
    }
    await this.#lock.takeOver();
    this.#onContinue();
    location.reload();
  }
}
