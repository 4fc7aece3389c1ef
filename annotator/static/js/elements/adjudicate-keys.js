// What each key does on the adjudication screen.

/** @typedef {import("./adjudicate-screen.js").AdjudicateScreen} AdjudicateScreen */

const KEYS = {
  j: (screen) => screen.step(1),
  k: (screen) => screen.step(-1),
  o: (screen) => screen.choose("both"),
  n: (screen) => screen.choose("neither"),
  N: (screen) => screen.chooseRest("neither"),
  m: (screen) => screen.relabel(),
  u: (screen) => screen.readRules(),
  "Ctrl+z": (screen) => screen.undo(),
  "Ctrl+Enter": (screen) => screen.submit(),
  s: (screen) => screen.defer(),
  v: (screen) => screen.stage.toggle(),
  q: (screen) => screen.stage.toggleRemedy("overlays"),
  t: (screen) => screen.stage.toggleRemedy("reveal"),
  p: (screen) => screen.togglePanel(),
  "?": (screen) => screen.toggleKeys(),
  Escape: (screen) => screen.leave(),
};

// While a segment is relabelled; of the keys above, those in STAY keep their meaning.
const RELABELLING = {
  j: ({ relabelling }) => relabelling.step(1),
  k: ({ relabelling }) => relabelling.step(-1),
  " ": ({ relabelling }) => relabelling.toggle(),
  0: ({ relabelling }) => relabelling.clear(),
  Enter: (screen) => screen.finishRelabelling(),
  Escape: (screen) => screen.leaveRelabelling(),
};
const STAY = ["Ctrl+z", "v", "q", "t", "p", "u", "?"];

/**
 * @param {AdjudicateScreen} screen
 * @param {string} name
 * @returns {boolean} whether the key meant something
 */
export function pressed(screen, name) {
  if (screen.relabelling.isOn) return pressedRelabelling(screen, name);
  if (/^[1-9]$/.test(name)) return screen.digit(Number(name));
  if (screen.isJudging && screen.judgeBy(name)) return true;
  if (Object.hasOwn(KEYS, name)) return KEYS[name](screen) !== false;
  const letter = name.toUpperCase();
  if (!screen.letters.includes(letter)) return false;
  return (name === letter ? screen.chooseRest(letter) : screen.choose(letter)) !== false;
}

function pressedRelabelling(screen, name) {
  if (/^[1-9]$/.test(name)) return screen.relabelling.digit(Number(name));
  const act = Object.hasOwn(RELABELLING, name) ? RELABELLING[name] : STAY.includes(name) ? KEYS[name] : null;
  return Boolean(act) && act(screen) !== false;
}
