// Tables outside the workbench: their head stays in sight, and those marked data-sortable are sorted by a click on it.

const NUMBER = /^[+\u2212-]?[\d.,\u202f\s]*\d/;

export function watchTables() {
  for (const table of document.querySelectorAll("table[data-sortable]"))
    makeSortable(/** @type {HTMLTableElement} */ (table));
  watchFit(document);
}

const fits = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("fits", target.scrollWidth <= target.clientWidth);
});

/** Mark the tables that need no scrolling sideways, now and later. @param {ParentNode} part of a screen */
export function watchFit(part) {
  for (const box of part.querySelectorAll(".scroll")) fits.observe(box);
}

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
  for (const [column, head] of heads.entries()) {
    if (!head.textContent?.trim() || head.querySelector("svg")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, heads, column));
  }
}

/** Figures begin with the largest, words with A; a second click turns it round. */
function sort(table, heads, column) {
  const rows = [...table.tBodies[0].rows];
  const keys = new Map(rows.map((row) => [row, keyOf(row.cells[column])]));
  const isNumeric = [...keys.values()].some((key) => typeof key === "number");
  const first = isNumeric ? "descending" : "ascending";
  const order = heads[column].getAttribute("aria-sort") === first ? opposite(first) : first;
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  rows.sort((a, b) => compare(keys.get(a), keys.get(b), sign));
  table.tBodies[0].append(...rows);
}

const opposite = (order) => (order === "ascending" ? "descending" : "ascending");

/** What is not there comes last either way. */
function compare(a, b, sign) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), document.documentElement.lang || undefined);
}

/** @param {HTMLTableCellElement|undefined} cell @returns {number|string} */
function keyOf(cell) {
  const text = cell?.dataset.key ?? cell?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  if (/^[\u2013\u2014-]?$/.test(text)) return "";
  return cell?.classList.contains("n") && NUMBER.test(text) ? numberIn(text) : text;
}

/** 1,240 and .951 in English, 1.240 and 0,951 in Spanish; minutes and seconds as seconds. @param {string} text */
function numberIn(text) {
  const [written] = text.match(/^[+\u2212-]?[\d.,:]*\d/) ?? [text];
  const digits = written.replace("\u2212", "-");
  if (digits.includes(":")) return digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const isSpanish = document.documentElement.lang.startsWith("es");
  return Number(isSpanish ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", ""));
}
