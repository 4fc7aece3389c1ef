// The sandboxed frame: an empty document of our own into which the page is built.

/**
 * Load the skeleton and wait until its document stands.
 * @param {HTMLIFrameElement} frame
 * @param {string} address
 * @returns {Promise<void>}
 */
export function load(frame, address) {
  return new Promise((resolve, reject) => {
    frame.addEventListener("load", () => (frame.contentDocument ? resolve() : reject(new Error("frame closed to us"))), { once: true });
    frame.src = address;
  });
}

const NEVER = ["click", "auxclick", "submit", "dragstart", "dragover", "drop"];

/**
 * Nothing in the frame navigates or moves: links are inert already, this is the second lock.
 * @param {Document} document the frame's
 * @param {AbortSignal} signal
 */
export function quiet(document, signal) {
  for (const type of NEVER) document.addEventListener(type, (event) => event.preventDefault(), { capture: true, signal });
}

/** What is missing in this browser, as a key for words; null where all is there. @param {Window} window */
export function missingIn(window) {
  const isSafari = /^((?!chrome|chromium|android|crios|fxios|firefox).)*safari/i.test(navigator.userAgent);
  if (isSafari) return "Safari";
  if (!window.CSS?.highlights || !window.Highlight) return "highlights";
  return null;
}
