// The table of labels: rows move up and down, keys and colours change hands, the preview follows.

import { closest, find, findAll } from "./elements/build.js";

/** @param {HTMLFormElement} form */
function watch(form) {
  const held = new Map(selectsOf(form).map((select) => [select, select.value]));
  form.addEventListener("click", (event) => {
    const button = closest(event, "[data-move]");
    if (button) move(button, Number(button.dataset.move));
  });
  form.addEventListener("change", ({ target }) => {
    const select = /** @type {HTMLSelectElement} */ (target);
    if (select.matches("[data-swap]")) swap(form, select, held);
    preview(form);
  });
  form.addEventListener("input", () => preview(form));
}

/** @param {ParentNode} root @returns {HTMLSelectElement[]} */
const selectsOf = (root) => findAll("[data-swap]", root);

/** @param {HTMLElement} button @param {number} by */
function move(button, by) {
  const row = /** @type {HTMLElement} */ (button.closest("[data-label]"));
  const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other?.matches("[data-label]")) return;
  if (by < 0) other.before(row);
  else other.after(row);
  button.focus();
  preview(/** @type {HTMLFormElement} */ (row.closest("form")));
}

/** A key or colour that another label has goes to this one, and that one gets this one's. */
function swap(form, select, held) {
  const other = selectsOf(form).find(
    (each) => each !== select && each.dataset.swap === select.dataset.swap && each.value === select.value,
  );
  if (other) other.value = held.get(select);
  for (const each of selectsOf(form)) held.set(each, each.value);
}

/** @param {HTMLFormElement} form */
function preview(form) {
  const rows = findAll("[data-label]", form).map(readRow);
  for (const { chip, name, number } of rows) {
    chip.dataset.n = number;
    chip.textContent = name;
  }
  for (const sample of findAll("[data-preview]")) {
    const marks = new Map(findAll("mark", sample).map((mark) => [mark.dataset.previewOf, mark]));
    for (const { pk, name, number } of rows.toReversed()) {
      const mark = marks.get(pk);
      if (!mark) continue;
      rename(mark, name);
      mark.dataset.n = number;
      sample.prepend(/** @type {Node} */ (mark.parentNode));
    }
  }
}

/** @param {HTMLElement} row */
function readRow(row) {
  const field = (selector) => /** @type {HTMLInputElement} */ (find(selector, row)).value;
  return {
    pk: field("[name=label]"),
    name: field("[data-title]"),
    number: field("[data-swap=number]"),
    chip: find("[data-chip]", row),
  };
}

/** The name stands in a sentence, which the server wrote in the language of the screen. */
function rename(mark, name) {
  const before = mark.dataset.name ?? "";
  if (before && mark.textContent.includes(before)) mark.textContent = mark.textContent.replace(before, name);
  mark.dataset.name = name || before;
}

/** @type {HTMLFormElement|null} */
const form = find("form[data-labels]");
if (form) watch(form);
