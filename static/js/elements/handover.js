// The way out of a page: submit, skip, and what can stand in the way (stale, lost, signed out, refused).

import { NoAnswer, postJSON } from "../net/api.js";
import { forgetSlot } from "../net/drafts.js";
import { find } from "./build.js";
import { takeUp } from "./take-up.js";
import { say, time } from "./words.js";

const MISSING = { verdict: "Choose a verdict first: y, d, m or c", reason: "Say why it is not an article: 1 to 9" };

export class Handover {
  #bench;
  #saver;
  #notices;
  #foot;
  #editor;
  #both;
  #isLeaving = false;
  #isHeldUp = false;

  constructor({ bench, saver, notices, foot, editor, both, signal }) {
    this.#bench = bench;
    this.#saver = saver;
    this.#notices = notices;
    this.#foot = foot;
    this.#editor = editor;
    this.#both = both;
    saver.addEventListener("state", () => this.#saverSays(), { signal });
    addEventListener("beforeunload", (event) => { if (this.#mustStay && !this.#isLeaving) event.preventDefault(); }, { signal });
    addEventListener("online", () => saver.retry(), { signal });
    find("[data-skip-form]").addEventListener("submit", (event) => {
      event.preventDefault();
      const said = new FormData(event.target);
      this.#skip({ reason: said.get("reason") ?? "", note: (said.get("note") ?? "").trim() });
    }, { signal });
  }

  /** @param {import("./verdict.js").VerdictForm} verdict */
  async submit(verdict) {
    if (this.#isLeaving) return;
    const missing = verdict.demand(this.#editor);
    if (missing) return this.#foot.warn(say(MISSING[missing]));
    if (!this.#saver.revision) this.#saver.put(this.#editor.content());
    this.#foot.tell(say("Saving before it is handed in …"));
    this.#isHeldUp = !(await this.#saver.flush());
    if (this.#isHeldUp) return this.#foot.warn(say("Not handed in: not all is saved yet"));
    await this.#leave(this.#bench.urls.submit, { based_on: this.#saver.revision });
  }

  askSkip() {
    find("#skip").showPopover();
    find("[data-skip-form] input").focus();
  }

  /** @param {{reason: string, note: string}} why */
  async #skip(why) {
    find("#skip").hidePopover();
    await this.#saver.flush();
    await this.#leave(this.#bench.urls.skip, why);
  }

  async #leave(url, body) {
    this.#isLeaving = true;
    try {
      const { status, data } = await postJSON(url, body);
      if (status === 200) return await this.#gone(data.next ?? this.#bench.urls.home);
      this.#foot.warn(data?.error ?? say("The server did not take it ({status})", { status }));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#foot.warn(say("No connection. What you marked is saved; try again in a moment"));
    }
    this.#isLeaving = false;
  }

  /** Nothing of this page is needed in this browser any more. @param {string} next */
  async #gone(next) {
    await forgetSlot(this.#bench.user_key, document.body.dataset.slot).catch(() => undefined);
    location.assign(next);
  }

  /** Going now would lose something, or leave something unsent that she may think is sent. */
  get #mustStay() {
    return !this.#saver.isEmpty && !(this.#saver.isSafe && ["waiting", "saving"].includes(this.#saver.state));
  }

  #saverSays() {
    const { state } = this.#saver;
    document.body.dataset.revision = String(this.#saver.revision);
    if (this.#isHeldUp && state === "saved") {
      this.#isHeldUp = false;
      this.#foot.tell(say("All is saved now: submit again"));
    }
    this.#tell("stale", state === "stale" && this.#stale());
    this.#tell("lost", state === "lost" && {
      text: `${this.#saver.message || say("This page went to somebody else, because nothing was heard from here for a while.")} ${say("Your draft is kept.")}`,
      buttons: [
        [say("Take it up again"), () => this.#takeUp()], [say("Home"), () => location.assign(this.#bench.urls.home)],
      ],
    });
    this.#tell("signed-out", state === "signed-out" && {
      text: say("You are signed out. Sign in again in another tab; this page then goes on by itself."),
      buttons: [[say("Sign in"), () => open(this.#bench.urls.home, "_blank", "noopener")], [say("Try now"), () => this.#saver.retry()]],
    });
    this.#tell("save-refused", state === "refused" && {
      text: say("The server did not take the last change: {error} It waits in this browser.", { error: this.#saver.message }),
      buttons: [],
    });
  }

  /** If a place of the page is free; what waits here goes with her. */
  #takeUp() {
    this.#isLeaving = true;
    takeUp(this.#bench.urls["take-up"]);
  }

  #stale() {
    const { current, yours } = this.#saver.conflict;
    const mine = { ...(yours ?? {}), ...this.#editor.content(), saved_at: null };
    return {
      text: say("This page was changed in another window at {time}. Nothing is lost: both versions are kept.", { time: time(current.saved_at) }),
      buttons: [
        [say("See both"), () => this.#both.show(mine, current)],
        [say("Keep mine"), () => { this.#both.hide(); this.#saver.keepMine(); }],
        [say("Take the other"), () => { this.#both.hide(); this.#takeOther(); }],
      ],
    };
  }

  #takeOther() {
    const current = this.#saver.takeOther();
    this.#editor.replace(current);
  }

  #tell(name, notice) {
    if (notice) this.#notices.show(name, notice.text, { bad: true, buttons: notice.buttons });
    else this.#notices.hide(name);
  }
}
