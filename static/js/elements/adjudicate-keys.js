// What each key does on the adjudication screen.

/** @typedef {import("./adjudicate-screen.js").AdjudicateScreen} AdjudicateScreen */

const KEYS = {
  "j": (screen) => screen.step(1),
  "k": (screen) => screen.step(-1),
  "o": (screen) => screen.choose("both"),
  "n": (screen) => screen.choose("neither"),
  "N": (screen) => screen.chooseRest("neither"),
  "m": (screen) => screen.markAnew(),
  "u": (screen) => screen.readRules(),
  "Ctrl+z": (screen) => screen.undo(),
  "Ctrl+Enter": (screen) => screen.settle(),
  "s": (screen) => screen.later(),
  "v": (screen) => screen.stage.toggle(),
  "p": (screen) => screen.togglePanel(),
  "?": (screen) => screen.toggleKeys(),
  "Escape": (screen) => screen.leave(),
};

// While she marks a segment anew; the keys above that are not here keep their meaning.
const ANEW = {
  "j": ({ anew }) => anew.step(1),
  "k": ({ anew }) => anew.step(-1),
  " ": ({ anew }) => anew.toggle(),
  "0": ({ anew }) => anew.clear(),
  "Enter": (screen) => screen.finishAnew(),
  "Ctrl+z": (screen) => screen.undoAnew(),
  "Escape": (screen) => screen.leaveAnew(),
};
const STAY = ["v", "p", "u", "?"];

/**
 * @param {AdjudicateScreen} screen
 * @param {string} name
 * @returns {boolean} whether the key meant something
 */
export function pressed(screen, name) {
  if (screen.anew.isOn) return pressedAnew(screen, name);
  if (/^[1-9]$/.test(name)) return screen.digit(Number(name));
  if (screen.isJudging && screen.judgeBy(name)) return true;
  if (Object.hasOwn(KEYS, name)) return KEYS[name](screen) !== false;
  const letter = name.toUpperCase();
  if (!screen.letters.includes(letter)) return false;
  return (name === letter ? screen.chooseRest(letter) : screen.choose(letter)) !== false;
}

function pressedAnew(screen, name) {
  if (/^[1-9]$/.test(name)) return screen.anew.digit(Number(name));
  const act = Object.hasOwn(ANEW, name) ? ANEW[name] : STAY.includes(name) ? KEYS[name] : null;
  return Boolean(act) && act(screen) !== false;
}
