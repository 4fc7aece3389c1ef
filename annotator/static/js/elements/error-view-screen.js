// The error view: gold and one extraction on the page, the errors as a list, the largest first.

import { compare, differences } from "../core/compare.js";
import { weight } from "../core/spans.js";
import { element, find, quote } from "./build.js";
import { DifferencesScreen, KINDS } from "./differences-screen.js";
import { Explanation } from "./explanation.js";
import { figure } from "./format.js";

const LANES = { found: 10, missed: 40, wrong: 70 };
// Longer lists are cut: what is far down weighs nothing.
const MOST = 300;

export class ErrorViewScreen extends DifferencesScreen {
  #comparison;
  #errors;
  #explanation;
  /** @type {HTMLFormElement} */
  #form = find("[data-shrink]");

  constructor({ payload, stage, signal }) {
    const { view } = stage;
    const comparison = compare(payload.gold, payload.extraction, payload.set_labels, view);
    const errors = differences(comparison, view.text);
    super(stage, errors, signal);
    this.#comparison = comparison;
    this.#errors = errors;
    this.#explanation = new Explanation({ stage, reasons: payload.reasons, otherwise: payload.no_reason, signal });
  }

  open() {
    this.#sums();
    const rows = this.#errors.slice(0, MOST).map((error, index) => this.#row(error, index));
    find("[data-differences]").replaceChildren(...rows);
    find("[data-no-differences]").hidden = rows.length > 0;
    this.stage.show();
    this.go(-1);
    this.stage.focus();
  }

  /** The next block, or the one before, to see what the extractor saw in it. @param {1|-1} by */
  stepBlock(by) {
    this.selection.step(by);
  }

  toggleExplanation() {
    this.#explanation.toggle();
  }

  /** Ask for the smallest page on which the extractor makes the current error. */
  shrink() {
    if (!this.#form.hidden) this.#form.requestSubmit();
  }

  /** @param {Element} [row] */
  listed(row) {
    const error = row && this.#errors[[...(row.parentElement?.children ?? [])].indexOf(row)];
    this.#form.hidden = !error;
    if (!error) return;
    for (const name of ["start", "end", "kind"]) {
      const field = /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
      field.value = String(error[name]);
    }
  }

  pointed(block) {
    this.#explanation.choose(block);
  }

  painted() {
    return Object.entries(this.#comparison).flatMap(([kind, ranges]) => {
      this.stage.painter.show(`goldpan-${kind}`, ranges);
      return ranges.map((range) => ({ range, lane: LANES[kind], look: kind }));
    });
  }

  #sums() {
    const sizes = Object.fromEntries(
      Object.entries(this.#comparison).map(([kind, ranges]) => [kind, weight(ranges, this.stage.view.text)]),
    );
    const all = Math.max(1, sizes.found + sizes.missed + sizes.wrong);
    let x = 0;
    for (const [kind, size] of Object.entries(sizes)) {
      find(`[data-sum="${kind}"]`).textContent = figure(size);
      const bar = find(`[data-bar="${kind}"]`);
      bar.setAttribute("x", `${(100 * x) / all}%`);
      bar.setAttribute("width", `${(100 * size) / all}%`);
      x += size;
    }
    const named = { n: figure(sizes.found), m: figure(sizes.missed), w: figure(sizes.wrong) };
    find("[data-shares]").setAttribute(
      "aria-label",
      interpolate(gettext("Characters found: %(n)s; missed: %(m)s; wrong: %(w)s"), named, true),
    );
  }

  #row({ kind, start, end, size }, index) {
    return element(
      "li",
      {},
      element(
        "a",
        { href: "#page" },
        element("span", { class: "num" }, figure(index + 1)),
        element("span", { class: "quote" }, quote(this.stage.view.text, start, end)),
        element("span", { class: "num" }, figure(size)),
        element("span", { class: "meta" }, element("mark", { class: kind }, KINDS[kind])),
      ),
    );
  }
}
