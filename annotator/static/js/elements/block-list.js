// The blocks as a list beside the frame for screen readers: text, marks, whether hidden.
//
// It holds only the blocks around the selection, and has the focus while nothing else does: the captured page in the
// frame is there to be read, this list to be operated.

import { stateOf } from "../core/block-state.js";
import { onceAt } from "../dom/frames.js";
import { closest, element, find, inPageLanguage, quote } from "./build.js";
import { counted } from "./format.js";

const AROUND = 10;
// Characters of a block in its option; "r" reads all of it.
const SHORT = 160;
const SCREENFUL = 0.85;

export class BlockList {
  #list = find("#blocks");
  #aloud = find("[data-aloud]");
  #stage;
  #editor;
  #selection;
  #labels;
  #isHidden;
  #options = new Map();

  /**
   * @param {{stage: import("../dom/stage.js").Stage, editor: import("../core/editor.js").Editor,
   *   selection: import("../dom/selection.js").BlockSelection, labels: Map<string, {title: string}>,
   *   isHidden: (block: number) => boolean, onPick: (block: number) => void, signal: AbortSignal}} given
   *   `onPick` handles a click on an option
   */
  constructor({ stage, editor, selection, labels, isHidden, onPick, signal }) {
    this.#stage = stage;
    this.#editor = editor;
    this.#selection = selection;
    this.#labels = labels;
    this.#isHidden = isHidden;
    // After the frame in which marks are painted, so that painting never waits for the list.
    const later = onceAt(setTimeout, () => this.show());
    editor.addEventListener("change", later, { signal });
    selection.addEventListener("change", later, { signal });
    stage.addEventListener("measured", later, { signal });
    this.#list.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.#list.addEventListener(
      "click",
      (event) => {
        const option = closest(event, "[role=option]");
        if (option) onPick(Number(option.dataset.block));
      },
      { signal },
    );
    stage.home = this.#list;
  }

  /** Show the options around the selection, and which of them is active. */
  show() {
    const { blocks } = this.#stage.view;
    const { block } = this.#selection;
    const first = Math.max(0, block - AROUND);
    const last = Math.min(blocks.length, Math.max(0, block) + AROUND + 1);
    for (const [at, option] of this.#options) if (at < first || at >= last) this.#drop(at, option);
    let before = null;
    for (let at = first; at < last; at += 1) before = this.#put(at, before);
    if (block < 0) this.#list.removeAttribute("aria-activedescendant");
    else this.#list.setAttribute("aria-activedescendant", this.#options.get(block).id);
  }

  /** Have the whole selection read aloud. */
  readAloud() {
    const { range } = this.#selection;
    if (!range) return;
    // Emptied first: the same text again would be no change, and not be read.
    this.#aloud.replaceChildren();
    requestAnimationFrame(() => this.#aloud.append(inPageLanguage(this.#stage.view.text.slice(...range), null)));
  }

  #drop(at, option) {
    option.remove();
    this.#options.delete(at);
  }

  #put(at, before) {
    const option = this.#options.get(at) ?? this.#make(at);
    if (!option.parentElement) {
      if (before) before.after(option);
      else this.#list.prepend(option);
    }
    option.setAttribute("aria-selected", String(this.#isSelected(at)));
    const words = this.#words(at);
    if (option.lastChild.textContent !== words) option.lastChild.textContent = words;
    return option;
  }

  #make(at) {
    const { blocks, text } = this.#stage.view;
    const [start, end] = blocks[at];
    const option = element(
      "div",
      { role: "option", id: `block-${at}`, "data-block": at, "aria-posinset": at + 1, "aria-setsize": blocks.length },
      inPageLanguage(quote(text, start, end, SHORT), null),
      "; ",
      element("span"),
    );
    this.#options.set(at, option);
    return option;
  }

  #isSelected(at) {
    const { range } = this.#selection;
    const [start, end] = this.#stage.view.blocks[at];
    return Boolean(range) && range[0] < end && start < range[1];
  }

  #words(at) {
    const [start, end] = this.#stage.view.blocks[at];
    const parts = [this.#marks(at)];
    if (this.#isHidden(at)) parts.push(gettext("hidden"));
    if (end - start > SHORT) parts.push(counted(ngettext("1 character", "%(n)s characters", end - start), end - start));
    return parts.join(", ");
  }

  #marks(at) {
    const block = this.#editor.clip([this.#stage.view.blocks[at]])[0];
    if (!block) return gettext("not marked");
    const { how, labels } = stateOf(this.#editor.spans, block);
    if (how === "whole") return this.#titled(gettext("marked %(label)s"), labels);
    if (how === "part") return this.#titled(gettext("partly marked %(label)s"), labels);
    if (how === "parts") return this.#titled(gettext("marked in parts: %(label)s"), labels);
    const offered = stateOf(this.#editor.ghosts, block);
    return offered.how === "none"
      ? gettext("not marked")
      : this.#titled(gettext("suggested: %(label)s"), offered.labels);
  }

  #titled(words, labels) {
    const titles = labels.map((label) => this.#labels.get(label).title);
    return interpolate(words, { label: titles.join(", ") }, true);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowDown: () => this.#selection.step(1, event.shiftKey),
      ArrowUp: () => this.#selection.step(-1, event.shiftKey),
      Home: () => this.#toEnd(1),
      End: () => this.#toEnd(-1),
      PageDown: () => this.#leap(1),
      PageUp: () => this.#leap(-1),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  #toEnd(way) {
    const { blocks } = this.#stage.view;
    let at = way > 0 ? 0 : blocks.length - 1;
    while (at >= 0 && at < blocks.length && this.#selection.passes(at)) at += way;
    if (blocks[at]) this.#selection.select(at, true);
  }

  /** Move by a screenful. */
  #leap(way) {
    const { geometry, view } = this.#stage;
    const from = this.#selection.block < 0 ? view.window.scrollY : geometry.top[this.#selection.block];
    const to = from + way * view.window.innerHeight * SCREENFUL;
    const isThere = (top, at) => top >= to && !this.#selection.passes(at);
    const at = geometry.top.findIndex(isThere);
    if (at < 0 || to < 0) this.#toEnd(way > 0 ? -1 : 1);
    else this.#selection.select(at, true);
  }
}
