// Where the annotator and gold differ, on the page and in the list from the server; what both have is muted.

import { DifferencesScreen } from "./differences-screen.js";
import { showRules } from "./rules.js";

// The highlight of each kind, its class in the map, and its lane there.
const LOOKS = {
  missed: { paint: "goldpan-missed", look: "missed", lane: 10 },
  extra: { paint: "goldpan-wrong", look: "wrong", lane: 40 },
  relabel: { paint: "goldpan-open", look: "relabel", lane: 70 },
};

export class FeedbackScreen extends DifferencesScreen {
  #found;
  #same;
  #labels;

  constructor({ payload, stage, signal }) {
    const found = payload.differences.map(([start, end, kind]) => ({ start, end, kind }));
    super(stage, found, signal);
    this.#found = found;
    this.#same = payload.same;
    this.#labels = payload.labels;
  }

  open() {
    this.stage.show();
    this.go(this.#found.length ? 0 : -1);
    this.stage.focus();
  }

  onRow(row) {
    showRules(row?.dataset.about ?? "");
  }

  paint() {
    const { painter, view } = this.stage;
    painter.showLabelled("goldpan-agreed-", this.#same, this.#labels);
    return Object.entries(LOOKS).flatMap(([kind, { paint, look, lane }]) => {
      const ranges = view.clip(this.#found.filter((one) => one.kind === kind).map(({ start, end }) => [start, end]));
      painter.show(paint, ranges, 1);
      return ranges.map((range) => ({ range, lane, look }));
    });
  }
}
