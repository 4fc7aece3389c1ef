import { Text } from "/static/js/core/codepoints.js";
import { moveEdge } from "/static/js/core/edges.js";
import { Editor } from "/static/js/core/editor.js";
import { clip, normalise } from "/static/js/core/spans.js";
import { dice, equal, ok, test } from "./harness.js";

const TEXT = new Text("A headline\n\nThe first words. The second.\n\nRead more");
const BLOCKS = [
  [0, 10],
  [12, 40],
  [42, 51],
];

function editor(more = {}) {
  const state = { spans: [], verdict: "", reason: "", note: "" };
  return new Editor({ blocks: BLOCKS, text: TEXT, state, suggestion: [], label: "body", ...more });
}

test("a block goes on, off, and on under another label", () => {
  const made = editor();
  made.toggle([BLOCKS[1]]);
  equal(made.spans, [[12, 40, "body"]]);
  made.toggle([BLOCKS[1]]);
  equal(made.spans, []);
  made.toggle([BLOCKS[1]]);
  made.toggle([BLOCKS[1]], "related");
  equal(made.spans, [[12, 40, "related"]]);
});

test("a run of blocks is marked block by block", () => {
  const made = editor();
  made.mark([[0, 51]]);
  equal(made.spans, [
    [0, 10, "body"],
    [12, 40, "body"],
    [42, 51, "body"],
  ]);
});

test("undo and redo walk through marks and verdict", () => {
  const made = editor();
  made.mark([BLOCKS[0]], "headline");
  made.judge("article");
  made.undo();
  equal([made.verdict, made.spans.length], ["", 1]);
  made.undo();
  equal(made.spans, []);
  ok(!made.undo(), "there is nothing left to undo");
  made.redo();
  made.redo();
  equal([made.verdict, made.spans.length, made.canRedo], ["article", 1, false]);
});

test("what was retracted cannot be redone", () => {
  const made = editor();
  made.toggle([BLOCKS[1]]);
  made.retract();
  equal([made.spans, made.canRedo], [[], false]);
});

test("nothing is retracted once it may only be read", () => {
  const made = editor();
  made.toggle([BLOCKS[1]]);
  made.isReadOnly = true;
  made.retract();
  equal(made.spans.length, 1);
});

test("a suggestion is no mark until it is accepted", () => {
  const made = editor({ suggestion: [[0, 40, "body"]] });
  equal(
    [made.content().spans, made.ghosts],
    [
      [],
      [
        [0, 10, "body"],
        [12, 40, "body"],
      ],
    ],
  );
  made.accept([BLOCKS[0]]);
  equal([made.spans, made.ghosts], [[[0, 10, "body"]], [[12, 40, "body"]]]);
  made.accept();
  equal([made.spans.length, made.ghosts], [2, []]);
});

test("marking or clearing over a suggestion replaces it", () => {
  const made = editor({ suggestion: [[0, 40, "body"]] });
  made.mark([[0, 10]], "headline");
  equal(made.ghosts, [[12, 40, "body"]]);
  made.clear([[12, 40]]);
  equal([made.spans, made.ghosts], [[[0, 10, "headline"]], []]);
  made.undo();
  equal(made.ghosts, [[12, 40, "body"]]);
});

test("what was saved before hides the suggestion below it", () => {
  const state = { spans: [[12, 40, "related"]], verdict: "", reason: "", note: "" };
  equal(editor({ state, suggestion: [[0, 40, "body"]] }).ghosts, [[0, 10, "body"]]);
});

test("what is left beside a cut ends on a letter, whatever cut it", () => {
  const whole = { spans: [[12, 40, "body"]], verdict: "", reason: "", note: "" };
  const cleared = editor({ state: whole });
  cleared.clear([[29, 40]]);
  equal(cleared.spans, [[12, 28, "body"]]);
  const relabelled = editor({ state: whole });
  relabelled.mark([[16, 21]], "related");
  equal(relabelled.spans, [
    [12, 15, "body"],
    [16, 21, "related"],
    [22, 40, "body"],
  ]);
  const longer = editor({ state: { ...whole, spans: [[12, 20, "body"]] } });
  longer.mark([[16, 28]]);
  equal(longer.spans, [[12, 28, "body"]]);
});

test("whatever is done, the marks are as the server stores them", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const below = dice(seed);
    const made = editor({
      suggestion: [
        [0, 10, "headline"],
        [12, 40, "body"],
        [42, 51, "related"],
      ],
    });
    const range = () => {
      const [start, end] = [below(52), below(52)].sort((a, b) => a - b);
      return [start, end + 1];
    };
    const label = () => ["body", "headline", "related"][below(3)];
    const deeds = {
      mark: () => made.mark([range()], label()),
      clear: () => made.clear([range()]),
      toggle: () => made.toggle([range()], label()),
      accept: () => made.accept(below(2) ? [range()] : undefined),
      reshape: () => reshape(made, below),
      undo: () => made.undo(),
      redo: () => made.redo(),
    };
    const names = Object.keys(deeds);
    for (let i = 0; i < 60; i += 1) {
      const name = names[below(names.length)];
      deeds[name]();
      const trimmed = made.spans.flatMap((span) => clip([span], BLOCKS, TEXT).map(([s, e]) => [s, e, span[2]]));
      equal(made.spans, normalise(trimmed), `seed ${seed}, ${name}:`);
    }
  }
});

