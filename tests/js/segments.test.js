import { Settlement, isSideBySide, markedBy, outcome, readings } from "/static/js/core/segments.js";
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
  settlement.addEventListener("change", ({ detail }) => said.push([detail.segments[0].number, detail.choice, detail.segments[0].clause]));
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
  settlement.addEventListener("change", ({ detail }) => said.push([detail.segments[0].number, detail.choice]));
  settlement.choose(0, "A");
  settlement.undo();
  equal(said, [[1, "A"], [1, ""]]);
});

test("slots that say the same are one reading", () => {
  const three = { ...alone, pieces: [{ start: 20, end: 30, labels: ["body", null, "body"] }] };
  equal(readings(three, ["A", "B", "C"]), [["A", "C"], ["B"]]);
});

test("one answer to all that is left is one change and one undo, and leaves what was answered before", () => {
  const settlement = new Settlement([side, alone, { ...alone, number: 3 }], LETTERS);
  const said = [];
  settlement.addEventListener("change", ({ detail }) => said.push([detail.segments.map(({ number }) => number), detail.choice]));
  settlement.choose(1, "neither");
  equal(settlement.chooseRest("B"), 2);
  equal([settlement.open, settlement.chooseRest("A")], [0, 0]);
  equal(settlement.undo(), 0);
  equal(settlement.segments.map(({ choice }) => choice), ["", "neither", ""]);
  equal(said, [[[2], "neither"], [[1, 3], "B"], [[1, 3], ""]]);
});

test("her own marks are an answer, and come back with undo", () => {
  const settlement = new Settlement([side], LETTERS);
  settlement.choose(0, "anew", [[0, 3, "headline"]]);
  equal(outcome(settlement.segments[0], LETTERS), [[0, 3, "headline"]]);
  ok(settlement.choose(0, "anew", [[0, 4, "body"]]));
  settlement.choose(0, "A");
  equal([settlement.segments[0].marks, settlement.undo(), settlement.segments[0].marks], [null, 0, [[0, 4, "body"]]]);
});
