// A stale save: both versions side by side, and the choice between them.

import { within, without } from "../core/spans.js";
import { element, find, inPageLanguage, quote } from "./build.js";
import { counted, time } from "./format.js";
import { chip } from "./label-chips.js";

export class BothVersions {
  #dialog = find("#both");
  #labels;
  #verdicts;
  #reasons;
  #text;

  /**
   * @param {{labels: Map<string, {number: number, title: string}>, verdicts: Map<string, string>,
   *   reasons: Map<string, string>, text: import("../core/codepoints.js").Text}} given
   */
  constructor({ labels, verdicts, reasons, text }) {
    this.#labels = labels;
    this.#verdicts = verdicts;
    this.#reasons = reasons;
    this.#text = text;
  }

  /** @param {object} mine @param {object} other states: spans, verdict, reason, note, saved_at */
  show(mine, other) {
    this.#fill("[data-mine]", mine, other);
    this.#fill("[data-other]", other, mine);
    this.#dialog.showPopover();
  }

  hide() {
    if (this.#dialog.matches(":popover-open")) this.#dialog.hidePopover();
  }

  #fill(selector, version, against) {
    const labels = [...this.#labels.keys()];
    const only = labels.flatMap((label) => without(of(version.spans, label), of(against.spans, label)));
    const same = labels.flatMap((label) => within(of(version.spans, label), of(against.spans, label)));
    const verdict = this.#verdicts.get(version.verdict) ?? gettext("No verdict");
    const reason = this.#reasons.get(version.reason);
    find(selector, this.#dialog).replaceChildren(
      element(
        "p",
        { class: "meta" },
        version.saved_at
          ? interpolate(gettext("Saved %(time)s"), { time: time(version.saved_at) }, true)
          : gettext("In this window"),
      ),
      element("p", {}, reason ? `${verdict}, ${reason}` : verdict),
      element("p", { class: "quote" }, version.note ?? ""),
      element("h3", {}, only.length ? gettext("Only here") : gettext("Nothing beyond the other version")),
      element("ol", { class: "outline" }, ...only.sort((a, b) => a[0] - b[0]).map((span) => this.#row(span))),
      element("p", { class: "meta" }, counted(gettext("Marks in both: %(n)s"), same.length)),
    );
  }

  #row([start, end, label]) {
    return element("li", {}, chip(this.#labels.get(label)), " ", inPageLanguage(quote(this.#text, start, end)));
  }
}

const of = (spans, label) => spans.filter((span) => span[2] === label);
