// Parts of a screen that are fetched again as long as somebody looks: every two seconds while something in them moves,
// else every minute, so that a screen that is open all day does not grow old.

const INTERVAL = 2000;
const STEPS_AT_REST = 30;
let step = 0;

/** @param {HTMLElement} part */
async function refresh(part) {
  const response = await fetch(part.dataset.live ?? "").catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-live]");
  // Replaced only when something changed, and nobody is using it.
  if (!fresh || fresh.textContent === part.textContent || part.contains(document.activeElement)) return;
  part.replaceWith(fresh);
}

setInterval(() => {
  if (document.hidden) return;
  step += 1;
  const wanted = step % STEPS_AT_REST ? "[data-live][data-moving]" : "[data-live]";
  for (const part of document.querySelectorAll(wanted)) refresh(/** @type {HTMLElement} */ (part));
}, INTERVAL);

export {};
