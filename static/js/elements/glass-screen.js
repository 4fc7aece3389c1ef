// Under the glass: gold and one extraction on the page, the errors as a list, the largest first.

import { compare, differences } from "../core/compare.js";
import { weight } from "../core/spans.js";
import { Choice } from "../dom/choice.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { element, find, quote } from "./build.js";
import { keepInSight } from "./in-sight.js";
import { toggleKeys } from "./popovers.js";
import { WhyLine } from "./why-line.js";
import { figure, say } from "./words.js";

const OUTLINE = { light: { ink: "#1c1c1f", paper: "#ffffff" }, dark: { ink: "#f2c452", paper: "#161618" } };
const LANES = { found: 10, missed: 40, wrong: 70 };
// Longer lists are cut: what is far down weighs nothing.
const MOST = 300;

export class GlassScreen {
  #choice;
  #cursor;
  #map;
  #comparison;
  #errors;
  #current = -1;
  #why;

  constructor({ bench, stage, signal }) {
    const { view } = stage;
    this.stage = stage;
    this.#comparison = compare(bench.gold, bench.extraction, bench.set_labels, view);
    this.#errors = differences(this.#comparison, view.text);
    this.#choice = new Choice(view, stage.geometry);
    this.#cursor = new Cursor(view, OUTLINE.light);
    this.#why = new WhyLine({ stage, reasons: bench.reasons, otherwise: bench.no_reason, signal });
    this.#choice.addEventListener("change", ({ detail }) => this.#point("", detail.reveal), { signal });
    this.#map = new Minimap(find(".minimap"), view, stage.geometry);
    this.#map.listen(stage, signal);
    stage.addEventListener("built", () => this.#rebuilt(), { signal });
    stage.addEventListener("measured", () => { this.#map.draw(); this.#cursor.place(); }, { signal });
    find("[data-differences]").addEventListener("click", (event) => {
      const row = event.target.closest("a");
      if (!row) return;
      event.preventDefault();
      this.#go(Number(row.dataset.index));
    }, { signal });
  }

  open() {
    this.#sums();
    const rows = this.#errors.slice(0, MOST).map((error, index) => this.#row(error, index));
    find("[data-differences]").replaceChildren(...rows);
    find("[data-no-differences]").hidden = rows.length > 0;
    this.stage.show();
    this.#go(-1);
    this.stage.focus();
  }

  /** Next or previous error, by size. @param {1|-1} by */
  step(by) {
    const { length } = this.#errors;
    if (length) this.#go(this.#current < 0 ? (by > 0 ? 0 : length - 1) : (this.#current + by + length) % length);
  }

  /** The next error of one kind. @param {"missed"|"wrong"} kind */
  stepIn(kind) {
    const after = this.#errors.findIndex((error, index) => index > this.#current && error.kind === kind);
    const index = after >= 0 ? after : this.#errors.findIndex((error) => error.kind === kind);
    if (index >= 0) this.#go(index);
  }

  /** The next block, or the one before, to see what the extractor saw in it. @param {1|-1} by */
  stepBlock(by) { this.#choice.step(by); }

  toggleWhy() { this.#why.toggle(); }
  toggleKeys() { toggleKeys(this.stage); }

  leave() {
    find(":popover-open")?.hidePopover();
    this.#go(-1);
    this.stage.focus();
  }

  #go(index) {
    this.#current = index;
    const error = this.#errors[index];
    const isHidden = error && this.stage.geometry.isHidden(this.stage.view.blockAt(error.start));
    if (isHidden && this.stage.mode === "page") this.stage.switchTo("reading");
    if (error) this.#choice.takeRange([error.start, error.end]);
    else this.#choice.drop();
    this.#point(error ? say(error.kind) : "", true);
    for (const row of find("[data-differences]").children) row.removeAttribute("aria-current");
    const row = find("[data-differences]").children[index];
    row?.setAttribute("aria-current", "true");
    if (row) keepInSight(row);
    find("[data-place]").textContent = error ? say("{n} of {m}", { n: figure(index + 1), m: figure(this.#errors.length) }) : figure(this.#errors.length);
  }

  /** Outline what is chosen. @param {string} tag @param {boolean} reveal */
  #point(tag, reveal) {
    this.#cursor.show(this.#choice.range, tag);
    if (reveal) this.#cursor.reveal();
    this.#why.choose(this.#choice.block);
  }

  #rebuilt() {
    this.#cursor.mount();
    this.#cursor.colour(OUTLINE[this.stage.scheme]);
    const strokes = [];
    for (const [kind, ranges] of Object.entries(this.#comparison)) {
      this.stage.painter.show(`goldpan-${kind}`, ranges);
      for (const [start, end] of ranges) strokes.push({ start, end, left: LANES[kind], width: 20, attributes: { "class": kind } });
    }
    this.#map.show(() => strokes);
    this.#cursor.reveal();
  }

  #sums() {
    const sizes = Object.fromEntries(Object.entries(this.#comparison).map(([kind, ranges]) => [kind, weight(ranges, this.stage.view.text)]));
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
    find("[data-shares]").setAttribute("aria-label", say("{n} characters found, {m} missed, {w} wrong", named));
  }

  #row({ kind, start, end, size }, index) {
    return element("li", {}, element("a", { href: "#page", "data-index": index },
      element("span", { "class": "num" }, figure(index + 1)),
      element("span", { "class": "quote" }, quote(this.stage.view.text, start, end)),
      element("span", { "class": "num" }, figure(size)),
      element("span", { "class": "meta" }, element("mark", { "class": kind }, say(kind)))));
  }
}
