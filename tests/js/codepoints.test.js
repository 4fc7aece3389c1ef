import { lengthOf, pointsBefore, Text, unitsBefore } from "/static/js/core/codepoints.js";
import { dice, equal, test } from "./harness.js";

const MIXED = "a😀e\u0301\u200b\u05e9\u05dc👩‍👩‍👧 \r\nz";

test("an astral character counts as one", () => equal(lengthOf("a😀bé"), 4));

test("length agrees with the characters of the string", () => equal(lengthOf(MIXED), [...MIXED].length));

test("a position inside a pair snaps down, or up", () => {
  equal(pointsBefore("a😀b", 2), 1);
  equal(pointsBefore("a😀b", 2, true), 2);
});

test("every boundary goes to units and back", () => {
  const characters = [...MIXED];
  characters.forEach((_, points) => {
    const units = characters.slice(0, points).join("").length;
    equal(unitsBefore(MIXED, points), units);
    equal(pointsBefore(MIXED, units), points);
  });
});

test("a long text with astral characters slices as its list of characters does", () => {
  const roll = dice(7);
  const characters = Array.from({ length: 3000 }, () => ["a", "é", "😀", "𝔾", " ", "\u0301"][roll(6)]);
  const text = new Text(characters.join(""));
  equal(text.length, 3000);
  for (let n = 0; n < 200; n += 1) {
    const [start, end] = [roll(3001), roll(3001)].sort((a, b) => a - b);
    equal(text.slice(start, end), characters.slice(start, end).join(""));
  }
});

test("a text of the basic plane slices as a string does", () => equal(new Text("Grüße").slice(2, 4), "üß"));
