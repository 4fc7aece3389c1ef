// The annotation screen: connects page, marks, selection, panel and status bar.

import { moveEdge } from "../core/edges.js";
import { covers, indexAt, within } from "../core/spans.js";
import { Hover } from "../dom/hover.js";
import { watchOverlays } from "../dom/overlays.js";
import { BlockSelection } from "../dom/selection.js";
import { BlockList } from "./block-list.js";
import { BothVersions } from "./both-versions.js";
import { find, findAll } from "./build.js";
import { bindButtons } from "./buttons.js";
import { Explanation } from "./explanation.js";
import { Finder } from "./finder.js";
import { MarksView } from "./marks-view.js";
import { Outline } from "./outline.js";
import { RecoveredDrafts } from "./recovered-drafts.js";
import { showRules } from "./rules.js";
import { SaveState } from "./save-state.js";
import { StatusBar } from "./status-bar.js";
import { Submission } from "./submission.js";
import { VerdictForm } from "./verdict.js";

// Milliseconds without typing after which a note continues as another undo step.
const A_PAUSE = 2000;

export class AnnotateScreen {
  #payload;
  #clock;
  /** @type {"start"|"end"} */
  #edge = "end";
  #finder;
  /** The selection that the last click or space bar switched off. @type {[number, number]|null} */
  #off = null;
  #status = new StatusBar();
  #list;
  #outline;
  #marks;
  /** @type {HTMLTextAreaElement} */
  #note = find("#note");
  #verdict;
  #submission;
  #recovered;
  #explanation;

