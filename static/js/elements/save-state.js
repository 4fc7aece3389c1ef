// The saved state in the foot line: what is saved, what waits and where, when it is tried again.

import { count, say, time } from "./words.js";

export class SaveState {
  #saver;
  #place;
  #text;
  #timer = 0;
  #heard;
  #isOffline = false;

  /**
   * @param {HTMLElement} place holds an icon and a span
   * @param {import("../net/saver.js").Saver} saver
   * @param {AbortSignal} signal
   */
  constructor(place, saver, signal) {
    this.#place = place;
    this.#text = place.querySelector("[data-text]");
    this.#heard = place.querySelector("[data-heard]");
    this.#saver = saver;
    saver.addEventListener("state", () => this.show(), { signal });
    signal.addEventListener("abort", () => clearInterval(this.#timer), { once: true });
  }

  show() {
    const { state, retryAt } = this.#saver;
    clearInterval(this.#timer);
    if (retryAt) this.#timer = setInterval(() => this.#write(), 1000);
    this.#place.dataset.state = state === "saved" && !this.#saver.savedAt ? "nothing" : state;
    this.#write();
    this.#tell();
  }

  #write() {
    this.#text.textContent = this.#words();
  }

  /** To a screen reader: that the connection is gone, and back; not each save, not the seconds that tick. */
  #tell() {
    const { state, since, isKept } = this.#saver;
    const isOffline = state === "offline";
    if (isOffline === this.#isOffline || !(isOffline || state === "saved")) return;
    this.#isOffline = isOffline;
    const waits = isKept ? say("What you do waits in this browser.") : say("This browser keeps nothing for later: leave this page open.");
    this.#heard.textContent = isOffline ? `${say("No connection since {time}.", { time: time(since) })} ${waits}` : this.#words();
  }

  #words() {
    const { state, savedAt, since, changes, isKept, keptChanges = changes } = this.#saver;
    if (!changes) {
      const saved = savedAt ? say("Saved {time}", { time: time(savedAt) }) : say("Nothing to save yet");
      return `${saved} ${this.#reason()}`.trim();
    }
    const isUnderWay = ["saving", "waiting"].includes(state) && !since;
    if (isUnderWay || (isKept && !keptChanges)) return say("Saving …");
    const waits = count(keptChanges, "1 change waits in this browser.", "{n} changes wait in this browser.");
    const kept = isKept ? waits : say("This browser keeps nothing for later: leave this page open.");
    return `${kept} ${this.#reason()}`.trim();
  }

  #reason() {
    const { state, since, retryAt } = this.#saver;
    const seconds = Math.max(0, Math.ceil(((retryAt ?? 0) - Date.now()) / 1000));
    if (state === "offline") return say("No connection since {time}; trying again in {n} s", { time: time(since), n: seconds });
    if (state === "signed-out") return say("You are signed out.");
    if (state === "saving" && since) return `${say("No connection since {time}.", { time: time(since) })} ${say("Saving …")}`;
    return "";
  }
}
