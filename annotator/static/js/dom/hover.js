// The outline of what a click would take: our own box beside the page's body, as the cursor's.

import { hostIn, OUTLINE, put } from "./cursor.js";
import { inFrame } from "./frames.js";
import { blockFromPoint } from "./points.js";

const ROOM = 3;

export class Hover {
  #stage;
  #rangeOf;
  /** @type {HTMLElement|null} */
  #box = null;
  /** @type {PointerEvent|null} the last movement of the mouse */
  #moved = null;
  #later = inFrame(() => this.#show());

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {(block: number, isExtending: boolean) => [number, number]|null} rangeOf what a click on a block takes, and
   *   with Shift; null: nothing
   * @param {AbortSignal} signal
   */
  constructor(stage, rangeOf, signal) {
    this.#stage = stage;
    this.#rangeOf = rangeOf;
    stage.addEventListener("built", () => this.#mount(), { signal });
    stage.onDocument((view, frameSignal) => this.#listen(view.document, frameSignal));
    this.#mount();
  }

  #mount() {
    const { view, scheme } = this.#stage;
    const box = view.document.createElement("div");
    box.hidden = true;
    box.setAttribute(
      "style",
      `position: absolute; box-sizing: border-box; border: 1.5px dashed ${OUTLINE[scheme].ink}; border-radius: 2px; opacity: .6;`,
    );
    hostIn(view.document, "goldpan-hover").append(box);
    this.#box = box;
  }

  #listen(document, signal) {
    const listen = (type, act) => document.addEventListener(type, act, { signal, passive: true });
    listen("pointermove", (event) => {
      // A finger does not hover, and a drag marks characters.
      this.#moved = event.pointerType === "mouse" && !event.buttons ? event : null;
      this.#later();
    });
    for (const type of ["pointerdown", "pointerleave", "scroll"]) {
      listen(type, () => {
        this.#moved = null;
        this.#later();
      });
    }
  }

  #show() {
    const range = this.#moved && this.#rangeAt(this.#moved);
    const { view } = this.#stage;
    const box = range && view.range(...range).getBoundingClientRect();
    const isSeen = Boolean(box && (box.width || box.height));
    if (this.#box) this.#box.hidden = !isSeen;
    if (!box || !isSeen) return;
    const { scrollX, scrollY } = view.window;
    put(this.#box, {
      left: box.left + scrollX - ROOM,
      top: box.top + scrollY - ROOM,
      width: box.width + 2 * ROOM,
      height: box.height + 2 * ROOM,
    });
  }

  #rangeAt({ clientX, clientY, shiftKey }) {
    const block = blockFromPoint(this.#stage.view, clientX, clientY);
    return block < 0 ? null : this.#rangeOf(block, shiftKey);
  }
}
