import { Adjudication, isSideBySide, markedBy, outcome, readings } from "/static/js/core/segments.js";
import { equal, ok, test } from "./harness.js";

const LETTERS = ["A", "B"];
const side = {
  number: 1,
  start: 0,
  end: 9,
  can_take_both: true,
  choice: "",
  pieces: [
    { start: 0, end: 4, labels: ["body", null] },
    { start: 5, end: 9, labels: [null, "related"] },
  ],
};
const alone = {
  number: 2,
  start: 20,
  end: 30,
  can_take_both: false,
  choice: "",
  pieces: [{ start: 20, end: 30, labels: ["body", null] }],
};

test("an answer makes gold what it says", () => {
  equal(outcome(side, LETTERS, "A"), [[0, 4, "body"]]);
  equal(outcome(side, LETTERS, "B"), [[5, 9, "related"]]);
  equal(outcome(side, LETTERS, "both"), [
    [0, 4, "body"],
    [5, 9, "related"],
  ]);
  equal(outcome(side, LETTERS, "neither"), []);
  equal(outcome(side, LETTERS), []);
});

test("a letter that marked nothing makes nothing gold", () => equal(markedBy(alone, 1), []));

test("adjacent parts are distinguished from a plain difference", () => {
  ok(isSideBySide(side));
  ok(!isSideBySide(alone));
});

test("a reason goes with the answer, and alone once there is one", () => {
  const adjudication = new Adjudication([side, alone], LETTERS);
  const said = [];
  adjudication.addEventListener("change", ({ detail }) =>
    said.push([detail.segments[0].number, detail.choice, detail.segments[0].clause]),
  );
  adjudication.cite(0, "3.1");
  equal(said, []);
  adjudication.choose(0, "A");
  adjudication.cite(0, "3.2");
  adjudication.cite(0, "3.2");
  equal(said, [
    [1, "A", "3.1"],
    [1, "A", "3.2"],
  ]);
  equal(adjudication.open, 1);
});

test("answers are given, refused and taken back", () => {
  const adjudication = new Adjudication([side, alone], LETTERS);
  ok(!adjudication.choose(1, "both"), "both is not possible for a plain difference");
  ok(!adjudication.choose(0, "C"), "there is no C");
  ok(adjudication.choose(1, "neither"));
  equal([adjudication.open, adjudication.nextOpen(1)], [1, 0]);
  ok(adjudication.choose(0, "both"));
  equal([adjudication.open, adjudication.nextOpen(0)], [0, -1]);
  equal(
    [adjudication.undo(), adjudication.segments[0].choice, adjudication.undo(), adjudication.undo()],
    [0, "", 1, -1],
  );
});

test("each answer is said, an undone one as none", () => {
  const adjudication = new Adjudication([side], LETTERS);
  const said = [];
  adjudication.addEventListener("change", ({ detail }) => said.push([detail.segments[0].number, detail.choice]));
  adjudication.choose(0, "A");
  adjudication.undo();
  equal(said, [
    [1, "A"],
    [1, ""],
  ]);
});

test("slots with the same marks are one reading", () => {
  const three = { ...alone, pieces: [{ start: 20, end: 30, labels: ["body", null, "body"] }] };
  equal(readings(three, ["A", "B", "C"]), [["A", "C"], ["B"]]);
});

test("one answer to all open segments is one change and one undo, and leaves what was answered before", () => {
  const adjudication = new Adjudication([side, alone, { ...alone, number: 3 }], LETTERS);
  const said = [];
  adjudication.addEventListener("change", ({ detail }) =>
    said.push([detail.segments.map(({ number }) => number), detail.choice]),
  );
  adjudication.choose(1, "neither");
  equal(adjudication.chooseRest("B"), 2);
  equal([adjudication.open, adjudication.chooseRest("A")], [0, 0]);
  equal(adjudication.undo(), 0);
  equal(
    adjudication.segments.map(({ choice }) => choice),
    ["", "neither", ""],
  );
  equal(said, [
    [[2], "neither"],
    [[1, 3], "B"],
    [[1, 3], ""],
  ]);
});

test("a clause that was cited of one segment goes with the answer to all of them", () => {
  const adjudication = new Adjudication([side, alone], LETTERS);
  const said = [];
  adjudication.addEventListener("change", ({ detail }) =>
    said.push(detail.segments.map(({ number, clause }) => [number, clause ?? ""])),
  );
  adjudication.cite(1, "3.1");
  adjudication.chooseRest("B");
  equal(said, [
    [
      [1, ""],
      [2, "3.1"],
    ],
    [[2, "3.1"]],
  ]);
});

test("the adjudicator's own marks are an answer, and come back with undo", () => {
  const adjudication = new Adjudication([side], LETTERS);
  adjudication.choose(0, "relabel", [[0, 3, "headline"]]);
  equal(outcome(adjudication.segments[0], LETTERS), [[0, 3, "headline"]]);
  ok(adjudication.choose(0, "relabel", [[0, 4, "body"]]));
  adjudication.choose(0, "A");
  equal(
    [adjudication.segments[0].marks, adjudication.undo(), adjudication.segments[0].marks],
    [null, 0, [[0, 4, "body"]]],
  );
});
