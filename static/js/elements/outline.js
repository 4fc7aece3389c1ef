// The list of marks in the panel; a row leads to its mark.

import { element, quote } from "./build.js";
import { keepInSight } from "./in-sight.js";
import { count, figure } from "./words.js";

// Longer lists are cut: the map shows the rest, and the page itself.
const MOST = 400;

export class Outline {
  #list;
  #sum;
  #labels;
  #text;
  #spans = [];

  /**
   * @param {{list: HTMLElement, sum: HTMLElement, labels: Map<string, {number: number, title: string}>,
   *   text: import("../core/codepoints.js").Text, onPick: (range: [number, number]) => void, signal: AbortSignal}} given
   */
  constructor({ list, sum, labels, text, onPick, signal }) {
    this.#list = list;
    this.#sum = sum;
    this.#labels = labels;
    this.#text = text;
    list.addEventListener("click", (event) => {
      const row = event.target.closest("a");
      if (!row) return;
      event.preventDefault();
      onPick(row.dataset.range.split("-").map(Number));
    }, { signal });
  }

  /** @param {import("../core/spans.js").Span[]} spans */
  show(spans) {
    if (spans === this.#spans) return;
    this.#spans = spans;
    const characters = spans.reduce((sum, [start, end]) => sum + end - start, 0);
    this.#sum.textContent = spans.length ? `${figure(spans.length)} · ${count(characters, "1 character", "{n} characters")}` : "";
    this.#list.replaceChildren(...spans.slice(0, MOST).map((span) => this.#row(span)));
  }

  /** @param {[number, number]|null} range what is chosen on the page */
  point(range) {
    for (const row of this.#list.querySelectorAll("a")) {
      const [start, end] = row.dataset.range.split("-").map(Number);
      if (range && start < range[1] && range[0] < end) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    const current = this.#list.querySelector("[aria-current]");
    if (current) keepInSight(current);
  }

  #row([start, end, label]) {
    const { number, title } = this.#labels.get(label);
    return element("li", {}, element("a", { href: "#page", "data-range": `${start}-${end}` },
      element("span", { "class": "label", "data-n": number, title }, `\u00a0${number}\u00a0`, element("span", { "class": "sr" }, title)),
      element("span", { "class": "quote" }, quote(this.#text, start, end)),
      element("span", { "class": "meta num" }, figure(end - start))));
  }
}
