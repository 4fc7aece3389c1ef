// The verdict and, for what is not an article, its reason.

/** @typedef {{verdict: string, reason: string}} Judgement */

/** @param {string} verdict */
export const needsReason = (verdict) => verdict === "not_article";

export class VerdictForm {
  #form;
  #reasons;
  #stage;
  #onChange;

  /**
   * @param {HTMLElement} form holds radios named verdict and reason
   * @param {{stage: import("../dom/stage.js").Stage, onChange: (judgement: Judgement) => void, signal: AbortSignal}} given
   */
  constructor(form, { stage, onChange, signal }) {
    this.#form = form;
    this.#reasons = form.querySelector("[data-reasons]");
    this.#stage = stage;
    this.#onChange = onChange;
    form.addEventListener("change", () => this.#changed(), { signal });
    // After a click of the mouse, Enter and the space bar are for the page again.
    const leave = ({ target }) => target.matches("input:not(:focus-visible)") && stage.focus();
    form.addEventListener("click", leave, { signal });
  }

  /** @param {Judgement} judgement */
  show({ verdict, reason }) {
    for (const radio of this.#radios("verdict")) radio.checked = radio.value === verdict;
    for (const radio of this.#radios("reason")) radio.checked = radio.value === reason;
    const hasFocus = this.isAskingReason;
    this.#reasons.hidden = !needsReason(verdict);
    // What is hidden loses the focus, to nothing.
    if (hasFocus && this.#reasons.hidden) this.#stage.focus();
  }

  /** Choose a verdict by its key; a verdict that needs a reason asks for it. @param {string} verdict */
  choose(verdict) {
    this.#openPanel();
    for (const radio of this.#radios("verdict")) radio.checked = radio.value === verdict;
    this.#changed();
    if (needsReason(verdict)) this.#first("reason").focus();
  }

  /** A digit while the reasons have the focus. @param {number} number @returns {boolean} whether it meant a reason */
  chooseReason(number) {
    const radio = this.#radios("reason")[number - 1];
    if (!radio || !this.isAskingReason) return false;
    radio.checked = true;
    this.#changed();
    return true;
  }

  /** What the form shows. @returns {Judgement} */
  get judgement() {
    const verdict = this.#chosen("verdict");
    return { verdict, reason: needsReason(verdict) ? this.#chosen("reason") : "" };
  }

  get isAskingReason() {
    return !this.#reasons.hidden && this.#reasons.contains(document.activeElement);
  }

  /** What is missing before the page can be submitted: "verdict", "reason" or nothing; it gets the focus. */
  demand({ verdict, reason }) {
    const missing = !verdict ? "verdict" : needsReason(verdict) && !reason ? "reason" : "";
    if (!missing) return "";
    this.#openPanel();
    this.#first(missing).focus();
    return missing;
  }

  #changed() {
    this.#onChange(this.judgement);
  }

  #openPanel() {
    this.#form.closest("details").open = true;
  }

  #chosen(name) {
    return this.#radios(name).find((radio) => radio.checked)?.value ?? "";
  }

  #first(name) {
    return this.#radios(name).find((radio) => radio.checked) ?? this.#radios(name)[0];
  }

  #radios(name) {
    return [...this.#form.querySelectorAll(`input[name="${name}"]`)];
  }
}