  constructor({ payload, stage, editor, saver, clock, notices, signal }) {
    this.#payload = payload;
    this.#clock = clock;
    this.stage = stage;
    this.editor = editor;
    this.saver = saver;
    this.selection = new BlockSelection(stage.view, stage.geometry);
    this.labels = new Map(payload.labels.map((label) => [label.name, label]));
    const titles = (named) => new Map(named.map(({ name, title }) => [name, title]));
    const verdicts = titles(payload.verdicts);
    const isHidden = (block) => this.#marks.isHidden(block);
    this.#marks = new MarksView({ stage, editor, selection: this.selection, labels: this.labels, signal });
    this.#list = new BlockList({
      stage,
      editor,
      selection: this.selection,
      labels: this.labels,
      isHidden,
      onPick: (block) => this.gestures().click(block),
      signal,
    });
    this.#finder = new Finder({ stage, isHidden, onGo: (range) => this.#goTo(range), signal });
    this.#outline = new Outline({
      list: find("[data-outline]"),
      sum: find("[data-outline-sum]"),
      labels: this.labels,
      text: stage.view.text,
      onPick: (range) => this.#show(range),
      signal,
    });
    this.#explanation = new Explanation({ stage, reasons: payload.suggestion?.reasons ?? [], signal });
    this.#verdict = new VerdictForm(find("[data-verdict]"), {
      stage,
      onChange: ({ verdict, reason }) => editor.judge(verdict, reason),
      signal,
    });
    const both = new BothVersions({
      labels: this.labels,
      verdicts,
      reasons: titles(payload.reasons),
      text: stage.view.text,
    });
    this.#submission = new Submission({
      payload,
      saver,
      notices,
      status: this.#status,
      editor,
      both,
      onStay: () => this.#stayed(),
      signal,
    });
    this.#recovered = new RecoveredDrafts({ notices, both, editor });
    this.saveState = new SaveState(find("[data-saved]"), saver, signal);
    this.#bind(signal, verdicts);
    new Hover(stage, (block, isExtending) => this.#wouldTake(block, isExtending), signal);
  }

  /**
   * Show everything around the page, which is shown already; nothing can be changed until `begin`.
   * @returns {string} what the annotator has typed into the note meanwhile
   */
  open() {
    const written = this.#note.value;
    this.#marks.open();
    showRules(this.editor.label);
    this.#list.show();
    this.saveState.show();
    if (isNowhere(document.activeElement)) this.stage.focus();
    this.#begun();
    return written;
  }

  /** Another window may be sending its changes: keys and clicks are taken, and do nothing yet. */
  wait() {
    this.#status.tell(gettext("Looking for unsynced changes of other windows …"));
  }

  /** @param {boolean} hasUnsent an earlier window left changes */
  begin(hasUnsent) {
    this.#begun();
    this.#status.tell(hasUnsent ? gettext("Unsynced changes restored") : "");
  }

  /** @param {string} written is appended to the present note */
  addNote(written) {
    if (!written || this.editor.isReadOnly) return;
    this.editor.annotate([this.editor.note, written].filter(Boolean).join("\n"));
    this.#note.value = this.editor.note;
  }

  /** @param {import("../net/drafts.js").Draft[]} drafts of other windows */
  offerRecovered(drafts) {
    this.#recovered.show(drafts);
  }

  /** Handlers of the mouse. @returns {import("../dom/gestures.js").Gestures} */
  gestures() {
    return {
      click: (block) => {
        this.selection.select(block);
        this.toggleSelection();
      },
      extend: (block) => {
        const isOff = this.#wasSwitchedOff;
        this.selection.extendTo(block);
        if (isOff) this.editor.clear([this.selection.range]);
        else this.editor.mark([this.selection.range]);
      },
      drag: (range, isRemoval) => this.#paint(range, isRemoval),
      word: (range) => {
        // The first click of the double click toggled the whole block.
        this.editor.retract();
        this.editor.toggle([range]);
        this.#selectCut(range);
      },
      hold: (range) => this.#selectCut(range),
    };
  }

  input() {
    this.#clock.input(performance.now());
  }

  /** 1 to 9: a reason while the reasons have the focus, else a label, applied to the selection too. */
  digit(number) {
    if (this.#verdict.chooseReason(number)) {
      this.stage.focus();
      return true;
    }
    const label = this.#payload.labels.find((each) => each.key === number);
    if (!label) return false;
    this.pick(label.name);
    if (this.selection.range && this.#canMark()) this.editor.mark(this.selection.ranges);
    return true;
  }

  /** @param {string} label the one that clicks and the space bar give */
  pick(label) {
    this.editor.label = label;
    for (const chip of findAll("[data-label]")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.label === label));
    }
    showRules(label);
    this.#refresh();
  }

  toggleSelection() {
    const { editor, selection } = this;
    if (!this.#canMark()) return;
    const wasOn = editor.labelOf(selection.ranges) !== "";
    editor.toggle(selection.ranges);
    this.#off = wasOn && !editor.labelOf(selection.ranges) ? selection.range : null;
  }

  clearSelection() {
    if (!this.selection.range) return this.#status.tell(gettext("Select a block first"));
    return this.editor.clear(this.selection.ranges);
  }
  grow() {
    if (!this.selection.grow())
      this.#status.tell(this.selection.range ? gettext("The whole page is selected") : gettext("Select a block first"));
  }

  shrink() {
    this.selection.shrink();
  }
  find() {
    this.#finder.open(this.selection.range);
  }

  /**
   * Toggle all blocks similar to the selection as one step, with its label if it has one; off where the selection was
   * just switched off.
   */
  toggleAlike() {
    const { view } = this.stage;
    if (!this.selection.range) return this.#status.tell(gettext("Select a block first"));
    const [first, last] = this.selection.run;
    const blocks = view.structure.like([first, last]);
    // Alone it would be toggled by itself: its mark would be gone for no reason that anybody sees.
    if (blocks.every((block) => block >= first && block <= last)) {
      return this.#status.tell(gettext("No other block of this page is similar"));
    }
    const alike = blocks.map((block) => view.blocks[block]);
    if (this.#wasSwitchedOff && within(this.editor.spans, alike).length) return this.editor.clear(alike);
    return this.editor.toggle(alike, this.editor.labelOf(this.selection.ranges) || this.editor.label, "alike");
  }

  undo() {
    if (this.editor.undo()) this.#refit();
    else this.#status.tell(gettext("Nothing to undo"));
  }
  redo() {
    if (this.editor.redo()) this.#refit();
    else this.#status.tell(gettext("Nothing to redo"));
  }
  submit() {
    return this.editor.isReadOnly || this.#submission.submit(this.#verdict);
  }
  askSkip() {
    return this.editor.isReadOnly || this.#submission.askSkip();
  }
  writeNote() {
    find(".panel details").toggleAttribute("open", true);
    this.#note.focus();
  }
  toggleExplanation() {
    this.#explanation.toggle();
  }
  readAloud() {
    this.#list.readAloud();
  }

  /** A verdict by its key. @param {string} key */
  judgeBy(key) {
    const verdict = this.#payload.verdicts.find((each) => each.key === key);
    if (verdict && !this.editor.isReadOnly) this.#verdict.choose(verdict.name);
    return Boolean(verdict);
  }

  /** Hidden text is part of the page's text; in page view it cannot be seen, so reading view shows it. */
  nextHidden() {
    const hidden = this.#marks.hidden;
    if (!hidden.length) return;
    this.#show(this.stage.view.blocks[hidden.find((each) => each > this.selection.block) ?? hidden[0]]);
  }

  /** @param {1|-1} by @returns {boolean} false after the last mark: the key then leads out of the page */
  stepMark(by) {
    const { spans } = this.editor;
    const [start] = this.selection.range ?? [-1];
    const next = by > 0 ? spans.find((span) => span[0] > start) : spans.findLast((span) => span[0] < start);
    if (next) this.#show([next[0], next[1]]);
    return Boolean(next);
  }

  otherEdge() {
    this.#edge = this.#edge === "end" ? "start" : "end";
    this.#status.tell(this.#edge === "end" ? gettext("Arrow keys move the end") : gettext("Arrow keys move the start"));
  }

  /** @param {1|-1} right @param {"grapheme"|"word"} unit */
  moveEdge(right, unit) {
    const span = within(this.editor.spans, this.selection.ranges)[0];
    if (!span) return false;
    const { view } = this.stage;
    const whole = this.editor.spans[indexAt(this.editor.spans, span[0])];
    const block = view.blocks[view.blockAt(span[0])];
    const to = moveEdge(view.text, block, [whole[0], whole[1]], {
      edge: this.#edge,
      step: right > 0 === view.isRightToLeft(whole[0]) ? -1 : 1,
      unit,
      language: this.#payload.page.language,
    });
    const cut = this.editor.reshape(whole, to);
    if (cut) this.selection.selectRange(cut, true);
    return true;
  }

  /** Esc: out of a popover (with the focus in the frame the browser leaves it open), the note, the selection. */
  leave() {
    const activeElement = /** @type {HTMLElement|null} */ (document.activeElement);
    const popover = find(":popover-open");
    if (popover) {
      // It returns the focus itself.
      popover.hidePopover();
      return false;
    }
    if (activeElement && activeElement !== document.body && !activeElement.closest("#page")) activeElement.blur();
    else this.selection.clear();
    this.stage.focus();
    return false;
  }

  /** Whether the selection holds anything but white space; where it does not, that is said. */
  #canMark() {
    const can = this.editor.clip(this.selection.ranges).length > 0;
    if (!can)
      this.#status.tell(this.selection.range ? gettext("No text to mark here") : gettext("Select a block first"));
    return can;
  }

  /** Shift-click and `i` repeat what the last click or space bar did, as in a column of check boxes. */
  get #wasSwitchedOff() {
    const { range, ranges } = this.selection;
    return this.#off !== null && this.#off === range && !within(this.editor.spans, ranges).length;
  }

  /** What a click on a block would take; nothing where it is selected, or cannot be changed. */
  #wouldTake(block, isExtending) {
    const { editor, selection, stage } = this;
    if (editor.isReadOnly) return null;
    const range = isExtending ? selection.rangeTo(block) : stage.view.blocks[block];
    return String(range) === String(selection.range) ? null : range;
  }

  #show(range) {
    this.#goTo(range);
    this.stage.focus();
  }

  #goTo(range) {
    const { stage } = this;
    if (stage.mode === "page" && stage.geometry.isHidden(stage.view.blockAt(range[0]))) stage.switchTo("reading");
    this.selection.selectRange(range, true);
  }

  #paint(range, isRemoval) {
    if (isRemoval) this.editor.clear([range]);
    else this.editor.mark([range]);
    this.#selectCut(range);
  }

  #selectCut(range) {
    const cut = this.editor.clip([range]);
    if (cut.length) this.selection.selectRange([cut[0][0], cut[cut.length - 1][1]]);
  }

  /** If a part of a block is selected with its mark, the selection follows when an undo moves the mark's boundaries. */
  #refit() {
    const { range, block } = this.selection;
    if (!range) return;
    const [start, end] = this.stage.view.blocks[block];
    const isPart = range[0] > start || range[1] < end;
    const mark = isPart && this.editor.spans.find((span) => span[0] < range[1] && range[0] < span[1]);
    if (mark) this.selection.selectRange([mark[0], mark[1]]);
  }

  #bind(signal, verdicts) {
    this.editor.addEventListener(
      "change",
      ({ detail }) => {
        const label =
          detail.what === "judged" ? verdicts.get(this.editor.verdict) : this.labels.get(detail.label)?.title;
        this.#status.say(detail, { label: label ?? "", block: this.stage.view.blockAt(detail.start ?? -1) });
        if (detail.what !== "noted") this.#note.value = this.editor.note;
        this.#refresh();
      },
      { signal },
    );
    this.selection.addEventListener("change", () => this.#refresh(), { signal });
    this.#takeNotes(this.#note, signal);
    const timer = setInterval(() => this.#status.tick(this.#clock.seconds(performance.now())), 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    document.addEventListener("visibilitychange", () => document.hidden && this.#clock.pause(performance.now()), {
      signal,
    });
    bindButtons(this, signal);
    watchOverlays(() => this.stage.focus());
  }

  /** Typing without a pause is one undo step. @param {HTMLTextAreaElement} field */
  #takeNotes(field, signal) {
    let pause = 0;
    field.addEventListener(
      "input",
      () => {
        clearTimeout(pause);
        this.editor.annotate(field.value);
        pause = setTimeout(() => this.editor.endNote(), A_PAUSE);
      },
      { signal },
    );
    field.addEventListener("blur", () => this.editor.endNote(), { signal });
  }

  /** What was typed into the note meanwhile counts; a verdict that was chosen does not. */
  #stayed() {
    this.editor.annotate(this.#note.value);
    this.#refresh();
  }

  #begun() {
    this.#note.value = this.editor.note;
    this.#refresh();
  }

  #refresh() {
    const { editor, selection } = this;
    this.#verdict.show(editor);
    this.#outline.show(editor.spans);
    this.#outline.point(selection.range);
    this.#explanation.choose(selection.block);
    this.#status.showSelection(selection.block, this.stage.view.blocks.length, selection.range && selection.run);
    this.#status.countAlike(selection.range ? this.stage.view.structure.like(selection.run).length : 0);
    this.#status.hint(covers(editor.spans, selection.ranges, editor.label));
    find("[data-undo]").setAttribute("aria-disabled", String(!editor.canUndo));
    find("[data-redo]").setAttribute("aria-disabled", String(!editor.canRedo));
  }
}

/** Whether nothing has the focus yet: the annotator may be in the note already. */
const isNowhere = (focused) => !focused || focused === document.body || focused.tagName === "IFRAME";
