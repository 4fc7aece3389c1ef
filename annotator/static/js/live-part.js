// Parts of a screen that are fetched again every two seconds, as long as something in them moves and somebody looks.

const INTERVAL = 2000;

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
  for (const part of document.querySelectorAll("[data-live][data-moving]")) refresh(/** @type {HTMLElement} */ (part));
}, INTERVAL);

export {};
