import { Text } from "/static/js/core/codepoints.js";
import { compare } from "/static/js/core/compare.js";
import { equal, test } from "./harness.js";

const text = new Text("Head line\n\nBody of it\n\nSign up now");
const page = {
  text,
  blocks: [
    [0, 9],
    [11, 21],
    [23, 34],
  ],
};

test("found, missed and wrong share the text out", () => {
  const seen = compare(
    [
      [0, 9, "headline"],
      [11, 21, "body"],
    ],
    [
      [11, 15, "content"],
      [23, 34, "content"],
    ],
    ["headline", "body"],
    page,
  );
  equal(seen, {
    found: [[11, 15]],
    missed: [
      [0, 9],
      [16, 21],
    ],
    wrong: [[23, 34]],
  });
});

test("labels outside the label set do not count", () => {
  const seen = compare([[0, 9, "headline"]], [[11, 21, "related"]], ["headline"], page);
  equal(seen, { found: [], missed: [[0, 9]], wrong: [] });
});
