// Gold on the page: its intervals painted, each with its source in the margin, in the list and in the map.

import { element, find, inPageLanguage, pageRow, quote } from "./build.js";
import { DifferencesScreen } from "./differences-screen.js";
import { figure } from "./format.js";
import { signChip } from "./label-chips.js";
import { SourceMargin } from "./source-margin.js";

/** @typedef {{start: number, end: number, label: string, kind: string, clause: string}} Interval `kind`: its source */

// Five lanes of 13 %, 18 % apart, as on the annotation screen.
const laneOf = (number) => 7 + ((number - 1) % 5) * 18;

export class GoldScreen extends DifferencesScreen {
  /** @type {Interval[]} */
  #intervals;
  #labels;
  #sources;

  constructor({ payload, stage, signal }) {
    const intervals = payload.gold.map(([start, end, label, kind, clause]) => ({ start, end, label, kind, clause }));
    super(stage, intervals, signal);
    this.#intervals = intervals;
    this.#labels = new Map(payload.labels.map((label) => [label.name, label]));
    this.#sources = payload.sources;
    const margin = find("[data-margin]");
    if (margin) new SourceMargin({ box: margin, stage, intervals, sources: this.#sources, signal });
  }

  open() {
    find("[data-differences]")?.replaceChildren(...this.#intervals.map((interval) => this.#row(interval)));
    this.stage.show();
    this.go(-1);
    this.stage.focus();
  }

  go(index) {
    super.go(index);
    const interval = this.#intervals[index];
    find("[data-about]").textContent = interval ? this.#about(interval) : "";
  }

  /** @param {Interval} interval */
  tagOf({ label }) {
    return this.#label(label).title;
  }

  paint() {
    const { painter } = this.stage;
    const spans = this.#intervals.map(
      ({ start, end, label }) => /** @type {[number, number, string]} */ ([start, end, label]),
    );
    painter.showLabelled("goldpan-", spans, this.#labels.values(), 1);
    return this.#intervals.map(({ start, end, label }) => {
      const { number } = this.#label(label);
      return { range: /** @type {[number, number]} */ ([start, end]), lane: laneOf(number), look: "", number };
    });
  }

  /** What the status bar says of an interval. */
  #about({ label, kind, clause }) {
    const words = { label: this.#label(label).title, source: this.#sources[kind].title, clause };
    if (clause) return interpolate(gettext("%(label)s: %(source)s, clause %(clause)s"), words, true);
    return interpolate(gettext("%(label)s: %(source)s"), words, true);
  }

  #row({ start, end, label, kind, clause }) {
    const known = this.#label(label);
    const source = this.#sources[kind];
    return pageRow(
      {},
      signChip(known, known.number),
      inPageLanguage(quote(this.stage.view.text, start, end)),
      element(
        "span",
        { class: "meta num" },
        figure(end - start),
        " ",
        element(
          "span",
          { class: "from-key", title: clause ? `${source.title} · ${clause}` : source.title },
          source.shape,
        ),
        element("span", { class: "sr" }, source.title),
      ),
    );
  }

  /** A label that the corpus has no longer keeps its name. */
  #label(name) {
    return this.#labels.get(name) ?? { name, title: name, number: 1 };
  }
}
