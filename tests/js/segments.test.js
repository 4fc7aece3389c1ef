import { Settlement, isSideBySide, markedBy, outcome } from "/static/js/core/segments.js";
import { equal, ok, test } from "./harness.js";

const LETTERS = ["A", "B"];
const side = { number: 1, start: 0, end: 9, can_take_both: true, choice: "",
  pieces: [{ start: 0, end: 4, labels: ["body", null] }, { start: 5, end: 9, labels: [null, "related"] }] };
const alone = { number: 2, start: 20, end: 30, can_take_both: false, choice: "",
  pieces: [{ start: 20, end: 30, labels: ["body", null] }] };

test("an answer makes gold what it says", () => {
  equal(outcome(side, LETTERS, "A"), [[0, 4, "body"]]);
  equal(outcome(side, LETTERS, "B"), [[5, 9, "related"]]);
  equal(outcome(side, LETTERS, "both"), [[0, 4, "body"], [5, 9, "related"]]);
  equal(outcome(side, LETTERS, "neither"), []);
  equal(outcome(side, LETTERS), []);
});

test("a letter that marked nothing makes nothing gold", () => equal(markedBy(alone, 1), []));

test("parts side by side are told from a plain difference", () => {
  ok(isSideBySide(side));
  ok(!isSideBySide(alone));
});

test("a reason goes with the answer, and alone once there is one", () => {
  const settlement = new Settlement([side, alone], LETTERS);
  const said = [];
  settlement.addEventListener("change", ({ detail }) => said.push([detail.segment.number, detail.choice, detail.segment.clause]));
  settlement.cite(0, "3.1");
  equal(said, []);
  settlement.choose(0, "A");
  settlement.cite(0, "3.2");
  settlement.cite(0, "3.2");
  equal(said, [[1, "A", "3.1"], [1, "A", "3.2"]]);
  equal(settlement.open, 1);
});

test("answers are given, refused and taken back", () => {
  const settlement = new Settlement([side, alone], LETTERS);
  ok(!settlement.choose(1, "both"), "both is not possible for a plain difference");
  ok(!settlement.choose(0, "C"), "there is no C");
  ok(settlement.choose(1, "neither"));
  equal([settlement.open, settlement.nextOpen(1)], [1, 0]);
  ok(settlement.choose(0, "both"));
  equal([settlement.open, settlement.nextOpen(0)], [0, -1]);
  equal([settlement.undo(), settlement.segments[0].choice, settlement.undo(), settlement.undo()], [0, "", 1, -1]);
});

test("each answer is said, an undone one as none", () => {
  const settlement = new Settlement([side], LETTERS);
  const said = [];
  settlement.addEventListener("change", ({ detail }) => said.push([detail.segment.number, detail.choice]));
  settlement.choose(0, "A");
  settlement.undo();
  equal(said, [[1, "A"], [1, ""]]);
});
