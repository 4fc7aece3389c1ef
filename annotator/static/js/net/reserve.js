// Reserves the next page for the annotator while they work on this one, and prefetches it into the browser's cache.

import { NoAnswer, postJSON } from "./api.js";
import { idle } from "./pause.js";

// Milliseconds after the page is painted: work on this page comes first.
const AFTER = 1_000;
const TRIES = 3;

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
export function reserveNext(url, signal) {
  const timer = setTimeout(() => idle(5 * AFTER).then(() => reserve(url, signal, TRIES)), AFTER);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

async function reserve(url, signal, tries) {
  if (signal.aborted || !tries) return;
  try {
    const { status, data } = await postJSON(url, {});
    if (status === 200 && data.view) await fetchAhead(data.view, signal);
  } catch (error) {
    if (!(error instanceof NoAnswer) && /** @type {Error} */ (error).name !== "AbortError") throw error;
    if (!signal.aborted) setTimeout(() => reserve(url, signal, tries - 1), 30 * AFTER);
  }
}

/** Read the response to its end, or the browser would not cache it. */
async function fetchAhead(view, signal) {
  try {
    const response = await fetch(view, { credentials: "same-origin", priority: "low", signal });
    await response.arrayBuffer();
  } catch {
    // It is fetched when the page is opened.
  }
}
