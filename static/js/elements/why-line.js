// Why an extractor gave a block its label: a line over the foot of the page, for the block pointed at or gone to by key.

import { blockFromPoint } from "../dom/points.js";
import { find } from "./build.js";

const KEPT_AS = "why-line";
// Pixels above the end of the page, and the share of its width, in which the pointer would stand under the line.
const FOOT = 90;
const SIDE = 0.5;

export class WhyLine {
  #words;
  #otherwise;
  #line = find("[data-why]");
  #switch = find("[data-why-switch]");
  #chosen = -1;
  #pointed = -1;

  /**
   * Without the line on the screen there is nothing to tell, and it stays silent.
   * @param {{stage: import("../dom/stage.js").Stage, reasons: Array<[number, string]>, otherwise?: string,
   *   signal: AbortSignal}} given the reasons by where their blocks start; what is said of blocks without one
   */
  constructor({ stage, reasons, otherwise = "", signal }) {
    this.#words = new Map(reasons.map(([start, words]) => [stage.view.blockAt(start), words]));
    this.#otherwise = otherwise;
    if (!this.#line) return;
    this.#listen(stage, signal);
    this.#turn(!isOff());
  }

  /** Gone to by key or click. @param {number} block -1 for none */
  choose(block) {
    if (block === this.#chosen) return;
    this.#chosen = block;
    this.#point(-1);
  }

  /** Show the line or put it away; this browser remembers. */
  toggle() {
    if (!this.#line) return;
    this.#turn(this.#line.hidden);
    try {
      localStorage.setItem(KEPT_AS, this.#line.hidden ? "off" : "on");
    } catch {
      // A browser that keeps nothing: the line is there again on the next page.
    }
  }

  #turn(isOn) {
    this.#line.hidden = !isOn;
    this.#switch.setAttribute("aria-pressed", String(isOn));
  }

  #listen(stage, signal) {
    const { view } = stage;
    let last = null;
    const look = () => {
      this.#line.classList.toggle("aside", isAtFoot(view.window, last));
      this.#point(blockFromPoint(view, last.clientX, last.clientY));
      last = null;
    };
    const moved = (event) => {
      if (!last) requestAnimationFrame(look);
      last = event;
    };
    stage.attend(({ document }, sitting) => {
      for (const type of ["pointermove", "pointerdown"]) document.addEventListener(type, moved, { signal: sitting, passive: true });
    });
    view.frame.addEventListener("pointerleave", () => this.#point(-1), { signal });
    this.#switch.addEventListener("click", () => this.toggle(), { signal });
  }

  #point(block) {
    this.#pointed = block;
    const words = this.#of(this.#pointed) || this.#of(this.#chosen);
    const place = find("[data-why-words]");
    if (place && place.textContent !== words) place.textContent = words;
  }

  #of(block) {
    return block < 0 ? "" : this.#words.get(block) ?? this.#otherwise;
  }
}

/** Where the line stands over the page while it is not aside. */
const isAtFoot = ({ innerHeight, innerWidth }, { clientX, clientY }) => clientY > innerHeight - FOOT && clientX < innerWidth * SIDE;

function isOff() {
  try {
    return localStorage.getItem(KEPT_AS) === "off";
  } catch {
    return false;
  }
}
