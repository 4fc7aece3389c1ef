// The adjudication screen: the verdict first, then segment by segment, one key each.

import { Settlement, outcome } from "../core/segments.js";
import { AdjudicateView } from "./adjudicate-view.js";
import { find } from "./build.js";
import { DecideBox } from "./decide-box.js";
import { MarkAnew } from "./mark-anew.js";
import { toggleKeys } from "./popovers.js";
import { goToRules, showRules } from "./rules.js";
import { SaveState } from "./save-state.js";
import { SegmentList } from "./segment-list.js";
import { VerdictForm } from "./verdict.js";
import { count, say } from "./words.js";

export class AdjudicateScreen {
  #bench;
  #sender;
  #notices;
  #view;
  #box;
  #list;
  #form;
  #verdict;
  #current = -1;
  #isLeaving = false;

  constructor({ bench, stage, sender, notices, signal }) {
    this.#bench = bench;
    this.#sender = sender;
    this.#notices = notices;
    this.stage = stage;
    this.letters = bench.letters;
    this.#verdict = { ...bench.verdict };
    const labels = new Map(bench.labels.map((label) => [label.name, label]));
    const { text } = stage.view;
    this.settlement = new Settlement(bench.segments, bench.letters);
    this.anew = new MarkAnew({ stage, labels, signal });
    this.#view = new AdjudicateView({
      stage, settlement: this.settlement, labels, agreed: bench.agreed, anew: this.anew, isWhole: bench.whole,
      onMove: () => this.#box?.place(), signal,
    });
    this.#box = new DecideBox({
      labels, letters: bench.letters, text, isWhole: bench.whole, under: (fit) => this.#view.under(fit), screen: this, signal,
    });
    this.#list = new SegmentList({
      settlement: this.settlement, labels, text, isWhole: bench.whole, onPick: (index) => this.#pick(index), signal,
    });
    this.#form = new VerdictForm(find("[data-verdict]"), {
      needsReason: "not_article", onChange: (judgement) => this.#judge(judgement), signal,
    });
    new SaveState(find("[data-saved]"), sender, signal).show();
    this.#bind(signal);
  }

  /** Whether the verdict is hers to settle: its keys come before letters of the same name. */
  get isJudging() {
    return ["", "you"].includes(this.#verdict.by) && (!this.#verdict.settled || this.#form.isAskingReason);
  }

  open() {
    this.stage.show();
    this.#form.show({ verdict: this.#verdict.settled, reason: this.#verdict.reason });
    find("[data-verdict]").hidden = this.#verdict.by === "both";
    this.#go(this.settlement.nextOpen(0));
    this.stage.focus();
  }

  /** What the mouse asks for: marks while she marks anew, else the segment under it. @returns {import("../dom/gestures.js").Hands} */
  hands() {
    const pick = ([start, end]) => {
      const index = this.settlement.segments.findIndex((segment) => segment.start < end && start < segment.end);
      if (index >= 0 && !this.#bench.whole) this.#go(index);
    };
    const { blocks } = this.stage.view;
    const idle = { click: (block) => pick(blocks[block]), extend: () => {}, drag: pick, word: pick };
    return Object.fromEntries(Object.keys(idle).map((name) => [name, (...given) => (this.anew.isOn ? this.anew.hands : idle)[name](...given)]));
  }

  /** @param {string} choice a letter, "both", "neither" */
  choose(choice) {
    if (!this.#isJudged()) return undefined;
    const segment = this.settlement.segments[this.#current];
    if (segment && !this.settlement.allows(segment, choice)) return this.#tell(say("Both together say nothing that one alone does not, or they contradict each other"));
    if (!this.settlement.choose(this.#current, choice)) return false;
    this.#next("");
    return true;
  }

  /** One answer to all that is left. @param {string} choice a letter, "neither" */
  chooseRest(choice) {
    if (!this.#isJudged()) return undefined;
    const answered = this.settlement.chooseRest(choice);
    if (!answered) return false;
    this.#next("");
    const what = choice === "neither" ? say("nothing") : choice;
    this.#tell(count(answered, "{what} for the last segment: Ctrl ↵ settles, Ctrl Z takes it back",
      "{what} for the {n} segments that were left: Ctrl ↵ settles, Ctrl Z takes it back", { what }));
    return true;
  }

  /** Mark the segment herself, from nothing, or from what stands where the whole page is looked at. */
  markAnew() {
    const segment = this.settlement.segments[this.#current];
    if (!segment || !this.#isJudged()) return undefined;
    const stands = segment.choice || (this.#bench.whole ? this.letters[0] : "");
    this.anew.begin(segment, segment.choice === "anew" || this.#bench.whole ? outcome(segment, this.letters, stands) : []);
    this.#refresh(true);
    this.#tell(say("Click, drag, or 1 to 9; ↵ when it is right"));
    this.stage.focus();
    return true;
  }

  /** What she marked is the answer; nothing marked is "neither". */
  finishAnew() {
    const { spans } = this.anew;
    this.anew.end();
    if (spans.length) this.settlement.choose(this.#current, "anew", spans);
    else this.settlement.choose(this.#current, "neither");
    this.#next("");
  }

  leaveAnew() {
    this.anew.end();
    this.#refresh();
    this.#tell("");
  }

  undoAnew() {
    if (!this.anew.undo()) this.leaveAnew();
  }

  undo() {
    const index = this.settlement.undo();
    if (index < 0) this.#tell(say("Nothing to undo"));
    else this.#go(index);
  }

  /** @param {1|-1} by */
  step(by) {
    const { length } = this.settlement.segments;
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
    const verdict = this.#bench.verdicts.find((each) => each.key === key);
    if (verdict) this.#form.choose(verdict.name);
    return Boolean(verdict);
  }

  async settle() {
    if (!this.#verdict.settled) return this.#form.demand({ verdict: "", reason: "" });
    if (this.settlement.open && !this.#bench.whole) {
      this.#tell(count(this.settlement.open, "1 segment is still open", "{n} segments are still open"));
      return this.#go(this.settlement.nextOpen(Math.max(0, this.#current)));
    }
    return this.#leave(this.#bench.urls.settle);
  }

  later() { return this.#leave(this.#bench.urls.later); }
  toggleKeys() { toggleKeys(this.stage); }
  togglePanel() { const panel = find(".panel details"); panel.open = !panel.open; }
  readRules() { return goToRules(find(".panel details"), this.stage); }

  leave() {
    find(":popover-open")?.hidePopover();
    this.stage.focus();
    return false;
  }

  async #judge({ verdict, reason }) {
    if (!verdict || (verdict === "not_article" && !reason)) return this.#form.show({ verdict, reason });
    if (verdict === this.#verdict.settled && reason === this.#verdict.reason) return undefined;
    const { status, data } = await this.#sender.send(this.#bench.urls.verdict, { verdict, reason });
    if (status !== 200) return this.#refused(status, data);
    this.#verdict = { ...this.#verdict, settled: data.settled, reason: data.reason, by: "you" };
    this.settlement.replace(data.segments);
    this.#view.agree(data.agreed);
    this.#form.show({ verdict: data.settled, reason: data.reason });
    this.#go(this.settlement.nextOpen(0));
    this.stage.focus();
    return undefined;
  }

  async #decided({ segments, choice, marks }) {
    const { text } = this.stage.view;
    const spans = (marks ?? []).map(([start, end, label]) => ({ start, end, label, text: text.slice(start, end) }));
    const clause = segments.length === 1 ? segments[0].clause ?? "" : "";
    const body = { segments: segments.map(({ number }) => number), choice, clause, spans };
    const { status, data } = await this.#sender.send(this.#bench.urls.decide, body);
    if (status !== 200) this.#refused(status, data);
  }

  async #leave(url) {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const { status, data } = await this.#sender.send(url, {});
    if (status === 200) location.assign(data.next ?? this.#bench.urls.home);
    else this.#refused(status, data);
    this.#isLeaving = false;
  }

  #refused(status, data) {
    const words = data?.error ?? say("The server did not take it ({status})", { status });
    this.#notices.show("refused", words, { bad: true, buttons: [[say("Load again"), () => location.reload()]] });
  }

  #isJudged() {
    if (!this.#verdict.settled) this.#tell(say("The verdict comes first: y, d, m or c"));
    return Boolean(this.#verdict.settled);
  }

  #pick(index) {
    if (this.anew.isOn) this.leaveAnew();
    this.#go(index);
  }

  #next(words) {
    this.#tell(words);
    this.#go(this.settlement.nextOpen(this.#current + 1));
    if (!this.settlement.open) this.#tell(say("All is decided: Ctrl ↵ settles the page"));
  }

  #go(index) {
    const { segments } = this.settlement;
    this.#current = index < 0 && segments.length ? Math.max(0, this.#current) : index;
    this.#refresh(true);
    if (this.#current < 0 || this.#bench.whole || this.#view.cursor.rect || this.stage.mode === "reading") return;
    this.stage.switchTo("reading");
    this.#tell(say("Page view does not show this segment; reading view does"));
  }

  #refresh(reveal) {
    const { segments, open, canUndo } = this.settlement;
    this.#view.show(this.#current, reveal);
    this.#box.showAnew(this.anew);
    this.#box.show(this.#verdict.settled ? segments[this.#current] ?? null : null);
    this.#box.makeRoom();
    this.#list.show(this.#current, Boolean(this.#verdict.settled));
    this.#showReason(this.#verdict.settled ? segments[this.#current] : null);
    find("[data-undo]").setAttribute("aria-disabled", String(!canUndo));
    const isOpen = open > 0 && !this.#bench.whole;
    find("[data-settle]").setAttribute("aria-disabled", String(isOpen || this.anew.isOn || !this.#verdict.settled));
    find("[data-verdict-words]").textContent = this.#verdictWords();
  }

  #showReason(segment) {
    showRules(...(segment?.pieces ?? []).flatMap(({ labels }) => labels));
    const field = find("[data-reason]");
    if (!field) return;
    field.hidden = !segment;
    find("[data-clause]").value = segment?.clause ?? "";
  }

  #verdictWords() {
    const { settled, by } = this.#verdict;
    const title = this.#bench.verdicts.find(({ name }) => name === settled)?.title;
    if (!title) return say("the verdict is to be settled");
    if (by === "nobody") return say("{verdict}, as it stands", { verdict: title });
    return by === "both" ? say("{verdict}, all say so", { verdict: title }) : say("{verdict}, as you settled it", { verdict: title });
  }

  #tell(words) {
    find("[data-said]").textContent = words;
  }

  #bind(signal) {
    const acts = {
      "[data-undo]": () => this.undo(), "[data-settle]": () => this.settle(), "[data-later]": () => this.later(),
    };
    for (const [selector, act] of Object.entries(acts)) find(selector).addEventListener("click", act, { signal });
    find("[data-clause]")?.addEventListener("change", ({ target }) => this.settlement.cite(this.#current, target.value), { signal });
    this.anew.addEventListener("change", () => { if (this.anew.isOn) this.#view.repaint(); this.#box.showAnew(this.anew); }, { signal });
    this.settlement.addEventListener("change", ({ detail }) => this.#decided(detail), { signal });
    addEventListener("beforeunload", (event) => { if (!this.#sender.isEmpty && !this.#isLeaving) event.preventDefault(); }, { signal });
    addEventListener("online", () => this.#sender.retry(), { signal });
  }
}
