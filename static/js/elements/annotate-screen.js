// The annotation screen: joins page, marks, choice, panel and lines; every key and button ends in a method here.

import { moveEdge } from "../core/edges.js";
import { covers, indexAt, within } from "../core/spans.js";
import { Choice } from "../dom/choice.js";
import { watchOverlays } from "../dom/overlays.js";
import { BlockList } from "./block-list.js";
import { BothVersions } from "./both-versions.js";
import { find } from "./build.js";
import { bindButtons } from "./buttons.js";
import { Finder } from "./finder.js";
import { Foot } from "./foot.js";
import { Handover } from "./handover.js";
import { LeftDrafts } from "./left-drafts.js";
import { MarksView } from "./marks-view.js";
import { Outline } from "./outline.js";
import { goToRules, showRules } from "./rules.js";
import { SaveState } from "./save-state.js";
import { toggleKeys } from "./popovers.js";
import { VerdictForm } from "./verdict.js";
import { WhyLine } from "./why-line.js";
import { say } from "./words.js";

// Milliseconds without a letter after which a note goes on as another step.
const A_PAUSE = 2000;

export class AnnotateScreen {
  #bench;
  #clock;
  #edge = "end";
  #finder;
  /** The choice that the last click or space switched off. @type {[number, number]|null} */
  #off = null;
  #foot = new Foot();
  #list;
  #outline;
  #marks;
  #verdict;
  #handover;
  #left;
  #why;

