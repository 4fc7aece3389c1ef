// Follows an import while it or the parsing of its pages moves; when it has got to another stage, the whole screen is loaded again.

import { fetched, renew } from "./fetched.js";

const INTERVAL = 1000;

/** @param {HTMLElement|null} section marked `data-state` */
export function watchRun(section) {
  if (!section) return;
  const url = section.dataset.state ?? "";
  setInterval(() => {
    if (!document.hidden && section.querySelector("[data-moving]")) refresh(section, url);
  }, INTERVAL);
}

async function refresh(section, url) {
  const fresh = await fetched(url, "[data-run]");
  const shown = section.querySelector("[data-run]");
  if (!fresh || !shown) return;
  if (fresh.dataset.run !== shown.dataset.run) location.reload();
  else renew(shown, fresh);
}
