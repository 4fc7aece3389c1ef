// Has the next page kept for her while this one is worked on, and fetches it ahead into the browser's cache.

import { NoAnswer, postJSON } from "./api.js";

// After the page is painted: what she does on this one comes first.
const AFTER = 1_000;
const TRIES = 3;

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
export function reserveNext(url, signal) {
  const timer = setTimeout(() => whenIdle(() => reserve(url, signal, TRIES)), AFTER);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

async function reserve(url, signal, tries) {
  if (signal.aborted || !tries) return;
  try {
    const { status, data } = await postJSON(url, {});
    if (status === 200 && data.view) await fetchAhead(data.view, signal);
  } catch (error) {
    if (!(error instanceof NoAnswer) && error.name !== "AbortError") throw error;
    if (!signal.aborted) setTimeout(() => reserve(url, signal, tries - 1), 30 * AFTER);
  }
}

/** Read to its end, or the browser would not keep it. */
async function fetchAhead(view, signal) {
  try {
    const response = await fetch(view, { credentials: "same-origin", priority: "low", signal });
    await response.arrayBuffer();
  } catch {
    // It is fetched when the page is opened.
  }
}

function whenIdle(act) {
  if (window.requestIdleCallback) requestIdleCallback(act, { timeout: 5 * AFTER });
  else act();
}
