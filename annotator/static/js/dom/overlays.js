// Popovers that are dialogs: while one is open Tab stays in it, and the focus goes back where it came from.

const INSIDE = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']";

/** @param {() => void} goBack where the focus goes when it came from nowhere, such as a key in the page */
export function watchOverlays(goBack = () => {}) {
  for (const overlay of document.querySelectorAll(".overlay[popover]")) watch(overlay, goBack);
}

function watch(overlay, goBack) {
  /** @type {Element|null} */
  let from = null;
  // Before, not after: that is told later, and the next key would still be the overlay's.
  overlay.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") from = document.activeElement;
    else if (isNowhere(overlay)) back(from, goBack);
  });
  overlay.addEventListener("toggle", ({ newState }) => {
    if (newState === "open" && !overlay.contains(document.activeElement)) within(overlay)[0]?.focus();
  });
  overlay.addEventListener("keydown", (event) => {
    if (event.key === "Tab") keepInside(event, overlay);
  });
}

// A click elsewhere closes a popover too: then the focus is where the click was, and stays.
const isNowhere = (overlay) => document.activeElement === document.body || overlay.contains(document.activeElement);

function back(from, goBack) {
  if (from && from !== document.body && from.tagName !== "IFRAME") from.focus({ preventScroll: true });
  // What was hidden or removed meanwhile takes no focus.
  if (from === document.body || document.activeElement !== from) goBack();
}

function keepInside(event, overlay) {
  const all = within(overlay);
  const edge = event.shiftKey ? all[0] : all[all.length - 1];
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? all[all.length - 1] : all[0]).focus();
}

const within = (overlay) => [...overlay.querySelectorAll(INSIDE)].filter((each) => each.checkVisibility());
