// Watches jobs that are not finished: each fetches its own line once a second while the screen is visible.

import { findAll } from "./elements/build.js";
import { fetched, renew } from "./elements/fetched.js";

const INTERVAL = 1000;

async function refresh(item) {
  const fresh = await fetched(item.dataset.watch, "li");
  if (fresh) renew(item, fresh);
}

setInterval(() => {
  if (!document.hidden) findAll("[data-watch]").forEach(refresh);
}, INTERVAL);
