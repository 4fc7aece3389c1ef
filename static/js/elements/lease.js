// A page is hers for half an hour after the last sign of life. When that is over, she is told what it means.

import { say, time } from "./words.js";

export class Lease {
  #length;
  #notices;
  #timer = 0;

  /** @param {{left: number, length: number, notices: import("./notices.js").Notices, signal: AbortSignal}} given seconds */
  constructor({ left, length, notices, signal }) {
    this.#length = length;
    this.#notices = notices;
    this.#run(left);
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** The server has heard from here. */
  renew() {
    this.#notices.hide("lapsed");
    this.#run(this.#length);
  }

  /** No more need of it: it is handed in, or somebody else's. */
  end() {
    this.#notices.hide("lapsed");
    clearTimeout(this.#timer);
  }

  #run(seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lapse(), seconds * 1000);
  }

  #lapse() {
    this.#notices.show("lapsed", say(
      "Your time on this page ran out at {time}: nothing was heard from here. It may be given to somebody else; your draft is kept, and the next change takes it up again if it is still free.",
      { time: time(Date.now()) },
    ), { bad: true });
  }
}