function reshape(made, below) {
  const span = made.spans[below(made.spans.length || 1)];
  if (!span) return;
  const block = BLOCKS.find(([start, end]) => start <= span[0] && span[0] < end);
  const move = { edge: ["start", "end"][below(2)], step: below(2) * 2 - 1, unit: ["grapheme", "word"][below(2)] };
  made.reshape(span, moveEdge(TEXT, block, [span[0], span[1]], { ...move, language: "en" }));
}

test("blocks that are alike go on in one step, which says so, and off in one", () => {
  const said = [];
  const made = editor();
  made.addEventListener("change", ({ detail }) => said.push(`${detail.what} ${detail.count}`));
  made.toggle([BLOCKS[0], BLOCKS[2]], "related", "alike");
  equal([made.labelOf([BLOCKS[0]]), made.labelOf([BLOCKS[1]]), made.labelOf([[0, 51]])], ["related", "", ""]);
  made.toggle([BLOCKS[0], BLOCKS[2]], "related", "alike");
  equal([said, made.spans], [["alike 2", "cleared 2"], []]);
  made.undo();
  made.undo();
  equal([made.spans, made.canUndo], [[], false]);
});

test("a mark that changes nothing is no step", () => {
  const made = editor();
  made.mark([[12, 40]]);
  made.mark([[14, 20]]);
  made.clear([[42, 51]]);
  made.undo();
  ok(!made.canUndo);
});

test("the other version can be applied and undone", () => {
  const made = editor();
  made.mark([BLOCKS[2]]);
  made.replace({ spans: [[0, 10, "headline"]], verdict: "several", reason: "", note: "theirs" });
  equal(made.content(), { spans: [[0, 10, "headline"]], verdict: "several", reason: "", note: "theirs" });
  made.undo();
  equal(made.spans, [[42, 51, "body"]]);
});

test("a note is undone as it was typed: what came without a pause at once", () => {
  const made = editor();
  made.mark([BLOCKS[0]]);
  for (const note of ["i", "in", "in doubt"]) made.annotate(note);
  made.endNote();
  for (const note of ["in doubt,", "in doubt, see line 2"]) made.annotate(note);
  made.undo();
  equal(made.note, "in doubt");
  made.undo();
  equal([made.note, made.spans.length], ["", 1]);
  made.redo();
  made.redo();
  equal([made.note, made.canRedo], ["in doubt, see line 2", false]);
});

test("a mark between two letters, or an undo, ends the step of a note", () => {
  const made = editor();
  made.annotate("i");
  made.mark([BLOCKS[0]]);
  made.annotate("in");
  made.undo();
  equal([made.note, made.spans.length], ["i", 1]);
  made.annotate("is");
  made.undo();
  equal([made.note, made.spans.length], ["i", 1]);
});

test("a note that was typed and taken back is no step, and takes none with it", () => {
  const made = editor();
  made.mark([BLOCKS[0]]);
  made.annotate("i");
  made.annotate("");
  made.annotate("x");
  made.annotate("");
  made.undo();
  equal([made.spans, made.canUndo], [[], false]);
});

test("a read-only page cannot be changed", () => {
  const made = editor({ isReadOnly: true });
  made.mark([BLOCKS[0]]);
  made.judge("article");
  made.annotate("late");
  equal(made.content(), { spans: [], verdict: "", reason: "", note: "" });
});

test("each change is dispatched once, with its count", () => {
  const said = [];
  const made = editor();
  made.addEventListener("change", ({ detail }) => said.push(`${detail.what} ${detail.count}`));
  made.mark([[0, 51]]);
  made.undo();
  equal(said, ["marked 3", "undone 1"]);
});

test("an edge moves by characters and words, over blanks, inside its block", () => {
  const move = (span, edge, step, unit) => moveEdge(TEXT, BLOCKS[1], span, { edge, step, unit, language: "en" });
  equal(move([12, 15], "end", 1, "grapheme"), [12, 17]);
  equal(move([12, 15], "end", 1, "word"), [12, 21]);
  equal(move([16, 21], "start", -1, "word"), [12, 21]);
  equal(move([12, 40], "end", 1, "word"), [12, 40]);
  equal(move([12, 13], "end", -1, "grapheme"), [12, 13]);
});

test("a character is what people call one", () => {
  const text = new Text("go 👩‍👩‍👧 e\u0301!");
  equal(moveEdge(text, [0, text.length], [0, 2], { edge: "end", step: 1, unit: "grapheme" }), [0, 8]);
  equal(moveEdge(text, [0, text.length], [0, 8], { edge: "end", step: 1, unit: "grapheme" }), [0, 11]);
});

test("an earlier window's changes are restored at the start, beside the suggestion", () => {
  const made = editor({
    suggestion: [
      [12, 40, "body"],
      [42, 51, "body"],
    ],
    isReadOnly: true,
  });
  const heard = [];
  made.addEventListener("change", ({ detail }) => heard.push(detail.what));
  made.mark([BLOCKS[0]]);
  equal(made.spans, []);
  made.isReadOnly = false;
  made.resume({ spans: [[12, 40, "related"]], verdict: "article", reason: "", note: "late" }, null);
  equal(
    [made.spans, made.ghosts, made.verdict, made.note],
    [[[12, 40, "related"]], [[42, 51, "body"]], "article", "late"],
  );
  equal([made.canUndo, heard], [false, ["resumed"]]);
});
