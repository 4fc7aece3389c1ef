// Why an extractor gave a block its label: a line at the bottom of the page, for the hovered or selected block.

import { inFrame } from "../dom/frames.js";
import { blockFromPoint } from "../dom/points.js";
import { remember, remembered } from "../dom/remembered.js";
import { find } from "./build.js";

const STORAGE_KEY = "explanation";
// Pixels above the end of the page, and the share of its width, in which the line would cover what the pointer is on.
const BOTTOM = 90;
const SIDE = 0.5;

export class Explanation {
  #words;
  #otherwise;
  #line = find("[data-explanation]");
  #switch = find("[data-explanation-switch]");
  #chosen = -1;
  /** The last movement of the pointer, until the next frame. @type {MouseEvent|null} */
  #moved = null;

  /**
   * On a screen without the line it does nothing.
   * @param {{stage: import("../dom/stage.js").Stage, reasons: Array<[number, string]>, otherwise?: string,
   *   signal: AbortSignal}} given the reasons by where their blocks start; the text for blocks without one
   */
  constructor({ stage, reasons, otherwise = "", signal }) {
    this.#words = new Map(reasons.map(([start, words]) => [stage.view.blockAt(start), words]));
    this.#otherwise = otherwise;
    if (!this.#line) return;
    this.#listen(stage, signal);
    this.#turn(remembered(STORAGE_KEY) !== "off");
  }

  /** Select by key or click. @param {number} block -1 for none */
  choose(block) {
    if (block === this.#chosen) return;
    this.#chosen = block;
    this.#leave();
  }

  /** Show or hide the line; this browser remembers it. */
  toggle() {
    if (!this.#line) return;
    this.#turn(this.#line.hidden);
    remember(STORAGE_KEY, this.#line.hidden ? "off" : "on");
  }

  #turn(isOn) {
    this.#line.hidden = !isOn;
    this.#switch.setAttribute("aria-pressed", String(isOn));
  }

  #listen(stage, signal) {
    const { view } = stage;
    const look = inFrame(() => {
      if (!this.#moved) return;
      this.#line.classList.toggle("aside", isAtBottom(view.window, this.#moved));
      this.#point(blockFromPoint(view, this.#moved.clientX, this.#moved.clientY));
      this.#moved = null;
    });
    const moved = (event) => {
      this.#moved = event;
      look();
    };
    stage.onDocument(({ document }, frameSignal) => {
      for (const type of ["pointermove", "pointerdown"])
        document.addEventListener(type, moved, { signal: frameSignal, passive: true });
    });
    view.frame.addEventListener("pointerleave", () => this.#leave(), { signal });
    this.#switch.addEventListener("click", () => this.toggle(), { signal });
  }

  /** Also what the next frame would have pointed at. */
  #leave() {
    this.#moved = null;
    this.#point(-1);
  }

  #point(block) {
    const words = this.#of(block) || this.#of(this.#chosen);
    const text = find("[data-explanation-text]");
    if (text && text.textContent !== words) text.textContent = words;
  }

  #of(block) {
    return block < 0 ? "" : (this.#words.get(block) ?? this.#otherwise);
  }
}

/** Whether the pointer is where the line is while it is not aside. */
const isAtBottom = ({ innerHeight, innerWidth }, { clientX, clientY }) =>
  clientY > innerHeight - BOTTOM && clientX < innerWidth * SIDE;
