// Two windows of one page: the second is told at once, and can go on here; the first then stops, with all kept.

import { NoAnswer } from "../net/api.js";
import { Seat } from "../net/seat.js";
import { say } from "./words.js";

export class Windows {
  #seat;
  #notices;
  #ask;
  #onGoOn;

  /**
   * @param {{user: string, slot: string, notices: import("./notices.js").Notices, ask: () => Promise<object>,
   *   onYield: () => Promise<void>, onGoOn: () => void, signal: AbortSignal}} given `ask` asks the server anything
   */
  constructor({ user, slot, notices, ask, onYield, onGoOn, signal }) {
    this.#notices = notices;
    this.#ask = ask;
    this.#onGoOn = onGoOn;
    this.#seat = new Seat({ user, slot, onYield, signal });
    this.#seat.addEventListener("state", () => this.#tell(), { signal });
    this.#seat.take();
  }

  #tell() {
    const words = {
      elsewhere: say("This page is open in another window too."),
      given: say("This page goes on in another window. All that was done here went there."),
    }[this.#seat.state];
    if (words) this.#offer(words);
    else this.#notices.hide("windows");
  }

  #offer(words) {
    this.#notices.show("windows", words, { bad: true, buttons: [[say("Go on here"), () => this.#goOn()]] });
  }

  /** The page is loaded again, with what the other window kept; so not while there is nothing to load it from. */
  async #goOn() {
    try {
      await this.#ask();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#offer(say("No connection: stay in the other window until it is back."));
      return;
    }
    await this.#seat.takeOver();
    this.#onGoOn();
    location.reload();
  }
}
