// What each key does on the annotation screen. The popover of keyboard shortcuts lists the same.

import { PANEL_KEYS, STAGE_KEYS } from "./stage-keys.js";

/** @typedef {import("./annotate-screen.js").AnnotateScreen} AnnotateScreen */

const KEYS = {
  ...STAGE_KEYS,
  ...PANEL_KEYS,
  j: (screen) => screen.selection.step(1),
  k: (screen) => screen.selection.step(-1),
  J: (screen) => screen.selection.step(1, true),
  K: (screen) => screen.selection.step(-1, true),
  " ": (screen) => screen.toggleSelection(),
  0: (screen) => screen.clearSelection(),
  "Ctrl+z": (screen) => screen.undo(),
  "Ctrl+Shift+z": (screen) => screen.redo(),
  "Ctrl+y": (screen) => screen.redo(),
  a: ({ editor }) => editor.accept(),
  Enter: ({ editor, selection }) => editor.accept(selection.ranges) > 0,
  x: ({ editor }) => editor.dismiss(),
  h: (screen) => screen.nextHidden(),
  i: (screen) => screen.toggleAlike(),
  w: (screen) => screen.toggleExplanation(),
  "/": (screen) => screen.find(),
  n: (screen) => screen.writeNote(),
  r: (screen) => screen.readAloud(),
  s: (screen) => screen.askSkip(),
  "]": (screen) => screen.grow(),
  "[": (screen) => screen.shrink(),
  ".": (screen) => screen.stepMark(1),
  ",": (screen) => screen.stepMark(-1),
  e: (screen) => screen.otherEdge(),
  ArrowLeft: (screen) => screen.moveEdge(-1, "grapheme"),
  ArrowRight: (screen) => screen.moveEdge(1, "grapheme"),
  "Ctrl+ArrowLeft": (screen) => screen.moveEdge(-1, "word"),
  "Ctrl+ArrowRight": (screen) => screen.moveEdge(1, "word"),
  // Held down it would answer the question whether nothing is to be marked.
  "Ctrl+Enter": (screen, { repeat }) => repeat || screen.submit(),
};

/**
 * @param {AnnotateScreen} screen
 * @param {string} name
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key meant something, so that the browser must not handle it
 */
export function pressed(screen, name, event) {
  if (/^[1-9]$/.test(name)) return screen.digit(Number(name));
  if (Object.hasOwn(KEYS, name)) return KEYS[name](screen, event) !== false;
  return name.length === 1 && screen.judgeBy(name);
}
