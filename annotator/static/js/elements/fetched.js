import { watchFit } from "../dom/tables.js";

/**
 * A part of a screen as the server has it now.
 * @param {string} url
 * @param {string} selector of the part
 * @param {AbortSignal} [signal]
 * @returns {Promise<HTMLElement|null>} null where the server cannot be asked, or has no such part
 */
export async function fetched(url, selector, signal) {
  const html = await fetch(url, { signal })
    .then((response) => (response.ok ? response.text() : ""))
    .catch(() => "");
  return new DOMParser().parseFromString(html, "text/html").querySelector(selector);
}

/**
 * Put a part of a screen as the server has it now in the place of what is shown: if anything has changed, and nobody is
 * typing there or pressing a button.
 * @param {HTMLElement} shown
 * @param {HTMLElement} fresh
 */
export function renew(shown, fresh) {
  if (fresh.textContent === shown.textContent || shown.matches(":active")) return;
  if (shown.querySelector(":is(input, select, textarea):focus")) return;
  const restore = partState(shown);
  shown.replaceWith(fresh);
  restore(fresh);
}

/** Renew a part of a screen from the server. @param {HTMLElement} shown @param {string} url @param {string} selector */
export async function refresh(shown, url, selector) {
  const fresh = await fetched(url, selector);
  if (fresh) renew(shown, fresh);
}

/**
 * What is unfolded, scrolled sideways and has the focus in a part of a screen.
 * @param {HTMLElement} shown
 * @returns {(fresh: HTMLElement) => void} gives it to the part that takes its place
 */
export function partState(shown) {
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && nameOf(focused);
  const unfolded = allIn(shown, "details").map(({ open }) => open);
  const scrolled = allIn(shown, ".scroll").map(({ scrollLeft }) => scrollLeft);
  return (fresh) => {
    for (const [index, details] of allIn(fresh, "details").entries()) details.open = unfolded[index] ?? details.open;
    for (const [index, box] of allIn(fresh, ".scroll").entries()) box.scrollLeft = scrolled[index] ?? 0;
    watchFit(fresh);
    if (!focused) return;
    const same = allIn(fresh, focused.localName).find((each) => nameOf(each) === name);
    same?.focus({ preventScroll: true });
  };
}

/** What tells a control from others of a part. */
const nameOf = (control) =>
  [control.getAttribute("href"), control.getAttribute("aria-labelledby"), control.form?.action]
    .concat(control.matches("button, summary") ? control.textContent : "")
    .join();

/** @returns {any[]} */
const allIn = (part, selector) => [...part.querySelectorAll(selector)];
