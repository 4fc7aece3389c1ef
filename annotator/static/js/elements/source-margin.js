// The margin beside a captured page: where each interval of gold comes from, by shape and word, at its height.

import { element } from "./build.js";

// Pixels between two words, so that each can be read.
const APART = 18;

export class SourceMargin {
  #box;
  #stage;
  #intervals;
  #sources;

  /**
   * @param {{box: HTMLElement, stage: import("../dom/stage.js").Stage, signal: AbortSignal,
   *   intervals: Array<{start: number, end: number, kind: string, clause: string}>,
   *   sources: Record<string, {shape: string, title: string}>}} given
   */
  constructor({ box, stage, intervals, sources, signal }) {
    this.#box = box;
    this.#stage = stage;
    this.#intervals = intervals;
    this.#sources = sources;
    stage.addEventListener("built", () => box.replaceChildren(), { signal });
    stage.addEventListener("measured", () => this.#draw(), { signal });
    stage.onDocument((view, frameSignal) => {
      view.window.addEventListener("scroll", () => this.#follow(), { signal: frameSignal, passive: true });
    });
  }

  #draw() {
    const words = [];
    let last = { bottom: -APART, words: "" };
    for (const interval of this.#placed()) {
      const source = this.#sources[interval.kind];
      const text = [interval.clause, source.title].filter(Boolean).join(" ");
      // Neighbours with the same source share one word.
      if (interval.top < last.bottom || (last.words === text && interval.top < last.bottom + APART)) continue;
      words.push(this.#word(interval.top, text, source.shape, interval.kind));
      last = { bottom: interval.top + APART, words: text };
    }
    this.#box.replaceChildren(...words);
    this.#follow();
  }

  /** The intervals that can be seen, from the top down, with the height at which each begins. */
  #placed() {
    const { view } = this.#stage;
    const { scrollY } = view.window;
    return this.#intervals
      .map((interval) => ({ ...interval, box: view.range(interval.start, interval.end).getClientRects()[0] }))
      .filter(({ box }) => box && box.height > 0)
      .map((interval) => ({ ...interval, top: interval.box.top + scrollY }))
      .sort((a, b) => a.top - b.top);
  }

  #word(top, text, shape, kind) {
    const word = element(
      "span",
      { class: kind === "adjudicated" ? "adjudicated" : "" },
      element("span", { class: "words" }, text),
      element("span", { class: "from-key" }, shape),
    );
    word.style.top = `${top.toFixed(0)}px`;
    return word;
  }

  #follow() {
    this.#box.style.transform = `translateY(${-this.#stage.view.window.scrollY}px)`;
  }
}
