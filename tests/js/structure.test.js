import { Structure } from "/static/js/core/structure.js";
import { equal, ok, test } from "./harness.js";

// Every text is a block of three characters, two apart.
function structure(...ops) {
  const starts = ops.filter((op) => typeof op === "string").map((_, i) => 5 * i);
  return new Structure({ ops, starts, blocks: starts.map((start) => [start, start + 3]) });
}

const P = (words, classes = "") => [["p", { class: classes }], words, 0];
const PAGE = structure(
  ["html"],
  ["body"],
  ["nav"],
  ...P("nav"),
  0,
  ["main"],
  ["h1"],
  "hea",
  0,
  ["div", { class: "text" }],
  ["section"],
  ...P("one"),
  ...P("two", "x"),
  0,
  ["div"],
  ...P("tre"),
  0,
  0,
  ["ul"],
  ["li"],
  ["a", { class: "n1" }],
  "lin",
  0,
  0,
  ["li"],
  "ite",
  0,
  0,
  0,
  0,
  0,
);
const NAV = 0,
  HEAD = 1,
  ONE = 2,
  TWO = 3,
  THREE = 4,
  LINK = 5,
  ITEM = 6;

test("a run grows from block to element to page, and says no more at the page", () => {
  equal(PAGE.grown([ONE, ONE]), [ONE, TWO]);
  equal(PAGE.grown([ONE, TWO]), [ONE, THREE]);
  equal(PAGE.grown([ONE, THREE]), [HEAD, ITEM]);
  equal(PAGE.grown([HEAD, ITEM]), [NAV, ITEM]);
  equal(PAGE.grown([NAV, ITEM]), null);
});

test("elements around one block alone are no step", () => {
  equal(PAGE.grown([THREE, THREE]), [ONE, THREE]);
  equal(PAGE.grown([LINK, LINK]), [LINK, ITEM]);
});

test("a run that no element holds grows into the one that holds it", () => {
  equal(PAGE.grown([TWO, THREE]), [ONE, THREE]);
  equal(PAGE.grown([HEAD, ONE]), [HEAD, ITEM]);
});

test("a run shrinks by the steps that it would have grown by", () => {
  equal(PAGE.shrunk([NAV, ITEM], ONE), [HEAD, ITEM]);
  equal(PAGE.shrunk([HEAD, ITEM], ONE), [ONE, THREE]);
  equal(PAGE.shrunk([ONE, THREE], TWO), [ONE, TWO]);
  equal(PAGE.shrunk([ONE, TWO], TWO), [TWO, TWO]);
  equal(PAGE.shrunk([TWO, TWO], TWO), null);
  equal(PAGE.shrunk([ONE, ITEM], ITEM), [LINK, ITEM]);
});

test("blocks are alike by the tags and classes above them, wherever they stand", () => {
  equal(PAGE.like([ONE, ONE]), [ONE]);
  equal(PAGE.like([THREE, THREE]), [THREE]);
  equal(PAGE.like([LINK, LINK]), [LINK, ITEM], "what is inline inside a block does not count;");
  const two = structure(["div"], ...P("one"), ["div"], ...P("ad."), 0, ...P("two"), ...P("tre", "x"), 0);
  equal(two.like([0, 0]), [0, 2]);
  equal(two.like([0, 1]), [0, 1, 2], "a run asks for each of its kinds;");
});

test("order of classes and numbers in them do not tell blocks apart", () => {
  const page = structure(...P("one", "b post-7"), ...P("two", "post-12 b"), ...P("tre", "post"));
  equal(page.like([0, 0]), [0, 1]);
});

test("a block of many nodes belongs to what holds them all", () => {
  const ops = [["body"], ["p"], "a", ["b"], "b", 0, 0, ["p"], "c", 0, 0];
  const page = new Structure({
    ops,
    starts: [0, 1, 4],
    blocks: [
      [0, 2],
      [4, 5],
    ],
  });
  equal(page.like([0, 0]), [0, 1]);
  equal(page.grown([0, 0]), [0, 1]);
});

test("markup that hides is known, an empty element disturbs nothing", () => {
  const page = structure(
    ["div", { hidden: "" }],
    ...P("one"),
    0,
    ["img", {}, 1],
    ["p", { style: "color: red; display:none" }],
    "two",
    0,
    ...P("tre"),
  );
  equal(
    [0, 1, 2].map((block) => page.isHidden(block)),
    [true, true, false],
  );
});

test("a very deep page is read like any other", () => {
  const deep = Array.from({ length: 5000 }, () => ["div", { class: "c".repeat(100) }]);
  const page = structure(...deep, "one", ["p"], "two", 0, "tre");
  equal(page.like([0, 0]), [0, 2]);
  ok(page.grown([0, 0]));
});
