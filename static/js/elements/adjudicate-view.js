// The page of a dispute as it is seen: agreed text recedes, settled segments show their outcome, open ones are gold.

import { markedBy, outcome } from "../core/segments.js";
import { normalise, without } from "../core/spans.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { Room } from "../dom/room.js";
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
  #anew;
  #isWhole;
  #pointer;
  #room;

  constructor({ stage, settlement, labels, agreed, anew, isWhole, onMove, signal }) {
    this.#stage = stage;
    this.#settlement = settlement;
    this.#numbers = new Map([...labels.values()].map(({ name, number }) => [name, number]));
    this.#agreed = normalise(agreed);
    this.#anew = anew;
    this.#isWhole = isWhole;
    this.#room = new Room(stage);
    this.#pointer = new Cursor(stage.view, GOLD.light);
    this.cursor = new Cursor(stage.view, GOLD.light);
    this.#map = new Minimap(find(".minimap"), stage.view, stage.geometry);
    this.#map.listen(stage, signal);
    stage.addEventListener("built", () => { this.#rebuilt(); onMove(); }, { signal });
    stage.addEventListener("measured", () => { this.#map.draw(); this.cursor.place(); this.#pointer.place(); onMove(); }, { signal });
    stage.attend((view, sitting) => {
      for (const type of ["scroll", "resize"]) view.window.addEventListener(type, onMove, { signal: sitting, passive: true });
    });
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
    // A page that is looked at as a whole needs no line around it.
    const isOutlined = segment && !this.#isWhole;
    this.cursor.show(isOutlined ? [segment.start, segment.end] : null, segment ? `${segment.number}${segment.choice ? " ✓" : ""}` : "");
    if (reveal) this.cursor.reveal(ROOM_BELOW);
    this.point();
  }

  /**
   * Where the answers go: under the segment, in room that is made for them.
   * @param {((width: number) => number)|null} fit how high they are in a column so wide; null: nothing is asked
   * @returns {{wanted: number, left: number, right: number, top: number}|null} in the stage: the column, and where the
   *   segment begins; null where nothing of it is seen
   */
  under(fit) {
    const segment = fit && !this.#isWhole ? this.#settlement.segments[this.#current] : null;
    const rect = segment ? this.cursor.rect : null;
    const hasMoved = rect ? this.#room.make(segment.end, fit) : this.#room.clear();
    if (hasMoved) for (const each of [this.cursor, this.#pointer]) each.place();
    if (!rect) return null;
    const { left, right, top } = this.#room.rect ?? { left: rect.left, right: Infinity, top: rect.bottom };
    return { wanted: rect.left, left, right, top };
  }

  /** What is marked anew, and where she is in it. @param {boolean} [reveal] */
  point(reveal = false) {
    this.#pointer.show(this.#anew.range);
    if (reveal) this.#pointer.reveal(ROOM_BELOW);
  }

  /** Paint again, the segment that is asked staying the same. */
  repaint() {
    this.#paint();
    this.point(this.#anew.isOn);
  }

  #rebuilt() {
    for (const each of [this.cursor, this.#pointer]) {
      each.mount();
      each.colour(GOLD[this.#stage.scheme]);
    }
    this.show(this.#current, true);
  }

  #paint() {
    const { segments, letters } = this.#settlement;
    const { painter, view } = this.#stage;
    const parts = (list) => view.clip(list.map(({ start, end }) => [start, end]));
    const isAnew = (index) => this.#anew.isOn && index === this.#current;
    const settled = segments.filter(({ choice }, index) => choice && !isAnew(index));
    const open = segments.filter(({ choice }, index) => !choice && index !== this.#current);
    const now = segments.filter(({ choice }, index) => !choice && index === this.#current && !isAnew(index));
    const shown = settled.flatMap((segment) => outcome(segment, letters));
    if (this.#isWhole) shown.push(...now.flatMap((segment) => markedBy(segment, 0)));
    const gold = normalise([...shown, ...this.#anew.spans]);
    painter.showLabelled("goldpan-agreed-", this.#agreed, this.#numbers);
    painter.showLabelled("goldpan-", gold, this.#numbers, 1);
    painter.show("goldpan-nothing", this.#isWhole ? [] : without(parts(settled), gold), 1);
    painter.show("goldpan-open", parts(open), 1);
    painter.show("goldpan-now", this.#isWhole ? [] : parts(now), 2);
    const marked = gold.map(([start, end]) => ({ start, end, left: 25, width: 50, attributes: { "class": "closed" } }));
    this.#map.show(() => (this.#isWhole ? marked : segments.map((segment, index) => this.#stroke(segment, index))));
  }

  #stroke({ start, end, choice }, index) {
    const kind = index === this.#current ? "current" : choice ? "closed" : "open";
    return { start, end, left: 25, width: 50, attributes: { "class": kind } };
  }
}
