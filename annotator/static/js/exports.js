// Watches jobs that are not finished: each fetches its own line once a second while the screen is visible.

const INTERVAL = 1000;

async function refresh(item) {
  const response = await fetch(item.dataset.watch).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("li");
  // Replaced only when something changed, so that a focused button keeps its focus.
  if (fresh && fresh.textContent !== item.textContent) item.replaceWith(fresh);
}

setInterval(() => {
  if (document.hidden) return;
  for (const item of document.querySelectorAll("[data-watch]")) refresh(item);
}, INTERVAL);

export {};
