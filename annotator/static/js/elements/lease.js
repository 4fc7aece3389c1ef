// A page is leased to an annotator for half an hour after their last activity. When the lease expires, a notice says so.

import { time } from "./format.js";

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

  /** The page was submitted, or assigned to someone else. */
  end() {
    this.#notices.hide("lapsed");
    clearTimeout(this.#timer);
  }

  #run(seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lapse(), seconds * 1000);
  }

  #lapse() {
    this.#notices.show(
      "lapsed",
      interpolate(
        gettext(
          "Your time on this page expired at %(time)s after a period of inactivity. It may be assigned to someone else; your draft is kept, and your next change reopens the page if it is still free.",
        ),
        { time: time(Date.now()) },
        true,
      ),
      { bad: true },
    );
  }
}
