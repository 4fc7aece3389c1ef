// The list of marks in the panel; a row leads to its mark.

import { afterFrame } from "../dom/frames.js";
import { element, inPageLanguage, onLink, pageRow, quote } from "./build.js";
import { counted, figure } from "./format.js";
import { keepInSight } from "./in-sight.js";
import { signChip } from "./label-chips.js";

// Longer lists are cut: the map shows the rest, and the page itself.
const MOST = 400;

export class Outline {
  #list;
  #sum;
  #labels;
  #text;
  #spans = [];
  /** @type {[number, number]|null} */
  #range = null;
  /** @type {Map<string, HTMLElement>} rows by what they show, in their order */
  #rows = new Map();
  /** The first row of what is selected. @type {HTMLElement|undefined} */
  #first;
  #later = afterFrame(() => this.#draw());

  /**
   * @param {{list: HTMLElement, sum: HTMLElement, labels: Map<string, {number: number, key: number, title: string}>,
   *   text: import("../core/codepoints.js").Text, onPick: (range: [number, number]) => void, signal: AbortSignal}} given
   */
  constructor({ list, sum, labels, text, onPick, signal }) {
    this.#list = list;
    this.#sum = sum;
    this.#labels = labels;
    this.#text = text;
    onLink(list, (link) => onPick(rangeOf(link)), signal);
  }

  /** Listed when the next frame is out. @param {import("../core/spans.js").Span[]} spans */
  show(spans) {
    if (spans === this.#spans) return;
    this.#spans = spans;
    this.#later();
  }

  /** @param {[number, number]|null} range what is selected on the page */
  point(range) {
    this.#range = range;
    this.#later();
  }

  #draw() {
    const characters = this.#spans.reduce((sum, [start, end]) => sum + end - start, 0);
    this.#sum.textContent = characters
      ? `${figure(this.#spans.length)} · ${counted(ngettext("1 character", "%(n)s characters", characters), characters)}`
      : "";
    this.#fill(this.#spans.slice(0, MOST));
    this.#mark();
  }

  /** Rows that are there already stay: a change of one mark is a change of one row. */
  #fill(spans) {
    const rows = new Map(spans.map((span) => [String(span), this.#rows.get(String(span)) ?? this.#row(span)]));
    for (const [name, row] of this.#rows) if (!rows.has(name)) row.remove();
    let next = this.#list.firstElementChild;
    for (const row of rows.values()) {
      if (row === next) next = next.nextElementSibling;
      else this.#list.insertBefore(row, next);
    }
    this.#rows = rows;
  }

  #mark() {
    const range = this.#range;
    const current = [];
    for (const row of this.#rows.values()) {
      const link = /** @type {HTMLElement} */ (row.firstElementChild);
      const [start, end] = rangeOf(link);
      if (range && start < range[1] && range[0] < end) current.push(link);
      else if (link.hasAttribute("aria-current")) link.removeAttribute("aria-current");
    }
    for (const link of current) link.setAttribute("aria-current", "true");
    // Once: what is written or scrolled in the panel afterwards stays in sight.
    if (current[0] && current[0] !== this.#first) keepInSight(current[0]);
    this.#first = current[0];
  }

  #row([start, end, label]) {
    const known = this.#labels.get(label);
    return pageRow(
      { "data-start": start, "data-end": end },
      signChip(known, known.key || "–"),
      inPageLanguage(quote(this.#text, start, end)),
      element("span", { class: "meta num" }, figure(end - start)),
    );
  }
}

/** The range of the mark that a row leads to. @param {HTMLElement} row @returns {[number, number]} */
function rangeOf({ dataset: { start, end } }) {
  return [Number(start), Number(end)];
}
