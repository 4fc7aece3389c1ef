// Marks, suggestion and choice as they are seen: painted on the page, outlined, drawn on the map.

import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { find } from "./build.js";
import { count, figure, say } from "./words.js";

const OUTLINE = { light: { ink: "#1c1c1f", paper: "#ffffff" }, dark: { ink: "#f2c452", paper: "#161618" } };
export class MarksView {
  #stage;
  #editor;
  #choice;
  #labels;
  #numbers;
  #cursor;
  #map;

  constructor({ stage, editor, choice, labels, signal }) {
    this.#stage = stage;
    this.#editor = editor;
    this.#choice = choice;
    this.#labels = labels;
    this.#numbers = new Map([...labels.values()].map(({ name, number }) => [name, number]));
    this.#cursor = new Cursor(stage.view, OUTLINE.light);
    this.#map = new Minimap(find(".minimap"), stage.view, stage.geometry);
    this.#map.listen(signal);
    stage.attended = () => choice.range;
    /** Blocks that page view does not show. */
    this.hidden = [];
    editor.addEventListener("change", () => this.paint(), { signal });
    choice.addEventListener("change", ({ detail }) => this.#outline(detail.reveal), { signal });
    stage.addEventListener("built", () => this.#rebuilt(), { signal });
    stage.addEventListener("measured", () => this.#measured(), { signal });
  }

  paint() {
    const { painter } = this.#stage;
    const { spans, ghosts } = this.#editor;
    painter.showLabelled("goldpan-", spans, this.#numbers, 1);
    painter.showLabelled("goldpan-ghost-", ghosts, this.#numbers, 0);
    this.#map.show([...spans.map((span) => this.#stroke(span)), ...ghosts.map((span) => this.#stroke(span, "ghost"))]);
    this.#outline(false);
    find("[data-offer]").hidden = !ghosts.length;
    find("[data-offer-count]").textContent = figure(ghosts.length);
  }

  #rebuilt() {
    this.#cursor.mount();
    this.#cursor.colour(OUTLINE[this.#stage.scheme]);
    this.paint();
  }

  #measured() {
    this.#map.draw();
    this.#cursor.place();
    if (this.#stage.mode === "page") this.hidden = this.#stage.geometry.hiddenBlocks();
    const characters = this.hidden.reduce((sum, block) => sum + lengthOfBlock(this.#stage.view.blocks[block]), 0);
    const button = find("[data-hidden]");
    button.hidden = !this.hidden.length;
    button.title = say("{n} hidden blocks, {m} characters", { n: figure(this.hidden.length), m: figure(characters) });
    find("[data-hidden-count]").textContent = count(this.hidden.length, "1 hidden", "{n} hidden");
  }

  #outline(reveal) {
    const { range, block } = this.#choice;
    const label = range ? this.#labelAt(range[0], range[1]) : "";
    this.#cursor.show(range, label);
    if (reveal) this.#cursor.reveal();
    if (range && this.#cursor.rect === null && block >= 0) this.#cursor.show(null);
  }

  #labelAt(start, end) {
    const spans = this.#editor.spans.filter((span) => span[0] < end && start < span[1]);
    const names = new Set(spans.map((span) => span[2]));
    return names.size === 1 ? this.#labels.get([...names][0]).title : "";
  }

  // Lanes after the mock: five of 13 %, 18 % apart.
  #stroke([start, end, label], kind = "") {
    const number = this.#numbers.get(label);
    const left = 7 + ((number - 1) % 5) * 18;
    return { start, end, left, width: 13, attributes: kind ? { "class": kind, "data-n": String(number) } : { "data-n": String(number) } };
  }
}

const lengthOfBlock = ([start, end]) => end - start;
