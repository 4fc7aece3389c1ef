// j and k walk through the rows of a table marked data-rows; the cursor is the focus on the row's first link.

import { keysAreOff } from "./shortcuts.js";

export function watchRows() {
  document.addEventListener("keydown", (event) => {
    if (!["j", "k"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (keysAreOff() || /** @type {Element} */ (event.target).closest("input, textarea, select, [popover]")) return;
    step(event.key === "j" ? 1 : -1);
  });
  document.addEventListener("focusin", (event) =>
    mark(/** @type {Element} */ (event.target).closest("[data-rows] tbody tr")),
  );
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-rows] tbody tr:has(a[href])")];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  /** @type {HTMLElement|null|undefined} */
  const next = rows[here < 0 ? 0 : here + by]?.querySelector("a[href]");
  next?.focus();
}

function mark(row) {
  for (const other of document.querySelectorAll("[data-rows] tr[aria-current]")) other.removeAttribute("aria-current");
  row?.setAttribute("aria-current", "true");
}
