// The page of a dispute as it is seen: agreed text recedes, settled segments show their outcome, open ones are gold.

import { outcome } from "../core/segments.js";
import { normalise, without } from "../core/spans.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { find } from "./build.js";

const GOLD = { light: { ink: "#795700", paper: "#ffffff" }, dark: { ink: "#eac15a", paper: "#161618" } };
// The answers lie under the segment, so it is brought high enough.
const ROOM_BELOW = 240;

export class AdjudicateView {
  #stage;
  #settlement;
  #numbers;
  #map;
  #current = -1;
  #agreed;

  constructor({ stage, settlement, labels, agreed, onMove, signal }) {
    this.#stage = stage;
    this.#settlement = settlement;
    this.#numbers = new Map([...labels.values()].map(({ name, number }) => [name, number]));
    this.#agreed = normalise(agreed);
    this.cursor = new Cursor(stage.view, GOLD.light);
    this.#map = new Minimap(find(".minimap"), stage.view, stage.geometry);
    this.#map.listen(signal);
    stage.addEventListener("built", () => { this.#rebuilt(); onMove(); }, { signal });
    stage.addEventListener("measured", () => { this.#map.draw(); this.cursor.place(); onMove(); }, { signal });
    for (const type of ["scroll", "resize"]) stage.view.window.addEventListener(type, onMove, { signal, passive: true });
  }

  /** @param {import("../core/spans.js").Span[]} agreed */
  agree(agreed) {
    this.#agreed = normalise(agreed);
  }

  /** @param {number} current index of the segment that is asked, -1: none @param {boolean} [reveal] */
  show(current, reveal = false) {
    this.#current = current;
    this.#paint();
    const segment = this.#settlement.segments[current];
    this.cursor.show(segment ? [segment.start, segment.end] : null, segment ? `${segment.number}${segment.choice ? " ✓" : ""}` : "");
    if (reveal) this.cursor.reveal(ROOM_BELOW);
  }

  #rebuilt() {
    this.cursor.mount();
    this.cursor.colour(GOLD[this.#stage.scheme]);
    this.show(this.#current, true);
  }

  #paint() {
    const { segments, letters } = this.#settlement;
    const { painter, view } = this.#stage;
    const parts = (list) => view.clip(list.map(({ start, end }) => [start, end]));
    const settled = segments.filter(({ choice }) => choice);
    const open = segments.filter(({ choice }, index) => !choice && index !== this.#current);
    const now = segments.filter(({ choice }, index) => !choice && index === this.#current);
    const gold = normalise(settled.flatMap((segment) => outcome(segment, letters)));
    painter.showLabelled("goldpan-agreed-", this.#agreed, this.#numbers);
    painter.showLabelled("goldpan-", gold, this.#numbers, 1);
    painter.show("goldpan-nothing", without(parts(settled), gold), 1);
    painter.show("goldpan-open", parts(open), 1);
    painter.show("goldpan-now", parts(now), 2);
    this.#map.show(() => segments.map((segment, index) => this.#stroke(segment, index)));
  }

  #stroke({ start, end, choice }, index) {
    const kind = index === this.#current ? "current" : choice ? "closed" : "open";
    return { start, end, left: 25, width: 50, attributes: { "class": kind } };
  }
}
