// Keys and clicks of somebody who is quicker than her screen: held back, and done in their order when it can answer.

import { listenToMouse } from "./gestures.js";

// What has clicks of its own; with links, what keys belong to.
const CONTROLS = "button, input, label, summary";
const OWNERS = `a[href], select, textarea, ${CONTROLS}`;
const KEYS = /^(?:.|Arrow(?:Up|Down|Left|Right)|Enter|Escape|Home|End|Page(?:Up|Down))$/u;
const COMMANDS = /^(?:[yz]|Enter|Arrow(?:Left|Right))$/i;

export class Waiting {
  /** @type {Array<() => void>|null} null once nobody waits any more */
  #acts = [];
  /** @type {import("./gestures.js").Hands|null} */
  #hands = null;

  /** What is done in our own document is held from now on. @param {AbortSignal} signal */
  constructor(signal) {
    this.#holdKeys(document, signal);
    this.#hold(document, "click", signal, ({ target }) => {
      const control = target.closest(CONTROLS);
      return control && (() => control.click());
    });
  }

  /**
   * Hold what is done in the frame; the mouse is heard here for good.
   * @param {import("./pageview.js").PageView} view
   * @param {AbortSignal} signal
   */
  listen(view, signal) {
    this.#holdKeys(view.document, signal);
    const hand = (name) => (...given) => this.#do(() => this.#hands?.[name](...given));
    listenToMouse(view, { click: hand("click"), extend: hand("extend"), drag: hand("drag"), word: hand("word") }, signal);
  }

  /** Do what was held, and from now on all at once. @param {import("./gestures.js").Hands} hands */
  end(hands) {
    this.#hands = hands;
    const acts = this.#acts ?? [];
    this.#acts = null;
    for (const act of acts) act();
  }

  /** Nobody will answer: keys are the browser's again. */
  forget() {
    this.#acts = null;
  }

  #holdKeys(document, signal) {
    this.#hold(document, "keydown", signal, (event) => {
      const { target } = event;
      return isForUs(event) && (() => pressAgain(event, target));
    });
  }

  /** @param {(event: Event) => (() => void)|false|null} again does it once more; nothing where it is not for us */
  #hold(document, type, signal, again) {
    document.addEventListener(type, (event) => {
      const act = this.#acts && again(event);
      if (!act) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#acts.push(act);
    }, { capture: true, signal });
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

/** Where the key was pressed, or where the focus went from nowhere meanwhile. */
function pressAgain(event, target) {
  const isNowhere = target === document.body || !target.isConnected;
  (isNowhere ? document.activeElement : target).dispatchEvent(new KeyboardEvent(event.type, event));
}
