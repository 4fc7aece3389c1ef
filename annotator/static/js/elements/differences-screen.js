// Differences from gold, one by one: outlined on the page, drawn in the map, marked in the list.

import { Cursor } from "../dom/cursor.js";
import { Minimap } from "../dom/minimap.js";
import { BlockSelection } from "../dom/selection.js";
import { find, onLink } from "./build.js";
import { figure } from "./format.js";
import { keepInSight } from "./in-sight.js";
import { STAGE_KEYS } from "./stage-keys.js";

/** Names of the kinds. @type {Record<string, string>} */
export const KINDS = {
  missed: gettext("missed"),
  wrong: gettext("wrong"),
  extra: gettext("extra"),
  relabel: gettext("another label"),
};

export const DIFFERENCES_KEYS = {
  ...STAGE_KEYS,
  n: (screen) => screen.step(1),
  j: (screen) => screen.step(1),
  p: (screen) => screen.step(-1),
  k: (screen) => screen.step(-1),
};

/** Base of the screens with such a list; its rows are the children of `[data-differences]`, in order. */
export class DifferencesScreen {
  #found;
  #cursor;
  #map;
  #current = -1;

  /**
   * @param {import("../dom/stage.js").Stage} stage
   * @param {Array<{start: number, end: number, kind: string}>} found
   * @param {AbortSignal} signal
   */
  constructor(stage, found, signal) {
    this.stage = stage;
    this.#found = found;
    this.selection = new BlockSelection(stage.view, stage.geometry);
    this.#cursor = new Cursor(stage);
    this.selection.addEventListener("change", ({ detail }) => this.#point("", detail.reveal), { signal });
    this.#map = new Minimap(find(".minimap"), stage, signal);
    stage.addEventListener("built", () => this.#rebuilt(), { signal });
    for (const type of ["measured", "shifted"]) stage.addEventListener(type, () => this.#cursor.position(), { signal });
    onLink(find("[data-differences]"), (link) => this.go(this.#rows.findIndex((row) => row.contains(link))), signal);
  }

  /** The next difference in the order of the list, or the one before. @param {1|-1} by */
  step(by) {
    const { length } = this.#found;
    const from = this.#current < 0 && by < 0 ? 0 : this.#current;
    if (length) this.go((from + by + length) % length);
  }

  /** The next one of a kind. @param {string} kind */
  stepIn(kind) {
    const after = this.#found.findIndex((one, index) => index > this.#current && one.kind === kind);
    const index = after >= 0 ? after : this.#found.findIndex((one) => one.kind === kind);
    if (index >= 0) this.go(index);
  }

  get isAnySelected() {
    return this.#current >= 0;
  }

  /** Deselect, and focus the page. */
  leave() {
    find(":popover-open")?.hidePopover();
    this.go(-1);
    this.stage.focus();
  }

  /** Select a difference and show it. @param {number} index -1 for none */
  go(index) {
    this.#current = index;
    const one = this.#found[index];
    const isHidden = one && this.stage.geometry.isHidden(this.stage.view.blockAt(one.start));
    if (isHidden && this.stage.mode === "page") this.stage.switchTo("reading");
    if (one) this.selection.selectRange([one.start, one.end]);
    else this.selection.clear();
    this.#point(one ? this.tagOf(one) : "", true);
    for (const row of this.#rows) row.removeAttribute("aria-current");
    const row = this.#rows[index];
    row?.setAttribute("aria-current", "true");
    if (row) keepInSight(row);
    this.onRow(row);
    const m = figure(this.#found.length);
    find("[data-position]").textContent = one
      ? interpolate(gettext("%(n)s of %(m)s"), { n: figure(index + 1), m }, true)
      : m;
  }

  /** The text of the tag at its outline. @param {{start: number, end: number, kind: string}} one @returns {string} */
  tagOf({ kind }) {
    return KINDS[kind];
  }

  /** Called with the current row of the list. @param {Element} [_row] */
  onRow(_row) {}

  /** Called with the outlined block. @param {number} _block -1 for none */
  onBlock(_block) {}

  /**
   * Paint the page, which was built again.
   * @returns {Array<{range: import("../core/spans.js").Range, lane: number, look: string, number?: number}>} the strokes of
   *   the map, with a class or the number of a label
   */
  paint() {
    return [];
  }

  get #rows() {
    return /** @type {HTMLElement[]} */ ([...(find("[data-differences]")?.children ?? [])]);
  }

  /** Outline the selection. @param {string} tag @param {boolean} reveal */
  #point(tag, reveal) {
    this.#cursor.show(this.selection.range, tag);
    if (reveal) this.#cursor.reveal();
    this.onBlock(this.selection.block);
  }

  #rebuilt() {
    this.#cursor.mount();
    const strokes = this.paint().map(({ range: [start, end], lane, look, number }) => ({
      start,
      end,
      left: lane,
      width: number ? 13 : 20,
      attributes: number ? { "data-n": String(number) } : { class: look },
    }));
    this.#map.show(() => strokes);
    this.#cursor.reveal();
  }
}
