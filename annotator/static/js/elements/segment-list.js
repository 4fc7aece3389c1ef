// The segments in the panel: decided, open, current; nothing that would tell who marked what.

import { isSideBySide, markedBy, outcome, readings } from "../core/segments.js";
import { weight } from "../core/spans.js";
import { element, find, inPageLanguage, onLink, quote } from "./build.js";
import { counted, figure } from "./format.js";
import { keepInSight } from "./in-sight.js";
import { chip } from "./label-chips.js";

export class SegmentList {
  #list = find("[data-segments]");
  #head = find("[data-segments-head]");
  #sum = find("[data-segments-sum]");
  #adjudication;
  #labels;
  #text;
  #isWhole;

  /**
   * @param {{adjudication: import("../core/segments.js").Adjudication, labels: Map<string, {number: number, title: string}>,
   *   text: import("../core/codepoints.js").Text, isWhole: boolean, onPick: (index: number) => void, signal: AbortSignal}} given
   */
  constructor({ adjudication, labels, text, isWhole, onPick, signal }) {
    this.#isWhole = isWhole;
    this.#adjudication = adjudication;
    this.#labels = labels;
    this.#text = text;
    onLink(this.#list, (link) => onPick(Number(link.dataset.index)), signal);
  }

  /** @param {number} current index, -1 for none @param {boolean} isJudged the verdict is decided, so disputes are known */
  show(current, isJudged) {
    const { segments } = this.#adjudication;
    const pieces = segments.flatMap((segment) => segment.pieces.map(({ start, end }) => [start, end]));
    const characters = this.#isWhole ? 0 : weight(pieces, this.#text);
    this.#head.textContent =
      segments.length && current >= 0
        ? interpolate(gettext("Segment %(n)s of %(m)s"), { n: figure(current + 1), m: figure(segments.length) }, true)
        : gettext("Segments");
    this.#sum.textContent = characters
      ? counted(ngettext("1 character in dispute", "%(n)s characters in dispute", characters), characters)
      : isJudged
        ? gettext("no disputes")
        : gettext("after the verdict");
    this.#list.replaceChildren(...segments.map((segment, index) => this.#row(segment, index, index === current)));
    const row = /** @type {HTMLElement|undefined} */ (this.#list.children[current]);
    if (row) keepInSight(row);
  }

  #row(segment, index, isCurrent) {
    return element(
      "li",
      { "aria-current": isCurrent ? "step" : null },
      element(
        "a",
        { href: "#page", "data-index": index },
        element("span", { class: "num" }, String(segment.number)),
        inPageLanguage(quote(this.#text, segment.start, segment.end)),
        this.#state(segment, isCurrent),
        element("span", { class: "meta" }, this.#about(segment)),
      ),
    );
  }

  #state(segment, isCurrent) {
    if (!segment.choice) return element("span", { class: "soft" }, isCurrent ? gettext("current") : gettext("open"));
    const [first] = outcome(segment, this.#adjudication.letters);
    if (!first) return element("span", {}, gettext("Unmarked"));
    return chip(this.#labels.get(first[2]));
  }

  #about(segment) {
    if (segment.choice === "relabel") return gettext("Relabelled");
    if (segment.choice === "neither") return gettext("Chose neither");
    if (this.#isWhole) return gettext("Whole page, unchanged");
    if (segment.choice === "both") return gettext("Chose both");
    if (segment.choice) return interpolate(gettext("Chose %(letter)s"), { letter: segment.choice }, true);
    if (isSideBySide(segment)) return gettext("Adjacent parts, one from each");
    const { letters } = this.#adjudication;
    return readings(segment, letters)
      .map(([first]) => {
        const label = markedBy(segment, letters.indexOf(first))[0]?.[2];
        return label ? this.#labels.get(label).title : gettext("Unmarked");
      })
      .join(gettext(" vs "));
  }
}
