// Keys and clicks that come before the screen is ready: held back, and handled in order once it is.

import { listenToMouse } from "./gestures.js";

// Elements that handle clicks themselves; with links, those that keys belong to.
const CONTROLS = "button, input, label, summary";
const OWNERS = `a[href], select, textarea, ${CONTROLS}`;
const KEYS = /^(?:.|Arrow(?:Up|Down|Left|Right)|Enter|Escape|Home|End|Page(?:Up|Down))$/u;
const COMMANDS = /^(?:[yz]|Enter|Arrow(?:Left|Right))$/i;

export class EarlyInput {
  /** @type {Array<() => void>|null} null once the screen is ready */
  #acts = [];
  /** @type {import("./gestures.js").Gestures|null} */
  #gestures = null;

  /** Hold input in our own document from now on. @param {AbortSignal} signal */
  constructor(signal) {
    this.#holdKeys(document, signal);
    this.#hold(document, "click", signal, ({ target }) => {
      const control = /** @type {HTMLElement|null} */ (/** @type {Element} */ (target).closest(CONTROLS));
      return control && (() => control.click());
    });
  }

  /**
   * Hold input in the frame; the mouse is handled here for good.
   * @param {import("./pageview.js").PageView} view
   * @param {AbortSignal} signal
   */
  listen(view, signal) {
    this.#holdKeys(view.document, signal);
    const hand =
      (name) =>
      (...given) =>
        this.#do(() => this.#gestures?.[name](...given));
    listenToMouse(
      view,
      { click: hand("click"), extend: hand("extend"), drag: hand("drag"), word: hand("word"), hold: hand("hold") },
      signal,
    );
  }

  /** Handle what was held, and everything from now on at once. @param {import("./gestures.js").Gestures} gestures */
  end(gestures) {
    this.#gestures = gestures;
    const acts = this.#acts ?? [];
    this.#acts = null;
    for (const act of acts) act();
  }

  /** The screen failed: keys are the browser's again. */
  forget() {
    this.#acts = null;
  }

  #holdKeys(document, signal) {
    this.#hold(document, "keydown", signal, (event) => {
      const { target } = event;
      return isForUs(event) && (() => pressAgain(event, target));
    });
  }

  /** @param {(event: Event) => (() => void)|false|null} again repeats it; null where it is not for us */
  #hold(document, type, signal, again) {
    document.addEventListener(
      type,
      (event) => {
        const act = this.#acts && again(event);
        if (!act) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.#acts?.push(act);
      },
      { capture: true, signal },
    );
  }

  #do(act) {
    if (this.#acts) this.#acts.push(act);
    else act();
  }
}

function isForUs(event) {
  if (event.isComposing || event.altKey || event.target.closest?.(OWNERS)) return false;
  return (event.ctrlKey || event.metaKey ? COMMANDS : KEYS).test(event.key);
}

/** Where the key was pressed, or where the focus moved from the body meanwhile. */
function pressAgain(event, target) {
  const isNowhere = target === document.body || !target.isConnected;
  (isNowhere ? document.activeElement : target).dispatchEvent(new KeyboardEvent(event.type, event));
}
