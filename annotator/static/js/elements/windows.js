// Two windows of one page: the second says so at once and can continue here; the first then stops, with all stored.

import { pauseAfter } from "../core/backoff.js";
import { NoAnswer } from "../net/api.js";
import { pause } from "../net/pause.js";
import { TabLock } from "../net/tab-lock.js";

export class Windows {
  #lock;
  #notices;
  #ask;
  #isBehind;
  #onContinue;
  #signal;
  #wasElsewhere = false;

  /**
   * @param {{user: string, slot: string, notices: import("./notices.js").Notices, ask: () => Promise<object>,
   *   isBehind: () => Promise<boolean>, onYield: () => Promise<void>, onContinue: () => void, signal: AbortSignal}} given
   *   `ask` sends the server any request; `isBehind`: another window did something that is not here, and nothing is
   *   unsynced here. Both are rejected with NoAnswer while the server cannot be reached
   */
  constructor({ user, slot, notices, ask, isBehind, onYield, onContinue, signal }) {
    this.#notices = notices;
    this.#ask = ask;
    this.#isBehind = isBehind;
    this.#onContinue = onContinue;
    this.#signal = signal;
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
    if (this.#lock.state === "here" && this.#wasElsewhere) this.#catchUp();
    this.#wasElsewhere = this.#lock.state === "elsewhere";
  }

  #offer(words) {
    this.#notices.show("windows", words, { bad: true, buttons: [[gettext("Continue here"), () => this.#continue()]] });
  }

  /** The other window has ended: reload the page with what it did last, as soon as the server can be reached. */
  async #catchUp() {
    for (let failures = 1; this.#lock.state === "here" && !this.#signal.aborted; failures += 1) {
      try {
        if (await this.#isBehind()) location.reload();
        return;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        await pause(1000 * pauseAfter(failures));
      }
    }
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
    this.#wasElsewhere = false; // it is loaded again anyway
    await this.#lock.takeOver();
    this.#onContinue();
    location.reload();
  }
}
