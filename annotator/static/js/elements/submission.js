// Submit or skip a page, and the notices of what can prevent it (stale, lost, signed out, refused).

import { NoAnswer, postJSON, userKey } from "../net/api.js";
import { forgetSlot } from "../net/drafts.js";
import { find } from "./build.js";
import { time } from "./format.js";
import { signInAgain } from "./notices.js";
import { reopen } from "./reopen.js";

const MISSING = { verdict: gettext("Select a verdict first"), reason: gettext("Select why it is not an article") };

export class Submission {
  #payload;
  #saver;
  #notices;
  #status;
  #editor;
  #both;
  #onStay;
  #isLeaving = false;
  #isUnsaved = false;
  /** The verdict of which the annotator was asked whether nothing is to be marked with it; "" since anything was. */
  #asked = "";

  /** `onStay`: the page, which could not be changed while it was being submitted or skipped, can be again. */
  constructor({ payload, saver, notices, status, editor, both, onStay, signal }) {
    this.#payload = payload;
    this.#saver = saver;
    this.#notices = notices;
    this.#status = status;
    this.#editor = editor;
    this.#both = both;
    this.#onStay = onStay;
    saver.addEventListener("state", () => this.#saverChanged(), { signal });
    const forget = () => {
      if (editor.spans.length) this.#asked = "";
    };
    editor.addEventListener("change", forget, { signal });
    addEventListener(
      "beforeunload",
      (event) => {
        if (this.#mustStay && !this.#isLeaving) event.preventDefault();
      },
      { signal },
    );
    addEventListener("online", () => saver.retry(), { signal });
    /** @type {HTMLFormElement} */
    const form = find("[data-skip-form]");
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        const fields = new FormData(form);
        this.#skip({ reason: String(fields.get("reason") ?? ""), note: String(fields.get("note") ?? "").trim() });
      },
      { signal },
    );
  }

  /** @param {import("./verdict.js").VerdictForm} verdict */
  async submit(verdict) {
    if (this.#isLeaving) return;
    const missing = verdict.demand(this.#editor);
    if (missing) return this.#status.warn(MISSING[missing]);
    if (this.#isOddlyEmpty) {
      this.#asked = this.#editor.verdict;
      return this.#status.warn(gettext("Nothing is marked. If that is right, submit again"));
    }
    if (!this.#saver.revision) this.#saver.put(this.#editor.content());
    this.#status.tell(gettext("Saving before submitting …"));
    this.#isUnsaved = !(await this.#saver.flush());
    if (this.#isUnsaved) return this.#status.warn(this.#whyUnsaved);
    await this.#leave(this.#payload.urls.submit, { based_on: this.#saver.revision });
  }

  /** Whether nothing is marked with a verdict that comes with marks, which is mostly an oversight. */
  get #isOddlyEmpty() {
    const { spans, verdict } = this.#editor;
    const { has_marks } = this.#payload.verdicts.find(({ name }) => name === verdict);
    return has_marks && !spans.length && this.#asked !== verdict;
  }

  /** What keeps the server from having all changes. */
  get #whyUnsaved() {
    const { state } = this.#saver;
    // A notice over the page says what to do; "stale", "lost" and "refused" end by nothing else.
    if (["stale", "lost", "refused", "signed-out"].includes(state))
      return gettext("Not submitted: see the message over the page");
    return state === "offline" ? gettext("Not submitted: no connection") : gettext("Not submitted: still saving");
  }

  askSkip() {
    find("#skip").showPopover();
    find("[data-skip-form] input").focus();
  }

  /** @param {{reason: string, note: string}} why */
  async #skip(why) {
    find("#skip").hidePopover();
    await this.#saver.flush();
    await this.#leave(this.#payload.urls.skip, why);
  }

  async #leave(url, body) {
    // Asked twice while changes were being saved.
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    // What is changed from now on would be part of nothing.
    this.#editor.isReadOnly = true;
    try {
      const { status, data } = await postJSON(url, body);
      if (status === 200) return await this.#go(data.next ?? this.#payload.urls.home);
      this.#status.warn(
        data?.error ?? interpolate(gettext("The server rejected the request (%(status)s)"), { status }, true),
      );
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const isSaved = this.#saver.isEmpty;
      this.#status.warn(
        isSaved
          ? gettext("No connection. Your marks are saved; try again in a moment")
          : gettext("No connection. Try again in a moment"),
      );
    }
    this.#isLeaving = false;
    // Another window may have taken over meanwhile.
    if (this.#saver.state === "closed") return;
    this.#editor.isReadOnly = false;
    this.#onStay();
  }

  /** Delete what this browser stores of the page, unless the server lacks some of it, and leave it. @param {string} next */
  async #go(next) {
    const forget = () => forgetSlot(userKey(), document.body.dataset.slot ?? "", this.#payload.document.sha256);
    if (this.#saver.isEmpty) await forget().catch(() => undefined);
    location.assign(next);
  }

  /** Whether leaving now would lose changes, or leave changes unsent that look sent. */
  get #mustStay() {
    return !this.#saver.isEmpty && !(this.#saver.isSafe && ["waiting", "saving"].includes(this.#saver.state));
  }

  #saverChanged() {
    const { state } = this.#saver;
    document.body.dataset.revision = String(this.#saver.revision);
    if (this.#isUnsaved && state === "saved") {
      this.#isUnsaved = false;
      this.#status.tell(gettext("All changes saved: submit again"));
    }
    this.#tell("stale", state === "stale" && this.#stale());
    this.#tell(
      "lost",
      state === "lost" && {
        text:
          this.#saver.message ||
          `${gettext("This page was assigned to someone else after a period of inactivity.")} ${gettext("Your draft is kept.")}`,
        buttons: [
          [gettext("Edit"), () => this.#reopen()],
          [gettext("Home"), () => location.assign(this.#payload.urls.home)],
        ],
      },
    );
    this.#tell("signed-out", state === "signed-out" && signInAgain(this.#payload.urls.home, () => this.#saver.retry()));
    this.#tell(
      "save-refused",
      state === "refused" && {
        text: interpolate(
          gettext("The server rejected the last change: %(error)s It is kept in this browser."),
          { error: this.#saver.message },
          true,
        ),
        buttons: [],
      },
    );
  }

  /** Reopen the page if it is still free; unsynced changes stay with the annotator. */
  #reopen() {
    this.#isLeaving = true;
    reopen(this.#payload.urls.reopen);
  }

  #stale() {
    return {
      text: interpolate(
        gettext("This page was changed in another window at %(time)s. Nothing is lost: both versions are kept."),
        { time: time(this.#saver.conflict.saved_at) },
        true,
      ),
      buttons: [
        // Both as they are by then: the notice stays while the annotator goes on.
        [
          gettext("Compare"),
          () => this.#both.show({ ...this.#editor.content(), saved_at: null }, this.#saver.conflict),
        ],
        [
          gettext("Keep mine"),
          () => {
            this.#both.hide();
            this.#saver.keepMine();
          },
        ],
        [
          gettext("Use the other"),
          () => {
            this.#both.hide();
            this.#editor.replace(this.#saver.takeOther());
          },
        ],
      ],
    };
  }

  #tell(name, notice) {
    if (notice) this.#notices.show(name, notice.text, { bad: true, buttons: notice.buttons });
    else this.#notices.hide(name);
  }
}
