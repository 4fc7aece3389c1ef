// What each key does on the adjudication screen.

import { PANEL_KEYS, STAGE_KEYS } from "./stage-keys.js";

/** @typedef {import("./adjudicate-screen.js").AdjudicateScreen} AdjudicateScreen */

// Also while a segment is relabelled.
const SHARED = { ...STAGE_KEYS, ...PANEL_KEYS, "Ctrl+z": (screen) => screen.undo() };

const KEYS = {
  ...SHARED,
  j: (screen) => screen.step(1),
  k: (screen) => screen.step(-1),
  o: (screen) => screen.choose("both"),
  n: (screen) => screen.choose("neither"),
  N: (screen) => screen.chooseRest("neither"),
  m: (screen) => screen.relabel(),
  "Ctrl+Enter": (screen) => screen.submit(),
  s: (screen) => screen.defer(),
};

const RELABELLING = {
  ...SHARED,
  j: ({ relabelling }) => relabelling.step(1),
  k: ({ relabelling }) => relabelling.step(-1),
  " ": ({ relabelling }) => relabelling.toggle(),
  0: ({ relabelling }) => relabelling.clear(),
  Enter: (screen) => screen.finishRelabelling(),
  Escape: (screen) => screen.leaveRelabelling(),
};

/**
 * @param {AdjudicateScreen} screen
 * @param {string} name
 * @returns {boolean} whether the key meant something
 */
export function pressed(screen, name) {
  if (screen.relabelling.isOn) {
    if (/^[1-9]$/.test(name)) return screen.relabelling.digit(Number(name));
    return Object.hasOwn(RELABELLING, name) && RELABELLING[name](screen) !== false;
  }
  if (/^[1-9]$/.test(name)) return screen.digit(Number(name));
  if (screen.isJudging && screen.judgeBy(name)) return true;
  if (Object.hasOwn(KEYS, name)) return KEYS[name](screen) !== false;
  const letter = name.toUpperCase();
  if (!screen.letters.includes(letter)) return false;
  return (name === letter ? screen.chooseRest(letter) : screen.choose(letter)) !== false;
}
