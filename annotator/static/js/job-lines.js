// Watches jobs that are not finished: each fetches its own line once a second while the screen is visible.

import { findAll } from "./elements/build.js";
import { fetched } from "./elements/fetched.js";

const INTERVAL = 1000;

async function refresh(item) {
  const fresh = await fetched(item.dataset.watch, "li");
  // Replaced only when something changed, so that a focused button keeps its focus.
  if (fresh && fresh.textContent !== item.textContent) item.replaceWith(fresh);
}

setInterval(() => {
  if (!document.hidden) findAll("[data-watch]").forEach(refresh);
}, INTERVAL);
