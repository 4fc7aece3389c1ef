// The current row of a list in the panel stays in sight.

/** Scroll the panel, and nothing around it. @param {HTMLElement} row */
export function keepInSight(row) {
  const panel = /** @type {HTMLElement} */ (row.closest(".panel"));
  const box = row.getBoundingClientRect();
  const room = panel.getBoundingClientRect();
  if (box.top < room.top || box.bottom > room.bottom) panel.scrollTop += box.top - room.top - room.height / 2;
}
