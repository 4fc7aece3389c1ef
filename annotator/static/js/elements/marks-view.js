// Marks, suggestion and selection: painted on the page, outlined, drawn on the map.

import { within } from "../core/spans.js";
import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { find } from "./build.js";
import { counted, figure } from "./format.js";
import { paintMarks } from "./paint-marks.js";

export class MarksView {
  #stage;
  #editor;
  #selection;
  #labels;
  #lanes;
  #cursor;
  #map;
  #isSeen;
  #hidden = new Set();

  constructor({ stage, editor, selection, labels, signal }) {
    this.#stage = stage;
    this.#editor = editor;
    this.#selection = selection;
    this.#labels = labels;
    this.#lanes = Math.max(5, ...[...labels.values()].map(({ number }) => number));
    this.#cursor = new Cursor(stage);
    this.#map = new Minimap(find(".minimap"), stage, signal);
    stage.attended = () => selection.range;
    /** Blocks that page view does not show; before it was built, those that their markup hides. @type {number[]} */
    this.hidden = [];
    this.#isSeen = false;
    editor.addEventListener("change", () => this.paint(), { signal });
    selection.addEventListener("change", ({ detail }) => this.#outline(detail.reveal), { signal });
    stage.addEventListener("built", () => this.#rebuilt(), { signal });
    stage.addEventListener("measured", () => this.#measured(), { signal });
    stage.addEventListener("shifted", () => this.#cursor.position(), { signal });
  }

  /** On a page that is built and may be measured. */
  open() {
    this.#rebuilt();
    if (this.#stage.geometry.isMeasured) this.#measured();
  }

  paint() {
    const { spans, ghosts } = this.#editor;
    paintMarks(this.#stage, this.#editor, [...this.#labels.values()]);
    this.#map.show(() => [
      ...spans.map((span) => this.#stroke(span)),
      ...ghosts.map((span) => this.#stroke(span, "ghost")),
    ]);
    this.#outline(false);
  }

  /** @param {number} block */
  isHidden(block) {
    return this.#hidden.has(block);
  }

  #rebuilt() {
    this.#cursor.mount();
    this.#paintHidden();
    this.paint();
  }

  #measured() {
    this.#cursor.position();
    this.#lookForHidden();
    const { length } = this.hidden;
    const hidden = this.hidden.map((block) => this.#stage.view.blocks[block]);
    const characters = hidden.reduce((sum, [start, end]) => sum + end - start, 0);
    const button = find("[data-hidden]");
    button.hidden = !length;
    button.title = interpolate(
      gettext("Hidden blocks: %(n)s, %(m)s characters"),
      { n: figure(length), m: figure(characters) },
      true,
    );
    find("[data-hidden-count]").textContent = counted(ngettext("1 hidden", "%(n)s hidden", length), length);
  }

  #lookForHidden() {
    const { mode, geometry, view } = this.#stage;
    if (mode === "page") this.hidden = geometry.hiddenBlocks();
    else if (!this.#isSeen) this.hidden = [...view.blocks.keys()].filter((block) => view.structure.isHidden(block));
    this.#isSeen ||= mode === "page";
    this.#hidden = new Set(this.hidden);
    this.#paintHidden();
  }

  // What page view hides looks different in reading view, which shows it.
  #paintHidden() {
    const { mode, painter, view } = this.#stage;
    painter.show("goldpan-hidden", mode === "reading" ? this.hidden.map((block) => view.blocks[block]) : [], -1);
  }

  #outline(reveal) {
    const { range, block } = this.#selection;
    const words = range ? [this.#labelAt(range[0], range[1]), this.isHidden(block) && gettext("hidden")] : [];
    this.#cursor.show(range, words.filter(Boolean).join(" · "));
    if (reveal) this.#cursor.reveal();
  }

  #labelAt(start, end) {
    const names = new Set(within(this.#editor.spans, [[start, end]]).map((span) => span[2]));
    return names.size === 1 ? this.#labels.get([...names][0]).title : "";
  }

  // Five lanes of 13 %, 18 % apart; with more labels, more and narrower ones. Retired labels share the last.
  #stroke([start, end, label], kind = "") {
    const { number } = this.#labels.get(label);
    const lane = (number || this.#lanes) - 1;
    return {
      start,
      end,
      left: 7 + (lane * 90) / this.#lanes,
      width: 65 / this.#lanes,
      attributes: kind ? { class: kind, "data-n": String(number) } : { "data-n": String(number) },
    };
  }
}