  constructor({ bench, stage, editor, saver, clock, notices, signal }) {
    this.#bench = bench;
    this.#clock = clock;
    this.stage = stage;
    this.editor = editor;
    this.saver = saver;
    this.choice = new Choice(stage.view, stage.geometry);
    this.labels = new Map(bench.labels.map((label) => [label.name, label]));
    const verdicts = new Map(bench.verdicts.map(({ name, title }) => [name, title]));
    this.#marks = new MarksView({ stage, editor, choice: this.choice, labels: this.labels, signal });
    this.#list = new BlockList({
      stage, editor, choice: this.choice, labels: this.labels, language: bench.page.language,
      isHidden: (block) => this.#marks.hidden.includes(block), onPick: (block) => this.hands().click(block), signal,
    });
    this.#finder = new Finder({
      stage, isHidden: (block) => this.#marks.isHidden(block), onGo: (range) => this.#goTo(range), signal,
    });
    this.#outline = new Outline({
      list: find("[data-outline]"), sum: find("[data-outline-sum]"), labels: this.labels, text: stage.view.text,
      onPick: (range) => this.#show(range), signal,
    });
    this.#why = new WhyLine({ stage, reasons: bench.suggestion?.reasons ?? [], signal });
    this.#verdict = new VerdictForm(find("[data-verdict]"), {
      needsReason: "not_article", onChange: ({ verdict, reason }) => editor.judge(verdict, reason), signal,
    });
    const both = new BothVersions({ labels: this.labels, verdicts, text: stage.view.text });
    this.#handover = new Handover({ bench, saver, notices, foot: this.#foot, editor, both, signal });
    this.#left = new LeftDrafts({ notices, both, editor });
    this.saveState = new SaveState(find("[data-saved]"), saver, signal);
    this.#bind(signal, verdicts);
  }

  /**
   * The page is there already. Everything else is to be seen; nothing can be changed until `begin`.
   * @returns {string} what she has written into the note meanwhile
   */
  open() {
    const written = find("#note").value;
    this.#marks.open();
    showRules(this.editor.label);
    this.#list.show();
    this.saveState.show();
    if (isNowhere(document.activeElement)) this.stage.focus();
    this.#begun();
    return written;
  }

  /** @param {boolean} hasUnsent an earlier window left changes */
  begin(hasUnsent) {
    this.#begun();
    if (hasUnsent) this.#foot.tell(say("Changes that waited in this browser are back"));
  }

  /** @param {string} written comes after the note that stands */
  addNote(written) {
    if (!written || this.editor.isReadOnly) return;
    this.editor.annotate([this.editor.note, written].filter(Boolean).join("\n"));
    find("#note").value = this.editor.note;
  }

  /** @param {import("../net/drafts.js").Draft[]} drafts of other windows */
  offerLeft(drafts) {
    this.#left.show(drafts);
  }

  /** What the mouse asks for. @returns {import("../dom/gestures.js").Hands} */
  hands() {
    const { view } = this.stage;
    return {
      click: (block) => { this.choice.take(block); this.toggleChoice(); },
      extend: (block) => {
        const isOff = this.#wasSwitchedOff;
        this.choice.stretch(block);
        if (isOff) this.editor.clear([this.choice.range]);
        else this.editor.mark([this.choice.range]);
      },
      drag: (range, isRemoval) => this.#paint(range, isRemoval),
      word: (range) => {
        // Its first click has switched the whole block.
        this.editor.retract();
        this.editor.toggle([range]);
        this.#chooseCut(range);
      },
    };
  }

  input() {
    this.#clock.input(Date.now());
  }

  /** 1 to 9: a reason while reasons are asked, else a label, which the choice gets too. */
  digit(number) {
    if (this.#verdict.chooseReason(number)) {
      this.stage.focus();
      return true;
    }
    const label = this.#bench.labels.find((each) => each.number === number);
    if (!label) return false;
    this.pick(label.name);
    this.editor.mark(this.choice.ranges);
    return true;
  }

  /** @param {string} label the one that clicks and the space bar give */
  pick(label) {
    this.editor.label = label;
    for (const chip of document.querySelectorAll("[data-label]")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.label === label));
    }
    showRules(label);
    this.#refresh();
  }

  toggleChoice() {
    const { editor, choice } = this;
    const wasOn = editor.labelOf(choice.ranges) !== "";
    editor.toggle(choice.ranges);
    this.#off = wasOn && !editor.labelOf(choice.ranges) ? choice.range : null;
  }

  clearChoice() { this.editor.clear(this.choice.ranges); }
  grow() {
    if (!this.choice.grow()) this.#foot.tell(this.choice.range ? say("This is the whole page") : say("Choose a block first"));
  }

  shrink() { this.choice.shrink(); }
  find() { this.#finder.open(this.choice.range); }

  /**
   * All blocks like those of the choice, on or off, as one step; with their label if they have one. Off too where
   * the choice was just switched off.
   */
  toggleAlike() {
    const { view } = this.stage;
    if (!this.choice.range) return this.#foot.tell(say("Choose a block first"));
    const alike = view.structure.like(this.choice.run).map((block) => view.blocks[block]);
    if (this.#wasSwitchedOff && within(this.editor.spans, alike).length) return this.editor.clear(alike);
    return this.editor.toggle(alike, this.editor.labelOf(this.choice.ranges) || this.editor.label, "alike");
  }

  undo() { if (this.editor.undo()) this.#refit(); else this.#foot.tell(say("Nothing to undo")); }
  redo() { if (this.editor.redo()) this.#refit(); else this.#foot.tell(say("Nothing to redo")); }
  acceptAll() { this.editor.accept(); }
  acceptChoice() { return this.editor.accept(this.choice.ranges) > 0; }
  dismiss() { this.editor.dismiss(); }
  submit() { return this.editor.isReadOnly || this.#handover.submit(this.#verdict); }
  askSkip() { return this.editor.isReadOnly || this.#handover.askSkip(); }
  writeNote() { this.#panel.open = true; find("#note").focus(); }
  togglePanel() { this.#panel.open = !this.#panel.open; }
  readRules() { return goToRules(this.#panel, this.stage); }
  toggleKeys() { toggleKeys(this.stage); }
  toggleWhy() { this.#why.toggle(); }
  readAloud() { this.#list.readAloud(); }

  /** A verdict by its key. @param {string} key */
  judgeBy(key) {
    const verdict = this.#bench.verdicts.find((each) => each.key === key);
    if (verdict && !this.editor.isReadOnly) this.#verdict.choose(verdict.name);
    return Boolean(verdict);
  }

  /** Hidden text is part of the page's text; in page view it cannot be seen, so reading view shows it. */
  nextHidden() {
    const hidden = this.#marks.hidden;
    if (!hidden.length) return;
    this.#show(this.stage.view.blocks[hidden.find((each) => each > this.choice.block) ?? hidden[0]]);
  }

  /** @param {1|-1} by @returns {boolean} false after the last mark: the key then leads out of the page */
  stepMark(by) {
    const { spans } = this.editor;
    const [start] = this.choice.range ?? [-1];
    const next = by > 0 ? spans.find((span) => span[0] > start) : spans.findLast((span) => span[0] < start);
    if (next) this.#show([next[0], next[1]]);
    return Boolean(next);
  }

  otherEdge() {
    this.#edge = this.#edge === "end" ? "start" : "end";
    this.#foot.tell(this.#edge === "end" ? say("Arrows move the end") : say("Arrows move the beginning"));
  }

  /** @param {1|-1} step @param {"grapheme"|"word"} unit */
  moveEdge(step, unit) {
    const span = within(this.editor.spans, this.choice.ranges)[0];
    if (!span) return false;
    const { view } = this.stage;
    const whole = this.editor.spans[indexAt(this.editor.spans, span[0])];
    const block = view.blocks[view.blockAt(span[0])];
    const to = moveEdge(view.text, block, [whole[0], whole[1]], { edge: this.#edge, step, unit, language: this.#bench.page.language });
    const cut = this.editor.reshape(whole, to);
    if (cut) this.choice.takeRange(cut, true);
    return true;
  }

  /** Esc: out of a popover (with the focus in the frame the browser leaves it open), the note, the choice. */
  leave() {
    const { activeElement } = document;
    const popover = find(":popover-open");
    if (popover) {
      // It gives the focus back itself, to where it came from.
      popover.hidePopover();
      return false;
    }
    if (activeElement && activeElement !== document.body && !activeElement.closest("#page")) activeElement.blur();
    else this.choice.drop();
    this.stage.focus();
    return false;
  }

  /** What a click or the space bar did last holds for shift-click and `i` too, as in a column of check boxes. */
  get #wasSwitchedOff() {
    const { range, ranges } = this.choice;
    return this.#off !== null && this.#off === range && !within(this.editor.spans, ranges).length;
  }

  get #panel() {
    return find(".panel details");
  }

  #show(range) {
    this.#goTo(range);
    this.stage.focus();
  }

  #goTo(range) {
    const { stage } = this;
    if (stage.mode === "page" && stage.geometry.isHidden(stage.view.blockAt(range[0]))) stage.switchTo("reading");
    this.choice.takeRange(range, true);
  }

  #paint(range, isRemoval) {
    if (isRemoval) this.editor.clear([range]);
    else this.editor.mark([range]);
    this.#chooseCut(range);
  }

  #chooseCut(range) {
    const cut = this.editor.clip([range]);
    if (cut.length) this.choice.takeRange([cut[0][0], cut[cut.length - 1][1]]);
  }

  /** Characters were chosen with their mark: the choice follows when an undo gives the mark other edges. */
  #refit() {
    const { range, block } = this.choice;
    if (!range) return;
    const [start, end] = this.stage.view.blocks[block];
    const isPart = range[0] > start || range[1] < end;
    const mark = isPart && this.editor.spans.find((span) => span[0] < range[1] && range[0] < span[1]);
    if (mark) this.choice.takeRange([mark[0], mark[1]]);
  }

  #bind(signal, verdicts) {
    this.editor.addEventListener("change", ({ detail }) => {
      const label = detail.what === "judged" ? verdicts.get(this.editor.verdict) : this.labels.get(detail.label)?.title;
      this.#foot.say(detail, label ?? "");
      if (detail.what !== "noted") find("#note").value = this.editor.note;
      this.#refresh();
    }, { signal });
    this.choice.addEventListener("change", () => this.#refresh(), { signal });
    this.#takeNotes(find("#note"), signal);
    const timer = setInterval(() => this.#foot.tick(this.#clock.seconds(Date.now())), 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    document.addEventListener("visibilitychange", () => document.hidden && this.#clock.pause(Date.now()), { signal });
    bindButtons(this, signal);
    watchOverlays(() => this.stage.focus());
  }

  /** What is typed without a pause is one step. @param {HTMLTextAreaElement} field */
  #takeNotes(field, signal) {
    let pause = 0;
    field.addEventListener("input", () => {
      clearTimeout(pause);
      this.editor.annotate(field.value);
      pause = setTimeout(() => this.editor.endNote(), A_PAUSE);
    }, { signal });
    field.addEventListener("blur", () => this.editor.endNote(), { signal });
  }

  #begun() {
    find("#note").value = this.editor.note;
    this.#refresh();
  }

  #refresh() {
    const { editor, choice } = this;
    this.#verdict.show(editor);
    this.#outline.show(editor.spans);
    this.#outline.point(choice.range);
    this.#why.choose(choice.block);
    this.#foot.place(choice.block, this.stage.view.blocks.length, choice.range && choice.run);
    this.#foot.countAlike(choice.range ? this.stage.view.structure.like(choice.run).length : 0);
    this.#foot.hint(covers(editor.spans, choice.ranges, editor.label));
    find("[data-undo]").setAttribute("aria-disabled", String(!editor.canUndo));
    find("[data-redo]").setAttribute("aria-disabled", String(!editor.canRedo));
  }
}

/** Whether nothing has the focus yet: she may have gone into the note already. */
const isNowhere = (focused) => !focused || focused === document.body || focused.tagName === "IFRAME";
