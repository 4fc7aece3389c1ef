// j and k walk through the rows of a table marked data-rows; the cursor is the focus on the row's first link.

import { keysAreOff } from "./shortcuts.js";

export function watchRows(root = document) {
  root.addEventListener("keydown", (event) => {
    if (!["j", "k"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (keysAreOff() || /** @type {Element} */ (event.target).closest("input, textarea, select, [popover]")) return;
    step(root, event.key === "j" ? 1 : -1);
  });
  root.addEventListener("focusin", (event) =>
    mark(root, /** @type {Element} */ (event.target).closest("[data-rows] tbody tr")),
  );
}

function step(root, by) {
  const rows = [...root.querySelectorAll("[data-rows] tbody tr:has(a[href])")];
  const links = rows.map((row) => row.querySelector("a[href]"));
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = links[here < 0 ? 0 : here + by];
  next?.focus();
}

function mark(root, row) {
  for (const other of root.querySelectorAll("[data-rows] tr[aria-current]")) other.removeAttribute("aria-current");
  row?.setAttribute("aria-current", "true");
}
