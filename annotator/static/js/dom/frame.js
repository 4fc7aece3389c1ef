// The sandboxed frame: an empty document of our own into which the page is built.

/**
 * Wait until the skeleton is loaded; the screen has requested it already, or else it is requested now.
 * @param {HTMLIFrameElement} frame
 * @param {string} address
 * @returns {Promise<void>}
 */
export function load(frame, address) {
  const isAsked = frame.getAttribute("src") === address;
  return new Promise((resolve, reject) => {
    const finish = () => (frame.contentDocument ? resolve() : reject(new Error("frame closed to us")));
    if (isAsked && isDone(frame)) finish();
    else frame.addEventListener("load", finish, { once: true });
    if (!isAsked) frame.src = address;
  });
}

/** Loaded or failed: the document of a browser's error page is not accessible. */
function isDone({ contentDocument }) {
  return !contentDocument || (contentDocument.URL !== "about:blank" && contentDocument.readyState === "complete");
}

const NEVER = ["click", "auxclick", "submit", "dragstart", "dragover", "drop"];

/**
 * Nothing in the frame navigates or moves: links are inert already, this is the second safeguard.
 * @param {Document} document the frame's
 * @param {AbortSignal} signal
 */
export function preventNavigation(document, signal) {
  for (const type of NEVER)
    document.addEventListener(type, (event) => event.preventDefault(), { capture: true, signal });
}

/** Notice for a browser that is untested or lacks highlights: "Safari", "highlights", or null. @param {any} window */
export function missingIn(window) {
  const isSafari = /^((?!chrome|chromium|android|crios|fxios|firefox).)*safari/i.test(navigator.userAgent);
  if (isSafari) return "Safari";
  if (!window.CSS?.highlights || !window.Highlight) return "highlights";
  return null;
}
