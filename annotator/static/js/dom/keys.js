// Hot keys, the same in our document and in the frame. Not while somebody types.

import { keysAreOff, watchSwitch } from "./shortcuts.js";

/** The name of a key with its modifiers: "j", "J", "Ctrl+z", "Ctrl+Shift+z", "Alt+ArrowLeft". @param {KeyboardEvent} event */
function keyName(event) {
  const command = event.ctrlKey || event.metaKey;
  const name = event.key.length === 1 && (command || event.altKey) ? event.key.toLowerCase() : event.key;
  const isNamed = event.key.length > 1;
  // On many keyboards brackets and the like are typed with Alt.
  const isSign = !isNamed && /[^\p{L}\p{N}]/u.test(name);
  return [command && "Ctrl", event.altKey && !isSign && "Alt", event.shiftKey && (command || isNamed) && "Shift", name]
    .filter(Boolean)
    .join("+");
}

/**
 * Listen in our own document and in the frame's.
 * @param {import("./stage.js").Stage} stage
 * @param {(name: string, event: KeyboardEvent) => boolean} press returns whether the key was handled
 * @param {AbortSignal} signal
 */
export function listenToKeys(stage, press, signal) {
  const listen = (event) => {
    if (event.defaultPrevented || event.isComposing || isTaken(event)) return;
    if (press(keyName(event), event)) event.preventDefault();
  };
  document.addEventListener("keydown", listen, { signal });
  stage.onDocument((view, frameSignal) => view.document.addEventListener("keydown", listen, { signal: frameSignal }));
  watchSwitch();
}

/** Whether the key belongs to the element that has the focus, or single keys were turned off. */
function isTaken(event) {
  const target = event.target;
  // Tab moves the focus, everywhere: who cannot use a mouse has no other way around the screen.
  if (event.key === "Tab") return true;
  if (target.closest?.(".overlay")) return !["Escape", "?"].includes(event.key);
  if (event.ctrlKey || event.metaKey || event.key === "Escape")
    return isField(target) && event.key !== "Enter" && event.key !== "Escape";
  if (isField(target)) return true;
  if (["Enter", " "].includes(event.key) && target.closest?.("button, a[href], summary, input")) return true;
  if (event.key.startsWith("Arrow") && target.matches?.("input, select")) return true;
  return event.key.length === 1 && event.key !== " " && keysAreOff();
}

const isField = (target) => Boolean(target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])"));
