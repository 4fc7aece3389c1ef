// The saved state in the foot line: what is saved, what waits and where, when it is tried again.

import { count, say, time } from "./words.js";

export class SaveState {
  #saver;
  #place;
  #text;
  #timer = 0;
  #shown = "";

  /**
   * @param {HTMLElement} place holds an icon and a span
   * @param {import("../net/saver.js").Saver} saver
   * @param {AbortSignal} signal
   */
  constructor(place, saver, signal) {
    this.#place = place;
    this.#text = place.querySelector("[data-text]");
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
  }

  #write() {
    const words = this.#words();
    // Said once: a live region that is written again is read again.
    if (words === this.#shown) return;
    this.#shown = words;
    this.#text.textContent = words;
  }

  #words() {
    const { state, savedAt, changes, isKept } = this.#saver;
    if (state === "saved") return savedAt ? say("Saved {time}", { time: time(savedAt) }) : say("Nothing to save yet");
    if (state === "saving" || state === "waiting") return say("Saving …");
    const waits = count(changes, "1 change waits in this browser.", "{n} changes wait in this browser.");
    const kept = isKept ? waits : say("This browser keeps nothing for later: leave this page open.");
    return `${kept} ${this.#reason()}`.trim();
  }

  #reason() {
    const { state, since, retryAt } = this.#saver;
    const seconds = Math.max(0, Math.ceil(((retryAt ?? 0) - Date.now()) / 1000));
    if (state === "offline") return say("No connection since {time}; trying again in {n} s", { time: time(since), n: seconds });
    if (state === "signed-out") return say("You are signed out.");
    return "";
  }
}
