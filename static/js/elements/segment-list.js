// The segments in the panel: settled, open, now; nothing that lets a letter be matched with a habit.

import { isSideBySide, markedBy, outcome, readings } from "../core/segments.js";
import { element, find, quote } from "./build.js";
import { keepInSight } from "./in-sight.js";
import { count, figure, say } from "./words.js";

export class SegmentList {
  #list = find("[data-segments]");
  #head = find("[data-segments-head]");
  #sum = find("[data-segments-sum]");
  #settlement;
  #labels;
  #text;
  #isWhole;

  /**
   * @param {{settlement: import("../core/segments.js").Settlement, labels: Map<string, {number: number, title: string}>,
   *   text: import("../core/codepoints.js").Text, isWhole: boolean, onPick: (index: number) => void, signal: AbortSignal}} given
   */
  constructor({ settlement, labels, text, isWhole, onPick, signal }) {
    this.#isWhole = isWhole;
    this.#settlement = settlement;
    this.#labels = labels;
    this.#text = text;
    this.#list.addEventListener("click", (event) => {
      const row = event.target.closest("a");
      if (!row) return;
      event.preventDefault();
      onPick(Number(row.dataset.index));
    }, { signal });
  }

  /** @param {number} current index, -1 for none @param {boolean} isJudged the verdict stands, so disputes are known */
  show(current, isJudged) {
    const { segments } = this.#settlement;
    const characters = this.#isWhole ? 0 : segments.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#head.textContent = segments.length && current >= 0
      ? say("Segment {n} of {m}", { n: figure(current + 1), m: figure(segments.length) }) : say("Segments");
    this.#sum.textContent = characters
      ? count(characters, "1 character in dispute", "{n} characters in dispute") : say(isJudged ? "nothing is in dispute" : "after the verdict");
    this.#list.replaceChildren(...segments.map((segment, index) => this.#row(segment, index, index === current)));
    const row = this.#list.children[current];
    if (row) keepInSight(row);
  }

  #row(segment, index, isCurrent) {
    return element("li", { "aria-current": isCurrent ? "step" : null }, element("a", { href: "#page", "data-index": index },
      element("span", { "class": "num" }, String(segment.number)),
      element("span", { "class": "quote" }, quote(this.#text, segment.start, segment.end)),
      this.#state(segment, isCurrent),
      element("span", { "class": "meta" }, this.#about(segment))));
  }

  #state(segment, isCurrent) {
    if (!segment.choice) return element("span", { "class": "soft" }, isCurrent ? say("now") : say("open"));
    const [first] = outcome(segment, this.#settlement.letters);
    if (!first) return element("span", {}, say("nothing"));
    const { number, title } = this.#labels.get(first[2]);
    return element("span", { "class": "label", "data-n": number }, title);
  }

  #about(segment) {
    if (segment.choice === "anew") return say("marked anew");
    if (this.#isWhole) return segment.choice === "neither" ? say("took neither") : say("the whole page, as it stands");
    if (segment.choice === "both") return say("took both");
    if (segment.choice === "neither") return say("took neither");
    if (segment.choice) return say("took {letter}", { letter: segment.choice });
    if (isSideBySide(segment)) return say("parts side by side, one from each");
    const { letters } = this.#settlement;
    const sayings = readings(segment, letters).map(([first]) => markedBy(segment, letters.indexOf(first))[0]?.[2]);
    return sayings.map((label) => say("one says {what}", { what: label ? this.#labels.get(label).title : say("nothing") })).join(", ");
  }
}
