// Find: a small bar over the page. Enter and Shift Enter walk, Esc leaves the hit selected.

import { Search } from "../core/search.js";
import { indexAt } from "../core/spans.js";
import { find } from "./build.js";
import { figure } from "./format.js";

const LAYER = "goldpan-hit";

export class Finder {
  #stage;
  #go;
  #isHidden;
  #bar = find("[data-find]");
  /** @type {HTMLInputElement} */
  #field = find("#find");
  #state = find("[data-find-state]");
  /** @type {Search|null} */
  #search = null;
  #from = 0;
  #found = [];
  #at = -1;

  /**
   * @param {{stage: import("../dom/stage.js").Stage, isHidden: (block: number) => boolean,
   *   onGo: (range: [number, number]) => void, signal: AbortSignal}} given `onGo` shows and selects a hit
   */
  constructor({ stage, isHidden, onGo, signal }) {
    this.#stage = stage;
    this.#isHidden = isHidden;
    this.#go = onGo;
    this.#field.addEventListener("input", () => this.#look(), { signal });
    this.#bar.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    const acts = { previous: () => this.#step(-1), next: () => this.#step(1), close: () => this.close() };
    for (const [name, act] of Object.entries(acts)) {
      find(`[data-find-${name}]`).addEventListener("click", act, { signal });
    }
    stage.addEventListener("built", () => this.#paint(), { signal });
  }

  /** @param {[number, number]|null} range the selection: hits after it come first */
  open(range) {
    const { view } = this.#stage;
    this.#search ??= new Search(view.text, view.blocks);
    this.#from = range?.[0] ?? 0;
    this.#bar.hidden = false;
    this.#field.focus();
    this.#field.select();
    this.#look();
  }

  /** The last hit stays selected. */
  close() {
    this.#bar.hidden = true;
    this.#found = [];
    this.#at = -1;
    this.#paint();
    this.#stage.focus();
  }

  #pressed(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.#field) this.#step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  // While typing, the view does not change: hidden hits are shown on Enter.
  #look() {
    this.#found = this.#search?.find(this.#field.value) ?? [];
    const first = this.#found.length ? indexAt(this.#found, this.#from) : -1;
    const order = [...this.#found.keys()].map((i) => (first + i) % this.#found.length);
    const after = order.filter((i) => this.#found[i][0] >= this.#from);
    this.#at = [...after, ...order].find((i) => !this.#hides(i)) ?? after[0] ?? first;
    this.#paint();
    this.#say();
    if (this.#at >= 0 && !this.#hides(this.#at)) this.#go(this.#found[this.#at]);
  }

  #step(by) {
    const { length } = this.#found;
    if (!length) return;
    this.#at = (this.#at + by + length) % length;
    this.#from = this.#found[this.#at][0];
    this.#go(this.#found[this.#at]);
    this.#say();
  }

  #hides(i) {
    return this.#isHidden(this.#stage.view.blockAt(this.#found[i][0]));
  }

  #say() {
    const { length } = this.#found;
    if (!this.#field.value.trim()) this.#state.textContent = "";
    else if (!length) this.#state.textContent = gettext("No results");
    else {
      const words = interpolate(gettext("%(n)s of %(m)s"), { n: figure(this.#at + 1), m: figure(length) }, true);
      this.#state.textContent = this.#hides(this.#at) ? `${words} · ${gettext("hidden")}` : words;
    }
  }

  #paint() {
    this.#stage.painter.show(LAYER, this.#found, 3);
  }
}
