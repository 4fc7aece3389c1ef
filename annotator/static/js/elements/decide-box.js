// The answers to a segment, under it on the page, where the lines after it make room; docked at the bottom of the stage
// where that is out of sight.

import { markedBy, readings } from "../core/segments.js";
import { inFrame } from "../dom/frames.js";
import { GAP, NARROWEST } from "../dom/spacer.js";
import { closest, find, findAll, inPageLanguage, quote } from "./build.js";
import { chip } from "./label-chips.js";

const EDGE = 8;

export class DecideBox {
  #box = find("[data-decide]");
  #stage = find("#page");
  #labels;
  #letters;
  #text;
  #isWhole;
  #under;
  /** Follow the segment, with the next frame. */
  position = inFrame(() => this.#positionNow());

  /**
   * @param {{labels: Map<string, {number: number, key: number, title: string}>, letters: string[],
   *   text: import("../core/codepoints.js").Text, isWhole: boolean, under: import("./adjudicate-view.js").AdjudicateView["under"],
   *   screen: import("./adjudicate-screen.js").AdjudicateScreen, signal: AbortSignal}} given `under` makes room and
   *   returns where it is
   */
  constructor({ labels, letters, text, isWhole, under, screen, signal }) {
    this.#labels = labels;
    this.#letters = letters;
    this.#text = text;
    this.#isWhole = isWhole;
    this.#under = under;
    this.#box.addEventListener(
      "click",
      (event) => {
        const button = closest(event, "button");
        if (button && button.getAttribute("aria-disabled") !== "true") press(screen, button.dataset);
      },
      { signal },
    );
  }

  /** While relabelling: labels, finish and cancel, in place of the answers. @param {import("./relabel.js").Relabelling} relabelling */
  showRelabelling(relabelling) {
    find("[data-answers]", this.#box).hidden = relabelling.isOn;
    find("[data-relabelling]", this.#box).hidden = !relabelling.isOn;
    for (const button of findAll("[data-give]", this.#box)) {
      button.setAttribute(
        "aria-pressed",
        String(button.dataset.give === String(this.#labels.get(relabelling.label)?.key)),
      );
    }
    this.position();
  }

  /** @param {import("../core/segments.js").Segment|null} segment */
  show(segment) {
    this.#box.hidden = !segment;
    if (!segment) return;
    this.#box.setAttribute(
      "aria-label",
      interpolate(gettext("Segment %(n)s: choose the gold marks"), { n: segment.number }, true),
    );
    const distinct = readings(segment, this.#letters);
    for (const button of findAll("[data-choice]", this.#box)) this.#fill(button, segment, distinct);
    this.position();
  }

  /** The lines after the segment make room at once: what is brought into sight then stays there. */
  makeRoom() {
    this.#under(this.#box.hidden ? null : (width) => this.#heightIn(width) + 2 * GAP);
  }

  #positionNow() {
    if (this.#box.hidden) return;
    const { clientWidth, clientHeight } = this.#stage;
    let width = 0;
    let height = 0;
    const spot = this.#under((column) => {
      height = this.#heightIn(column);
      width = this.#box.offsetWidth;
      return height + 2 * GAP;
    });
    const top = spot ? spot.top + GAP : -1;
    const isSeen = top >= EDGE && top + height <= clientHeight - EDGE;
    this.#box.classList.toggle("docked", !isSeen);
    if (!isSeen) this.#box.style.maxWidth = "";
    this.#box.style.transform = isSeen ? `translate(${within(spot, width, clientWidth)}px, ${top}px)` : "";
  }

  /** How high the answers are where they may be so wide. */
  #heightIn(column) {
    this.#box.classList.remove("docked");
    this.#box.style.maxWidth = `min(40rem, ${Math.max(NARROWEST, Math.floor(column))}px, 100% - 1rem)`;
    return this.#box.offsetHeight;
  }

  #fill(button, segment, distinct) {
    const { choice } = button.dataset;
    const index = this.#letters.indexOf(choice);
    button.setAttribute("aria-pressed", String(segment.choice === choice));
    if (choice === "both") button.setAttribute("aria-disabled", String(!segment.can_take_both));
    if (choice === "both" && this.#isWhole) button.hidden = true;
    if (index < 0) return;
    const alike = distinct.find(([first]) => first === choice);
    button.hidden = !alike;
    if (alike) find("[data-name]", button).textContent = this.#isWhole ? gettext("Unchanged") : alike.join(", ");
    find("[data-hint]", button).replaceChildren(...this.#hint(segment, markedBy(segment, index)));
  }

  #hint(segment, spans) {
    if (!spans.length) return [gettext("Unmarked")];
    // Lines break only at spaces.
    const names = [...new Set(spans.map((span) => span[2]))].flatMap((name, index) => [
      index ? " " : "",
      chip(this.#labels.get(name)),
    ]);
    const isPart = spans.length < segment.pieces.length;
    const [start, end] = [spans[0][0], spans[spans.length - 1][1]];
    return isPart ? [...names, " ", inPageLanguage(quote(this.#text, start, end, 28))] : names;
  }
}

/** Where the answers begin: where the segment does, as far as they stay in the column, and in any case on the stage. */
function within({ wanted, left, right }, width, stage) {
  const inColumn = Math.max(left, Math.min(wanted, right - width));
  return Math.max(EDGE, Math.min(inColumn, stage - width - EDGE));
}

/** What a button of the box does. @param {import("./adjudicate-screen.js").AdjudicateScreen} screen @param {DOMStringMap} given */
function press(screen, { choice, give, act }) {
  if (give) screen.relabelling.pick(Number(give));
  else if (act === "finish") screen.finishRelabelling();
  else if (act === "leave") screen.leaveRelabelling();
  else if (choice === "relabel") screen.relabel();
  else screen.choose(choice ?? "");
  screen.stage.focus();
}
