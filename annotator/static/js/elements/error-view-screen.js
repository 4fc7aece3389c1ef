// The error view: gold and one extraction on the page, the errors of one or two as a list, the largest first.

import { compare } from "../core/compare.js";
import { weight } from "../core/spans.js";
import { element, find, inPageLanguage, pageRow, quote } from "./build.js";
import { DifferencesScreen, KINDS } from "./differences-screen.js";
import { Explanation } from "./explanation.js";
import { figure } from "./format.js";

const LANES = { found: 10, missed: 40, wrong: 70 };
// Who makes an error, of two.
const WHO = { a: gettext("first alone"), b: gettext("second alone"), ab: gettext("both") };
// Longer lists are cut: what is far down weighs nothing.
const MOST = 300;

export class ErrorViewScreen extends DifferencesScreen {
  #comparison;
  /** @type {Array<{kind: string, start: number, end: number, size: number, cause: string, by: string}>} */
  #errors;
  #isOfTwo;
  #back;
  #explanation;
  /** @type {HTMLFormElement} */
  #form = find("[data-shrink]");
  #canShrink;

  constructor({ payload, stage, signal }) {
    const { view } = stage;
    super(stage, payload.errors, signal);
    this.#comparison = compare(payload.gold, payload.extraction, payload.set_labels, view);
    this.#errors = payload.errors;
    this.#isOfTwo = Boolean(payload.second);
    this.#canShrink = Boolean(payload.urls.shrink);
    this.#back = payload.urls.back;
    this.#explanation = new Explanation({ stage, reasons: payload.reasons, otherwise: payload.no_reason, signal });
  }

  open() {
    this.#chooseExtractors();
    this.#sums();
    const rows = this.#errors.slice(0, MOST).map((error, index) => this.#row(error, index));
    find("[data-differences]").replaceChildren(...rows);
    find("[data-no-differences]").hidden = rows.length > 0;
    this.stage.show();
    this.go(-1);
    this.stage.focus();
  }

  toggleExplanation() {
    this.#explanation.toggle();
  }

  /** From the error that is chosen, then back to the pages. */
  leave() {
    if (this.isAnySelected || find(":popover-open")) super.leave();
    else location.assign(this.#back);
  }

  /** Ask for the smallest page on which the extractor makes the current error. */
  shrink() {
    if (!this.#form.hidden) this.#form.requestSubmit();
  }

  /** @param {Element} [row] */
  onRow(row) {
    const error = row && this.#errors[[...(row.parentElement?.children ?? [])].indexOf(row)];
    // It reduces the page for the extractor that is shown.
    const isShown = error && error.by !== "b" && this.#canShrink;
    this.#form.hidden = !isShown;
    if (!isShown) return;
    for (const name of ["start", "end", "kind"]) {
      const field = /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
      field.value = String(error[name]);
    }
  }

  onBlock(block) {
    this.#explanation.choose(block);
  }

  paint() {
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

  /** Another extractor is another address; the second one is a part of it. */
  #chooseExtractors() {
    const form = /** @type {HTMLFormElement} */ (find("[data-versus]"));
    form?.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      if (target.name === "extractor") location.assign(target.value);
      else form.requestSubmit();
    });
  }

  #row({ kind, start, end, size, cause, by }, index) {
    const who = this.#isOfTwo ? [signs(by)] : [];
    return pageRow(
      {},
      element("span", { class: "num" }, figure(index + 1)),
      inPageLanguage(quote(this.stage.view.text, start, end)),
      element("span", { class: "num" }, figure(size)),
      element("span", { class: "meta" }, element("mark", { class: kind }, KINDS[kind]), ` ${cause} `, ...who),
    );
  }
}

/** Whose error it is, in a word after the sign of each of them. @param {string} by "a", "b" or "ab" */
function signs(by) {
  const last = by.length - 1;
  const keys = [...by].map((name, index) => element("span", { class: `key-${name}` }, index === last ? WHO[by] : ""));
  return element("span", { class: "by" }, ...keys);
}
