// The save state in the status bar: what is saved, what is unsynced, when it is retried.

import { counted, time } from "./format.js";

export class SaveState {
  #saver;
  #container;
  #text;
  #timer = 0;
  #heard;
  #isOffline = false;

  /**
   * @param {HTMLElement} container holds an icon and a span
   * @param {import("../net/saver.js").Saver} saver
   * @param {AbortSignal} signal
   */
  constructor(container, saver, signal) {
    this.#container = container;
    this.#text = container.querySelector("[data-text]");
    this.#heard = container.querySelector("[data-heard]");
    this.#saver = saver;
    saver.addEventListener("state", () => this.show(), { signal });
    signal.addEventListener("abort", () => clearInterval(this.#timer), { once: true });
  }

  show() {
    const { state, retryAt } = this.#saver;
    clearInterval(this.#timer);
    if (retryAt) this.#timer = setInterval(() => this.#write(), 1000);
    this.#container.dataset.state = state === "saved" && !this.#saver.savedAt ? "nothing" : state;
    this.#write();
    this.#tell();
  }

  #write() {
    this.#text.textContent = this.#words();
  }

  /** Tell screen readers when the connection is lost and restored; not about each save or the countdown. */
  #tell() {
    const { state, since, isKept } = this.#saver;
    const isOffline = state === "offline";
    if (isOffline === this.#isOffline || !(isOffline || state === "saved")) return;
    this.#isOffline = isOffline;
    const waits = isKept
      ? gettext("Your changes are kept in this browser.")
      : gettext("These changes are kept by this page alone: keep it open.");
    this.#heard.textContent = isOffline
      ? `${interpolate(gettext("No connection since %(time)s."), { time: time(since) }, true)} ${waits}`
      : this.#words();
  }

  #words() {
    const { state, savedAt, since, changes, isKept, keptChanges = changes } = this.#saver;
    // Another window has the changes, and says what becomes of them.
    if (state === "closed") return "";
    if (!changes) {
      const saved = savedAt
        ? interpolate(gettext("Saved %(time)s"), { time: time(savedAt) }, true)
        : gettext("No changes");
      return `${saved} ${this.#reason()}`.trim();
    }
    const isUnderWay = ["saving", "waiting"].includes(state) && !since;
    if (isUnderWay || (isKept && !keptChanges)) return gettext("Saving …");
    const waits = counted(ngettext("1 unsynced change.", "%(n)s unsynced changes.", keptChanges), keptChanges);
    const kept = isKept ? waits : gettext("These changes are kept by this page alone: keep it open.");
    return `${kept} ${this.#reason()}`.trim();
  }

  #reason() {
    const { state, since, retryAt } = this.#saver;
    const seconds = Math.max(0, Math.ceil(((retryAt ?? 0) - Date.now()) / 1000));
    if (state === "offline")
      return interpolate(
        gettext("No connection since %(time)s; retrying in %(n)s s"),
        { time: time(since), n: seconds },
        true,
      );
    if (state === "signed-out") return gettext("You are signed out.");
    if (state === "saving" && since)
      return `${interpolate(gettext("No connection since %(time)s."), { time: time(since) }, true)} ${gettext("Saving …")}`;
    return "";
  }
}
