// The adjudication screen: the verdict first, then segment by segment, one key each.

import { Adjudication, outcome } from "../core/segments.js";
import { quoted } from "../core/spans.js";
import { AdjudicateView } from "./adjudicate-view.js";
import { announce, find } from "./build.js";
import { DecideBox } from "./decide-box.js";
import { counted, figure } from "./format.js";
import { signInAgain } from "./notices.js";
import { Relabelling } from "./relabel.js";
import { showRules } from "./rules.js";
import { SaveState } from "./save-state.js";
import { SegmentList } from "./segment-list.js";
import { needsReason, VerdictForm } from "./verdict.js";

export class AdjudicateScreen {
  #payload;
  #sender;
  #notices;
  #view;
  #box;
  #list;
  #form;
  #verdict;
  #current = -1;
  #isLeaving = false;

  constructor({ payload, stage, sender, notices, signal }) {
    this.#payload = payload;
    this.#sender = sender;
    this.#notices = notices;
    this.stage = stage;
    this.letters = payload.letters;
    this.#verdict = { ...payload.verdict };
    const labels = new Map(payload.labels.map((label) => [label.name, label]));
    const { text } = stage.view;
    this.adjudication = new Adjudication(payload.segments, payload.letters);
    this.relabelling = new Relabelling({ stage, labels, signal });
    this.#view = new AdjudicateView({
      stage,
      adjudication: this.adjudication,
      labels,
      agreed: payload.agreed,
      relabelling: this.relabelling,
      isWhole: payload.whole,
      onMove: () => this.#box?.position(),
      signal,
    });
    this.#box = new DecideBox({
      labels,
      letters: payload.letters,
      text,
      isWhole: payload.whole,
      under: (fit) => this.#view.under(fit),
      screen: this,
      signal,
    });
    this.#list = new SegmentList({
      adjudication: this.adjudication,
      labels,
      text,
      isWhole: payload.whole,
      onPick: (index) => this.#pick(index),
      signal,
    });
    const onChange = (judgement) => this.#judge(judgement);
    this.#form = new VerdictForm(find("[data-verdict]"), { stage, onChange, signal });
    new SaveState(find("[data-saved]"), sender, signal).show();
    this.#bind(signal);
  }

  /** Whether the adjudicator may still decide the verdict: its keys take precedence over letters of the same name. */
  get isJudging() {
    return ["", "you"].includes(this.#verdict.by) && (!this.#verdict.decided || this.#form.isAskingReason);
  }

  open() {
    this.stage.show();
    this.#showVerdict();
    find("[data-verdict]").hidden = this.#verdict.by === "both";
    this.#go(this.adjudication.nextOpen(0));
    this.stage.focus();
  }

  /** Handlers of the mouse: they relabel the segment, or else select the segment under the pointer. @returns {import("../dom/gestures.js").Gestures} */
  gestures() {
    const pick = ([start, end]) => {
      const index = this.adjudication.segments.findIndex((segment) => segment.start < end && start < segment.end);
      if (index >= 0 && !this.#payload.whole) this.#go(index);
    };
    const { blocks } = this.stage.view;
    const idle = { click: (block) => pick(blocks[block]), extend: () => {}, drag: pick, word: pick };
    const current = () => (this.relabelling.isOn ? this.relabelling.gestures : idle);
    return {
      click: (block) => current().click(block),
      extend: (block) => current().extend(block),
      drag: (range, isRemoval) => current().drag(range, isRemoval),
      word: (range) => current().word(range),
    };
  }

  /** @param {string} choice a letter, "both", "neither" */
  choose(choice) {
    // A page that is reviewed as a whole has one version.
    if (choice === "both" && this.#payload.whole) return false;
    if (!this.#isJudged()) return undefined;
    const segment = this.adjudication.segments[this.#current];
    if (segment && !this.adjudication.allows(segment, choice))
      return this.#tell(gettext("Cannot take both: one adds nothing to the other, or they conflict"));
    if (!this.adjudication.choose(this.#current, choice)) return false;
    this.#next();
    return true;
  }

  /** One answer to all segments that are still open. @param {string} choice a letter, "neither" */
  chooseRest(choice) {
    if (!this.#isJudged()) return undefined;
    const answered = this.adjudication.chooseRest(choice);
    if (!answered) return false;
    this.#next();
    const what = choice === "neither" ? gettext("Unmarked") : choice;
    this.#tell(
      interpolate(
        ngettext(
          "%(what)s for the last segment: Ctrl ↵ submits, Ctrl Z undoes",
          "%(what)s for the remaining %(n)s segments: Ctrl ↵ submits, Ctrl Z undoes",
          answered,
        ),
        { n: figure(answered), what },
        true,
      ),
    );
    return true;
  }

  /** Relabel the segment, starting from nothing, or from the present marks where the whole page is reviewed. */
  relabel() {
    const segment = this.adjudication.segments[this.#current];
    if (!segment || !this.#isJudged()) return undefined;
    const present = segment.choice || (this.#payload.whole ? this.letters[0] : "");
    this.relabelling.begin(
      segment,
      segment.choice === "relabel" || this.#payload.whole ? outcome(segment, this.letters, present) : [],
    );
    this.#refresh(true);
    this.#tell(gettext("Mark the segment, then choose Done"));
    this.stage.focus();
    return true;
  }

  /** The marks become the answer; no marks mean "neither". */
  finishRelabelling() {
    if (this.#isSent()) return;
    const { spans } = this.relabelling;
    this.relabelling.end();
    if (spans.length) this.adjudication.choose(this.#current, "relabel", spans);
    else this.adjudication.choose(this.#current, "neither");
    this.#next();
  }

  leaveRelabelling() {
    this.relabelling.end();
    this.#refresh();
    this.#tell("");
  }

  undo() {
    if (this.relabelling.isOn) return this.relabelling.undo() || this.leaveRelabelling();
    if (this.#isSent()) return undefined;
    const index = this.adjudication.undo();
    if (index < 0) return this.#tell(gettext("Nothing to undo"));
    this.#tell("");
    return this.#go(index);
  }

  /** @param {1|-1} by */
  step(by) {
    const { length } = this.adjudication.segments;
    if (length) this.#go(this.#current < 0 ? 0 : (this.#current + by + length) % length);
  }

  /** @param {number} number */
  digit(number) {
    const isReason = this.#form.chooseReason(number);
    if (isReason) this.stage.focus();
    return isReason;
  }

  /** @param {string} key */
  judgeBy(key) {
    const verdict = this.#payload.verdicts.find((each) => each.key === key);
    if (verdict) this.#form.choose(verdict.name);
    return Boolean(verdict);
  }

  async submit() {
    if (this.relabelling.isOn) return undefined;
    // A verdict that is chosen and lacks its reason was not sent.
    const chosen = this.#form.judgement;
    if (chosen.verdict && chosen.verdict !== this.#verdict.decided && this.#form.demand(chosen)) return undefined;
    if (!this.#verdict.decided) return this.#form.demand({ verdict: "", reason: "" });
    const { open } = this.adjudication;
    if (open && !this.#payload.whole) {
      this.#tell(counted(ngettext("1 segment is still open", "%(n)s segments are still open", open), open));
      return this.#go(this.adjudication.nextOpen(Math.max(0, this.#current)));
    }
    return this.#leave(this.#payload.urls.submit, () => ({ shown: this.#shown() }));
  }

  defer() {
    return this.#leave(this.#payload.urls.defer);
  }

  leave() {
    find(":popover-open")?.hidePopover();
    this.stage.focus();
    return false;
  }

  async #judge({ verdict, reason }) {
    if (!verdict || (needsReason(verdict) && !reason)) return this.#form.show({ verdict, reason });
    if (verdict === this.#verdict.decided && reason === this.#verdict.reason) return undefined;
    if (this.#isSent()) return this.#showVerdict();
    const { status, data } = await this.#sender.send(this.#payload.urls.verdict, { verdict, reason });
    if (status !== 200) {
      this.#showVerdict();
      return this.#refused(status, data);
    }
    this.#verdict = { ...this.#verdict, decided: data.decided, reason: data.reason, by: "you" };
    this.adjudication.replace(data.segments);
    this.#view.agree(data.agreed);
    this.#showVerdict();
    this.#tell("");
    this.#go(this.adjudication.nextOpen(0));
    // Arrow keys choose among the verdicts: the focus stays there.
    if (!find("[data-verdict]").contains(document.activeElement)) this.stage.focus();
    return undefined;
  }

  #showVerdict() {
    this.#form.show({ verdict: this.#verdict.decided, reason: this.#verdict.reason });
  }

  async #decided({ segments, choice, marks }) {
    const spans = quoted(marks ?? [], this.stage.view.text);
    const clause = segments.length === 1 ? (segments[0].clause ?? "") : "";
    const body = { segments: segments.map(({ number }) => number), choice, clause, spans };
    const { status, data } = await this.#sender.send(this.#payload.urls.decide, body);
    if (status !== 200) this.#refused(status, data);
  }

  /** What is submitted: the server compares it with what it has, as another window may have decided something else. */
  #shown() {
    const { decided, reason } = this.#verdict;
    const segments = this.adjudication.segments.map(({ number, choice, marks }) => [number, choice, marks ?? null]);
    return { verdict: decided, reason, segments };
  }

  /** @param {string} url @param {object|(() => object)} body */
  async #leave(url, body = {}) {
    if (this.#isLeaving) return undefined;
    this.#isLeaving = true;
    const { status, data } = await this.#sender.send(url, body);
    if (status === 200) return location.assign(data.next ?? this.#payload.urls.home);
    this.#isLeaving = false;
    return this.#refused(status, data);
  }

  #refused(status, data) {
    const words = data?.error ?? interpolate(gettext("The server rejected the request (%(status)s)"), { status }, true);
    this.#notices.show("refused", words, { bad: true, buttons: [[gettext("Reload"), () => location.reload()]] });
  }

  #askToSignIn() {
    const { state } = this.#sender;
    if (state === "signed-out") {
      const { text, buttons } = signInAgain(this.#payload.urls.home, () => this.#sender.retry());
      this.#notices.show("signed-out", text, { bad: true, buttons });
      // What is decided meanwhile waits for the same.
    } else if (state !== "saving") this.#notices.hide("signed-out");
  }

  /** What is decided after the page was sent, and before the server has answered, would be part of nothing. */
  #isSent() {
    if (this.#isLeaving) this.#tell(gettext("Not changed: waiting for the server"));
    return this.#isLeaving;
  }

  #isJudged() {
    if (this.#isSent()) return false;
    if (!this.#verdict.decided) this.#tell(gettext("Select a verdict first"));
    return Boolean(this.#verdict.decided);
  }

  #pick(index) {
    if (this.relabelling.isOn) this.leaveRelabelling();
    this.#go(index);
    this.stage.focus();
  }

  #next() {
    this.#tell("");
    this.#go(this.adjudication.nextOpen(this.#current + 1));
    if (!this.adjudication.open) this.#tell(gettext("All segments decided: submit the page"));
  }

  #go(index) {
    const { segments } = this.adjudication;
    this.#current = index < 0 && segments.length ? Math.max(0, this.#current) : index;
    this.#refresh(true);
    if (this.#current < 0 || this.#payload.whole || this.#view.cursor.rect || this.stage.mode === "reading") return;
    this.stage.switchTo("reading");
    this.#tell(gettext("Page view hides this segment; showing Reading view"));
  }

  #refresh(reveal) {
    const { segments, open, canUndo } = this.adjudication;
    const segment = (this.#verdict.decided && segments[this.#current]) || null;
    this.#view.show(this.#current, reveal);
    this.#box.showRelabelling(this.relabelling);
    this.#box.show(segment);
    this.#box.makeRoom();
    this.#list.show(this.#current, Boolean(this.#verdict.decided));
    this.#showReason(segment);
    find("[data-undo]").setAttribute("aria-disabled", String(!canUndo));
    const isOpen = open > 0 && !this.#payload.whole;
    find("[data-submit]").setAttribute(
      "aria-disabled",
      String(isOpen || this.relabelling.isOn || !this.#verdict.decided),
    );
    find("[data-verdict-words]").textContent = this.#verdictWords();
  }

  #showReason(segment) {
    showRules(...(segment?.pieces ?? []).flatMap(({ labels }) => labels));
    const field = find("[data-reason]");
    if (!field) return;
    field.hidden = !segment;
    /** @type {HTMLSelectElement} */
    const clause = find("[data-clause]");
    clause.value = segment?.clause ?? "";
  }

  #verdictWords() {
    const { decided, by } = this.#verdict;
    const title = this.#payload.verdicts.find(({ name }) => name === decided)?.title;
    if (!title) return gettext("No verdict yet");
    const words = { nobody: gettext("%(verdict)s (current)"), both: gettext("%(verdict)s (unanimous)") }[by];
    return interpolate(words ?? gettext("%(verdict)s (your decision)"), { verdict: title }, true);
  }

  #tell(words) {
    announce(find("[data-message]"), words);
  }

  #bind(signal) {
    const acts = {
      "[data-undo]": () => this.undo(),
      "[data-submit]": () => this.submit(),
      "[data-defer]": () => this.defer(),
    };
    for (const [selector, act] of Object.entries(acts)) find(selector).addEventListener("click", act, { signal });
    /** @type {HTMLSelectElement|null} */
    const clause = find("[data-clause]");
    clause?.addEventListener(
      "change",
      () => {
        if (this.#isSent()) this.#refresh();
        else this.adjudication.cite(this.#current, clause.value);
      },
      { signal },
    );
    this.relabelling.addEventListener(
      "change",
      () => {
        if (this.relabelling.isOn) this.#view.repaint();
        this.#box.showRelabelling(this.relabelling);
      },
      { signal },
    );
    this.adjudication.addEventListener("change", ({ detail }) => this.#decided(detail), { signal });
    addEventListener(
      "beforeunload",
      (event) => {
        if (!this.#sender.isEmpty) event.preventDefault();
      },
      { signal },
    );
    this.#sender.addEventListener("state", () => this.#askToSignIn(), { signal });
    addEventListener("online", () => this.#sender.retry(), { signal });
  }
}
