// Keyboard shortcuts. An element declares its own in aria-keyshortcuts: "s", "Enter", or "g h" for g and then h.
// Single keys can be switched off in the list of keys (WCAG 2.1.4); this browser remembers it.

import { remember, remembered } from "./remembered.js";

const TYPING = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]";
const STORAGE_KEY = "single-keys";

export function watchShortcuts() {
  let first = "";
  document.addEventListener("keydown", (event) => {
    if (!isForUs(event)) return;
    const pressed = first ? `${first} ${event.key}` : event.key;
    first = !first && event.key === "g" ? "g" : "";
    const target = first ? null : elementFor(pressed);
    if (!target) return;
    event.preventDefault();
    use(target);
  });
  listKeys();
  watchSwitch();
}

function isForUs(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  if (event.target.closest(TYPING)) return false;
  // Enter belongs to whatever has the focus.
  if (event.key === "Enter" && event.target.closest("a, button, summary, input")) return false;
  return !keysAreOff() && !document.querySelector("[popover]:popover-open");
}

function elementFor(keys) {
  const all = [...document.querySelectorAll("[aria-keyshortcuts]")];
  return all.find((element) => element.getAttribute("aria-keyshortcuts") === keys && !element.matches(":disabled"));
}

function use(element) {
  if (element.matches(TYPING)) element.focus();
  else element.click();
}

export const keysAreOff = () => remembered(STORAGE_KEY) === "off";

/** The boxes that turn single keys off: in the list of keys and in the user menu. */
export function watchSwitch() {
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-keys-off]"))];
  for (const box of boxes) {
    box.checked = keysAreOff();
    box.addEventListener("change", () => {
      remember(STORAGE_KEY, box.checked ? "off" : "on");
      for (const each of boxes) each.checked = keysAreOff();
    });
  }
}

function listKeys() {
  const here = document.querySelector("[data-keys-here]");
  const menu = document.querySelector("[data-keys-menu]");
  if (!here || !menu) return;
  const listed = new Set();
  for (const element of document.querySelectorAll("[aria-keyshortcuts]")) {
    const keys = element.getAttribute("aria-keyshortcuts") ?? "";
    if (listed.has(keys)) continue;
    listed.add(keys);
    (keys.startsWith("g ") ? menu : here).append(lineFor(element, keys));
  }
}

function lineFor(element, keys) {
  const line = document.createElement("div");
  const what = line.appendChild(document.createElement("dt"));
  const how = line.appendChild(document.createElement("dd"));
  what.textContent = nameOf(element);
  for (const key of keys.split(" ")) {
    how.appendChild(document.createElement("kbd")).textContent = key === "Enter" ? "↵" : key;
    how.append(" ");
  }
  return line;
}

function nameOf(element) {
  const copy = element.cloneNode(true);
  for (const key of copy.querySelectorAll("kbd")) key.remove();
  return element.getAttribute("aria-label") || element.placeholder || copy.textContent.trim();
}
