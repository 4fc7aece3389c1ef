// What each key does on the adjudication screen.

/** @typedef {import("./adjudicate-screen.js").AdjudicateScreen} AdjudicateScreen */

const KEYS = {
  "j": (screen) => screen.step(1),
  "k": (screen) => screen.step(-1),
  "o": (screen) => screen.choose("both"),
  "n": (screen) => screen.choose("neither"),
  "u": (screen) => screen.readRules(),
  "Ctrl+z": (screen) => screen.undo(),
  "Ctrl+Enter": (screen) => screen.settle(),
  "s": (screen) => screen.later(),
  "v": (screen) => screen.stage.toggle(),
  "p": (screen) => screen.togglePanel(),
  "?": (screen) => screen.toggleKeys(),
  "Escape": (screen) => screen.leave(),
};

/**
 * @param {AdjudicateScreen} screen
 * @param {string} name
 * @returns {boolean} whether the key meant something
 */
export function pressed(screen, name) {
  if (/^[1-9]$/.test(name)) return screen.digit(Number(name));
  if (screen.isJudging && screen.judgeBy(name)) return true;
  if (screen.letters.includes(name.toUpperCase())) return screen.choose(name.toUpperCase()) !== false;
  return Object.hasOwn(KEYS, name) && KEYS[name](screen) !== false;
}
