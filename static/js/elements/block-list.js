// The blocks as a list beside the frame, for those who hear the page: text, marks, hidden or not.
//
// It holds only the blocks around the choice, however many the page has, and it has the keys while nothing else
// does: the captured page in the frame is there to be read, this list to be worked in.

import { stateOf } from "../core/block-state.js";
import { element, find, quote } from "./build.js";
import { count, say } from "./words.js";

const AROUND = 10;
// Characters of a block that its line gives; "r" reads it whole.
const SHORT = 160;
const SCREENFUL = 0.85;

export class BlockList {
  #list = find("#blocks");
  #aloud = find("[data-aloud]");
  #stage;
  #editor;
  #choice;
  #labels;
  #language;
  #isHidden;
  #options = new Map();
  #isDue = false;

  /**
   * @param {{stage: import("../dom/stage.js").Stage, editor: import("../core/editor.js").Editor,
   *   choice: import("../dom/choice.js").Choice, labels: Map<string, {title: string}>, language: string,
   *   isHidden: (block: number) => boolean, onPick: (block: number) => void, signal: AbortSignal}} given
   *   the language of the page, and what a click on a line does
   */
  constructor({ stage, editor, choice, labels, language, isHidden, onPick, signal }) {
    this.#stage = stage;
    this.#editor = editor;
    this.#choice = choice;
    this.#labels = labels;
    this.#language = language;
    this.#isHidden = isHidden;
    const later = () => this.#showSoon();
    editor.addEventListener("change", later, { signal });
    choice.addEventListener("change", later, { signal });
    stage.addEventListener("measured", later, { signal });
    this.#list.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.#list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) onPick(Number(option.dataset.block));
    }, { signal });
    stage.home = this.#list;
  }

  /** The lines around the choice, and which of them it is. */
  show() {
    const { blocks } = this.#stage.view;
    const { block } = this.#choice;
    const first = Math.max(0, block - AROUND);
    const last = Math.min(blocks.length, Math.max(0, block) + AROUND + 1);
    for (const [at, option] of this.#options) if (at < first || at >= last) this.#drop(at, option);
    let before = null;
    for (let at = first; at < last; at += 1) before = this.#put(at, before);
    if (block < 0) this.#list.removeAttribute("aria-activedescendant");
    else this.#list.setAttribute("aria-activedescendant", this.#options.get(block).id);
  }

  /** All that is chosen, aloud. */
  readAloud() {
    const { range } = this.#choice;
    if (!range) return;
    // Emptied first: the same words a second time are no change, and would not be read.
    this.#aloud.replaceChildren();
    requestAnimationFrame(() => this.#aloud.append(
      element("span", { lang: this.#language || null }, this.#stage.view.text.slice(...range))));
  }

  // After the frame in which marks are painted, so that painting never waits for the list.
  #showSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.show();
    });
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
    option.setAttribute("aria-selected", String(this.#isChosen(at)));
    const words = this.#words(at);
    if (option.lastChild.textContent !== words) option.lastChild.textContent = words;
    return option;
  }

  #make(at) {
    const { blocks, text } = this.#stage.view;
    const [start, end] = blocks[at];
    const option = element("div", {
      role: "option", id: `block-${at}`, "data-block": at, "aria-posinset": at + 1, "aria-setsize": blocks.length,
    }, element("span", { lang: this.#language || null }, quote(text, start, end, SHORT)), "; ", element("span"));
    this.#options.set(at, option);
    return option;
  }

  #isChosen(at) {
    const { range } = this.#choice;
    const [start, end] = this.#stage.view.blocks[at];
    return Boolean(range) && range[0] < end && start < range[1];
  }

  #words(at) {
    const [start, end] = this.#stage.view.blocks[at];
    const parts = [this.#marks(at)];
    if (this.#isHidden(at)) parts.push(say("hidden"));
    if (end - start > SHORT) parts.push(count(end - start, "1 character", "{n} characters"));
    return parts.join(", ");
  }

  #marks(at) {
    const block = this.#editor.clip([this.#stage.view.blocks[at]])[0];
    if (!block) return say("not marked");
    const { how, labels } = stateOf(this.#editor.spans, block);
    if (how === "whole") return this.#titled("marked {label}", labels);
    if (how === "part") return this.#titled("partly marked {label}", labels);
    if (how === "parts") return this.#titled("marked in parts: {label}", labels);
    const offered = stateOf(this.#editor.ghosts, block);
    return offered.how === "none" ? say("not marked") : this.#titled("suggested: {label}", offered.labels);
  }

  #titled(words, labels) {
    return say(words, { label: labels.map((label) => this.#labels.get(label).title).join(", ") });
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowDown: () => this.#choice.step(1, event.shiftKey),
      ArrowUp: () => this.#choice.step(-1, event.shiftKey),
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
    const { geometry } = this.#stage;
    let at = way > 0 ? 0 : blocks.length - 1;
    while (at >= 0 && at < blocks.length && geometry.isHidden(at)) at += way;
    if (blocks[at]) this.#choice.take(at, true);
  }

  /** A screenful on: as far as the page itself would have been scrolled. */
  #leap(way) {
    const { geometry, view } = this.#stage;
    const from = this.#choice.block < 0 ? view.window.scrollY : geometry.top[this.#choice.block];
    const to = from + way * view.window.innerHeight * SCREENFUL;
    const isThere = (top, at) => !geometry.hidden[at] && top >= to;
    const at = geometry.top.findIndex(isThere);
    if (at < 0 || to < 0) this.#toEnd(way > 0 ? -1 : 1);
    else this.#choice.take(at, true);
  }
}
