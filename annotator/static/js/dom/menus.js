// Menus of the bar on top: popovers that take the focus when they open, and close when it leaves them.

const ITEMS = "a[href], button:not(:disabled), input:not(:disabled)";

export function watchMenus() {
  for (const menu of document.querySelectorAll(".top [popover]")) watch(/** @type {HTMLElement} */ (menu));
}

/** @param {HTMLElement} menu */
function watch(menu) {
  const opener = /** @type {HTMLElement} */ (document.querySelector(`[popovertarget="${menu.id}"]`));
  menu.addEventListener("toggle", ({ newState }) => {
    const isInside = menu.contains(document.activeElement) || document.activeElement === document.body;
    if (newState === "open") first(menu)?.focus();
    else if (isInside) opener.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    const next = /** @type {Node|null} */ (relatedTarget);
    if (next && next !== opener && !menu.contains(next) && menu.matches(":popover-open")) menu.hidePopover();
  });
  menu.addEventListener("keydown", (event) => {
    const item = neighbour(menu, event);
    if (!item) return;
    event.preventDefault();
    item.focus();
  });
}

/** @param {HTMLElement} menu @returns {HTMLElement[]} */
function itemsOf(menu) {
  const items = /** @type {NodeListOf<HTMLElement>} */ (menu.querySelectorAll(ITEMS));
  return [...items].filter((each) => each.checkVisibility());
}

/** @param {HTMLElement} menu */
const first = (menu) => itemsOf(menu).find((each) => each.matches("a[aria-current]")) ?? itemsOf(menu)[0];

/** The item that the key leads to; arrows stay with the choices of one group of radio buttons. */
function neighbour(menu, { key, target }) {
  const items = itemsOf(menu);
  const at = items.indexOf(target);
  if (target.type === "radio") return undefined;
  if (key === "ArrowDown") return items[at + 1] ?? items[0];
  if (key === "ArrowUp") return items[at - 1] ?? items[items.length - 1];
  if (key === "Home") return items[0];
  return key === "End" ? items[items.length - 1] : undefined;
}
