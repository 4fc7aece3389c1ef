// Where she and gold differ, on the page and as the list that the server wrote; what both have recedes.

import { Choice } from "../dom/choice.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { find } from "./build.js";
import { keepInSight } from "./in-sight.js";
import { toggleKeys } from "./popovers.js";
import { showRules } from "./rules.js";
import { figure, say } from "./words.js";

const OUTLINE = { light: { ink: "#1c1c1f", paper: "#ffffff" }, dark: { ink: "#f2c452", paper: "#161618" } };
// The highlight of each kind, its class in the map, and its lane there.
const LOOKS = {
  missed: { paint: "goldpan-missed", look: "missed", lane: 10 },
  extra: { paint: "goldpan-wrong", look: "wrong", lane: 40 },
  relabel: { paint: "goldpan-open", look: "relabel", lane: 70 },
};

export class FeedbackScreen {
  #choice;
  #cursor;
  #map;
  #found;
  #same;
  #numbers;
  #rows = [];
  #current = -1;

  constructor({ bench, stage, signal }) {
    const { view } = stage;
    this.stage = stage;
    this.#found = bench.differences.map(([start, end, kind]) => ({ start, end, kind }));
    this.#same = bench.same;
    this.#numbers = new Map(bench.labels.map(({ name, number }) => [name, number]));
    this.#choice = new Choice(view, stage.geometry);
    this.#cursor = new Cursor(view, OUTLINE.light);
    this.#map = new Minimap(find(".minimap"), view, stage.geometry);
    this.#map.listen(stage, signal);
    stage.addEventListener("built", () => this.#rebuilt(), { signal });
    stage.addEventListener("measured", () => { this.#map.draw(); this.#cursor.place(); }, { signal });
    this.#rows = [...document.querySelectorAll("[data-differences] > li")];
    this.#rows.forEach((row, index) => row.querySelector("a").addEventListener("click", (event) => {
      event.preventDefault();
      this.#go(index);
    }, { signal }));
  }

  open() {
    this.stage.show();
    this.#go(this.#found.length ? 0 : -1);
    this.stage.focus();
  }

  /** The next difference, or the one before, in the order of the text. @param {1|-1} by */
  step(by) {
    const { length } = this.#found;
    if (length) this.#go((this.#current + by + length) % length);
  }

  toggleKeys() { toggleKeys(this.stage); }

  leave() {
    find(":popover-open")?.hidePopover();
    this.#go(-1);
    this.stage.focus();
  }

  #go(index) {
    this.#current = index;
    const one = this.#found[index];
    const isHidden = one && this.stage.geometry.isHidden(this.stage.view.blockAt(one.start));
    if (isHidden && this.stage.mode === "page") this.stage.switchTo("reading");
    if (one) this.#choice.takeRange([one.start, one.end]);
    else this.#choice.drop();
    this.#cursor.show(this.#choice.range, one ? say(one.kind) : "");
    this.#cursor.reveal();
    this.#rows.forEach((row, at) => (at === index ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    const row = this.#rows[index];
    if (row) keepInSight(row);
    showRules(row?.dataset.about ?? "");
    const m = figure(this.#found.length);
    find("[data-place]").textContent = one ? say("{n} of {m}", { n: figure(index + 1), m }) : m;
  }

  #rebuilt() {
    const { painter, view } = this.stage;
    this.#cursor.mount();
    this.#cursor.colour(OUTLINE[this.stage.scheme]);
    painter.showLabelled("goldpan-agreed-", this.#same, this.#numbers);
    const strokes = [];
    for (const [kind, { paint, look, lane }] of Object.entries(LOOKS)) {
      const ranges = view.clip(this.#found.filter((one) => one.kind === kind).map(({ start, end }) => [start, end]));
      painter.show(paint, ranges, 1);
      for (const [start, end] of ranges) strokes.push({ start, end, left: lane, width: 20, attributes: { "class": look } });
    }
    this.#map.show(() => strokes);
    this.#cursor.reveal();
  }
}
