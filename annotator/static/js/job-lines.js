// Watches jobs that are not finished: each fetches its own line once a second while the screen is visible.

import { findAll } from "./elements/build.js";
import { refresh } from "./elements/fetched.js";

const INTERVAL = 1000;

setInterval(() => {
  if (document.hidden) return;
  for (const line of findAll("[data-watch]")) refresh(line, line.dataset.watch ?? "", "li");
}, INTERVAL);
