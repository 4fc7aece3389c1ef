import { Text } from "/static/js/core/codepoints.js";
import {
  clip,
  covers,
  indexAt,
  isSpace,
  labelled,
  normalise,
  union,
  weight,
  within,
  without,
} from "/static/js/core/spans.js";
import { dice, equal, ok, test } from "./harness.js";

const B = "body";
const H = "headline";

test("normal form sorts, joins what touches under one label, and drops the empty", () => {
  equal(
    normalise([
      [5, 9, B],
      [0, 5, B],
      [9, 12, H],
      [3, 3, H],
    ]),
    [
      [0, 9, B],
      [9, 12, H],
    ],
  );
});

test("where two labels claim a character the earlier span keeps it", () => {
  equal(
    normalise([
      [0, 6, B],
      [4, 9, H],
    ]),
    [
      [0, 6, B],
      [6, 9, H],
    ],
  );
  equal(
    normalise([
      [0, 9, B],
      [4, 6, H],
    ]),
    [[0, 9, B]],
  );
});

test("arguments are not changed", () => {
  const spans = Object.freeze([Object.freeze([0, 5, B]), Object.freeze([5, 8, B])]);
  equal(normalise(spans), [[0, 8, B]]);
  equal(spans, [
    [0, 5, B],
    [5, 8, B],
  ]);
});

test("a character has at most one label: labelling over a mark relabels", () => {
  equal(labelled([[0, 10, B]], [[3, 5]], H), [
    [0, 3, B],
    [3, 5, H],
    [5, 10, B],
  ]);
});

test("within and without share a list out", () => {
  const spans = [
    [0, 4, B],
    [6, 9, H],
  ];
  equal(within(spans, [[2, 7]]), [
    [2, 4, B],
    [6, 7, H],
  ]);
  equal(without(spans, [[2, 7]]), [
    [0, 2, B],
    [7, 9, H],
  ]);
});

test("the algebra agrees with a list of characters, on random spans", () => {
  const roll = dice(11);
  for (let n = 0; n < 300; n += 1) {
    const spans = normalise(
      Array.from({ length: roll(8) }, () => {
        const s = roll(60);
        return [s, s + roll(9), [B, H][roll(2)]];
      }),
    );
    const ranges = union(
      Array.from({ length: roll(6) }, () => {
        const s = roll(60);
        return [s, s + roll(9)];
      }),
    );
    const chars = paint(spans);
    const inside = new Set(ranges.flatMap(([s, e]) => Array.from({ length: e - s }, (_, i) => s + i)));
    equal(
      paint(without(spans, ranges)),
      chars.map((label, i) => (inside.has(i) ? "" : label)),
    );
    equal(
      paint(within(spans, ranges)),
      chars.map((label, i) => (inside.has(i) ? label : "")),
    );
    equal(
      paint(labelled(spans, ranges, H)),
      chars.map((label, i) => (inside.has(i) ? H : label)),
    );
    ok(isNormal(labelled(spans, ranges, H)), "labelled gives normal form");
  }
});

test("ranges are covered only by one label, whole", () => {
  const spans = [
    [0, 5, B],
    [7, 9, B],
    [9, 12, H],
  ];
  ok(
    covers(
      spans,
      [
        [1, 4],
        [7, 9],
      ],
      B,
    ),
  );
  ok(
    !covers(
      spans,
      [
        [1, 4],
        [7, 10],
      ],
      B,
    ),
  );
  ok(!covers(spans, [], B));
});

test("clipping keeps to blocks, trims blanks and never holds a separator", () => {
  const text = new Text("one two\n\n\u00a0three\u3000\n\nfour");
  const blocks = [
    [0, 7],
    [9, 16],
    [18, 22],
  ];
  equal(clip([[3, 20]], blocks, text), [
    [4, 7],
    [10, 15],
    [18, 20],
  ]);
  equal(
    clip(
      [
        [3, 4],
        [7, 10],
      ],
      blocks,
      text,
    ),
    [],
  );
});

test("blank means what Python means by it", () => {
  ok(["\t", "\u001c", "\u0085", "\u00a0", "\u2028", "\u3000"].every(isSpace));
  ok(!["\ufeff", "\u200b", "a", "\u2060"].some(isSpace));
});

test("the last item at or before an offset is found", () => {
  const blocks = [
    [0, 5],
    [7, 9],
    [11, 20],
  ];
  equal(
    [0, 6, 7, 10, 30].map((offset) => indexAt(blocks, offset)),
    [0, 0, 1, 1, 2],
  );
});

test("blanks weigh nothing", () => equal(weight([[0, 7]], new Text("a b 😀 c")), 4));

test("20,000 spans are cleared in one sweep", () => {
  const spans = Array.from({ length: 20000 }, (_, i) => [i * 10, i * 10 + 8, B]);
  let looks = 0;
  const counted = (list) =>
    new Proxy(list, {
      get: (_list, name) => {
        looks += 1;
        return list[name];
      },
    });
  equal(without(counted(spans), counted(spans.map(([start, end]) => [start, end]))), []);
  ok(looks < 20 * spans.length, `looked ${looks} times`);
});

function paint(spans) {
  const out = new Array(80).fill("");
  for (const [start, end, label] of spans) out.fill(label, start, end);
  return out;
}

const isNormal = (spans) =>
  spans.every(
    ([start, end, label], i) =>
      start < end && (i === 0 || spans[i - 1][1] < start || (spans[i - 1][1] === start && spans[i - 1][2] !== label)),
  );
