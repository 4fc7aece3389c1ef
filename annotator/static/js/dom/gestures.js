// The mouse on the page: click a block, shift-click up to here, drag characters, double click a word. A finger taps a
// block, and holds a word to select it as everywhere.

import { blockFromPoint, caretAt } from "./points.js";

// Pixels from which on the mouse was moved: what lies under a still one may have.
const MOVED = 3;

/**
 * @typedef {object} Gestures handlers; offsets are canonical
 * @property {(block: number) => void} click
 * @property {(block: number) => void} extend
 * @property {(range: [number, number], isRemoval: boolean) => void} drag
 * @property {(range: [number, number]) => void} word
 * @property {(range: [number, number]) => void} [hold] characters were selected by a finger, nothing is done to them yet
 */

/** @typedef {{x: number, y: number, caret: Range | undefined}} Press */

/**
 * Listen in the frame until the signal says stop.
 * @param {import("./pageview.js").PageView} view
 * @param {Gestures} gestures
 * @param {AbortSignal} signal
 */
export function listenToMouse(view, gestures, signal) {
  const { document } = view;
  /** @type {Press | undefined} */
  let pressed;
  document.addEventListener(
    "mousedown",
    (event) => {
      if (event.button !== 0) return;
      const { clientX: x, clientY: y } = event;
      pressed = { x, y, caret: caretAt(document, x, y) };
      // Shift would stretch the browser's own selection, and Alt in Firefox chooses table cells or nothing.
      if (event.shiftKey) event.preventDefault();
      // What Ctrl+A selected would still be selected when a click ends.
      document.getSelection()?.removeAllRanges();
    },
    { signal },
  );
  document.addEventListener(
    "mouseup",
    (event) => {
      if (event.button !== 0) return;
      release(event, view, gestures, pressed);
      pressed = undefined;
    },
    { signal },
  );
  if (gestures.hold && matchMedia("(hover: none)").matches) {
    document.addEventListener("selectionchange", () => held(view, gestures), { signal });
  }
}

/** The browser's selection stays, as its handles move the ends. */
function held(view, gestures) {
  const selection = view.document.getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return;
  const [start, end] = view.offsets(selection.getRangeAt(0));
  if (start < end) gestures.hold([start, end]);
}

function release(event, view, gestures, pressed) {
  const chosen = takeSelection(view) ?? between(view, pressed, event);
  if (chosen && event.detail < 2 && !event.shiftKey) {
    gestures.drag(chosen, event.altKey);
  } else if (event.detail <= 2) {
    const block = blockFromPoint(view, event.clientX, event.clientY);
    if (block < 0) return;
    // Beside all text a browser selects a word too, though the first click was on no block.
    if (event.detail === 2) {
      if (chosen) gestures.word(chosen);
    } else if (event.shiftKey) gestures.extend(block);
    else gestures.click(block);
  }
}

/** The browser's selection as canonical offsets; it is dropped, since our own marks take its place. */
function takeSelection(view) {
  const selection = view.document.getSelection();
  if (!selection?.rangeCount) return null;
  const [start, end] = view.offsets(selection.getRangeAt(0));
  const isOne = !selection.isCollapsed && start < end;
  selection.removeAllRanges();
  return isOne ? [start, end] : null;
}

/**
 * What lies between the press and the release. Chromium selects nothing where the press was between two pixels, at the
 * middle of a letter: that happens on screens with a scale.
 */
function between(view, pressed, { clientX, clientY }) {
  if (!pressed || Math.hypot(clientX - pressed.x, clientY - pressed.y) < MOVED) return null;
  const from = pressed.caret;
  const to = caretAt(view.document, clientX, clientY);
  if (!from || !to) return null;
  const range = from.cloneRange();
  const isForward = from.compareBoundaryPoints(Range.START_TO_START, to) < 0;
  if (isForward) range.setEnd(to.startContainer, to.startOffset);
  else range.setStart(to.startContainer, to.startOffset);
  const [start, end] = view.offsets(range);
  return start < end ? [start, end] : null;
}
