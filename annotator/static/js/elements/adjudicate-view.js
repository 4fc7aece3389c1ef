// The disputed page: agreed text is muted, decided segments show their outcome, open ones are highlighted in gold.

import { markedBy, outcome } from "../core/segments.js";
import { normalise, without } from "../core/spans.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { Spacer } from "../dom/spacer.js";
import { find } from "./build.js";

const GOLD = { light: { ink: "#795700", paper: "#ffffff" }, dark: { ink: "#eac15a", paper: "#161618" } };
// Pixels below the segment for the answers.
const ROOM_BELOW = 240;

export class AdjudicateView {
  #stage;
  #adjudication;
  #labels;
  #map;
  #current = -1;
  #agreed;
  #relabelling;
  #isWhole;
  #pointer;
  #spacer;

  constructor({ stage, adjudication, labels, agreed, relabelling, isWhole, onMove, signal }) {
    this.#stage = stage;
    this.#adjudication = adjudication;
    this.#labels = [...labels.values()];
    this.#agreed = normalise(agreed);
    this.#relabelling = relabelling;
    this.#isWhole = isWhole;
    this.#spacer = new Spacer(stage);
    this.#pointer = new Cursor(stage, GOLD);
    this.cursor = new Cursor(stage, GOLD);
    this.#map = new Minimap(find(".minimap"), stage, signal);
    stage.addEventListener(
      "built",
      () => {
        this.#rebuilt();
        onMove();
      },
      { signal },
    );
    const follow = () => {
      this.cursor.position();
      this.#pointer.position();
      onMove();
    };
    for (const type of ["measured", "shifted"]) stage.addEventListener(type, follow, { signal });
    stage.onDocument((view, frameSignal) => {
      for (const type of ["scroll", "resize"])
        view.window.addEventListener(type, onMove, { signal: frameSignal, passive: true });
    });
  }

  /** @param {import("../core/spans.js").Span[]} agreed */
  agree(agreed) {
    this.#agreed = normalise(agreed);
  }

  /** @param {number} current index of the current segment, -1: none @param {boolean} [reveal] */
  show(current, reveal = false) {
    this.#current = current;
    this.#paint();
    const segment = this.#adjudication.segments[current];
    // A page that is reviewed as a whole needs no outline.
    const isOutlined = segment && !this.#isWhole;
    this.cursor.show(
      isOutlined ? [segment.start, segment.end] : null,
      segment ? `${segment.number}${segment.choice ? " ✓" : ""}` : "",
    );
    if (reveal) this.cursor.reveal(ROOM_BELOW);
    this.point();
  }

  /**
   * Make room for the answers under the segment, and say where it is.
   * @param {((width: number) => number)|null} fit how high they are in a column so wide; null: there is no segment
   * @returns {{wanted: number, left: number, right: number, top: number}|null} in the stage: the column, and where the
   *   segment begins; null where nothing of it is seen
   */
  under(fit) {
    const segment = fit && !this.#isWhole ? this.#adjudication.segments[this.#current] : null;
    const rect = segment ? this.cursor.rect : null;
    const hasMoved = rect ? this.#spacer.make(segment.end, fit) : this.#spacer.clear();
    if (hasMoved) for (const each of [this.cursor, this.#pointer]) each.position();
    if (!rect) return null;
    const { left, right, top } = this.#spacer.rect ?? { left: rect.left, right: Infinity, top: rect.bottom };
    return { wanted: rect.left, left, right, top };
  }

  /** Outline what is selected while relabelling. @param {boolean} [reveal] */
  point(reveal = false) {
    this.#pointer.show(this.#relabelling.range);
    if (reveal) this.#pointer.reveal(ROOM_BELOW);
  }

  /** Paint again, with the same current segment. */
  repaint() {
    this.#paint();
    this.point(this.#relabelling.isOn);
  }

  #rebuilt() {
    for (const each of [this.cursor, this.#pointer]) each.mount();
    this.show(this.#current, true);
  }

  #paint() {
    const { segments, letters } = this.#adjudication;
    const { painter, view } = this.#stage;
    const parts = (list) => view.clip(list.map(({ start, end }) => [start, end]));
    const isRelabelled = (index) => this.#relabelling.isOn && index === this.#current;
    const decided = segments.filter(({ choice }, index) => choice && !isRelabelled(index));
    const open = segments.filter(({ choice }, index) => !choice && index !== this.#current);
    const now = segments.filter(({ choice }, index) => !choice && index === this.#current && !isRelabelled(index));
    const shown = decided.flatMap((segment) => outcome(segment, letters));
    if (this.#isWhole) shown.push(...now.flatMap((segment) => markedBy(segment, 0)));
    const gold = normalise([...shown, ...this.#relabelling.spans]);
    painter.showLabelled("goldpan-agreed-", this.#agreed, this.#labels);
    painter.showLabelled("goldpan-", gold, this.#labels, 1);
    painter.show("goldpan-nothing", this.#isWhole ? [] : without(parts(decided), gold), 1);
    painter.show("goldpan-open", parts(open), 1);
    painter.show("goldpan-now", this.#isWhole ? [] : parts(now), 2);
    const marked = gold.map(([start, end]) => ({ start, end, left: 25, width: 50, attributes: { class: "closed" } }));
    this.#map.show(() => (this.#isWhole ? marked : segments.map((segment, index) => this.#stroke(segment, index))));
  }

  #stroke({ start, end, choice }, index) {
    const kind = index === this.#current ? "current" : choice ? "closed" : "open";
    return { start, end, left: 25, width: 50, attributes: { class: kind } };
  }
}
