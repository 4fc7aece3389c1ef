// The sandboxed frame: an empty document of our own into which the page is built.

/**
 * Wait until the skeleton's document stands; the page has asked for it already, or else it is asked for now.
 * @param {HTMLIFrameElement} frame
 * @param {string} address
 * @returns {Promise<void>}
 */
export function load(frame, address) {
  const isAsked = frame.getAttribute("src") === address;
  return new Promise((resolve, reject) => {
    const settle = () => (frame.contentDocument ? resolve() : reject(new Error("frame closed to us")));
    if (isAsked && isDone(frame)) settle();
    else frame.addEventListener("load", settle, { once: true });
    if (!isAsked) frame.src = address;
  });
}

/** Loaded, or failed to: a browser's own page of an error is closed to us. */
function isDone({ contentDocument }) {
  return !contentDocument || (contentDocument.URL !== "about:blank" && contentDocument.readyState === "complete");
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
