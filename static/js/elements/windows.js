// Two windows of one page: the second is told at once, and can go on here; the first then stops, with all kept.

import { NoAnswer } from "../net/api.js";
import { Seat } from "../net/seat.js";
import { say } from "./words.js";

export class Windows {
  #seat;
  #notices;
  #ask;

  /**
   * @param {{user: string, slot: string, notices: import("./notices.js").Notices, ask: () => Promise<object>,
   *   onYield: () => Promise<void>, onHere: () => void, signal: AbortSignal}} given `ask` asks the server anything
   */
  constructor({ user, slot, notices, ask, onYield, onHere, signal }) {
    this.#notices = notices;
    this.#ask = ask;
    this.#seat = new Seat({ user, slot, onYield, signal });
    this.#seat.addEventListener("state", () => {
      this.#tell();
      if (this.isHere) onHere();
    }, { signal });
    this.#seat.take();
  }

  /** Whether this window keeps the steps that can be undone. */
  get isHere() { return this.#seat.state === "here"; }

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
    location.reload();
  }
}
