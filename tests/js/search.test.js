import { Text } from "/static/js/core/codepoints.js";
import { MOST, Search } from "/static/js/core/search.js";
import { equal, test } from "./harness.js";

/** What was found, as it stands in the text. */
function found(string, words, blocks) {
  const text = new Text(string);
  return new Search(text, blocks ?? [[0, text.length]]).find(words).map(([start, end]) => text.slice(start, end));
}

test("case and accents do not matter", () => {
  equal(found("Élan, elan, ÉLAN", "eLÁn"), ["Élan", "elan", "ÉLAN"]);
  equal(found("STRASSE, Straße", "straße"), ["STRASSE", "Straße"]);
});

test("accents of their own are found with their letter, also at its end", () => {
  equal(found("un cafe\u0301 frío", "cafe"), ["cafe\u0301"]);
  equal(found("un cafe\u0301 frío", "é f"), ["e\u0301 f"]);
});

test("vowels that are written as marks count, and so does what makes another sound of a kana", () => {
  equal(found("कमाल, कमल, का, की, के", "कमल"), ["कमल"]);
  equal(found("कमाल, कमल, का, की, के", "की"), ["की"]);
  equal(found("กำลัง กลาง", "กลาง"), ["กลาง"]);
  equal(found("カラス、ガラス、ｶﾞﾗｽ", "ガラス"), ["ガラス", "ｶﾞﾗｽ"]);
  equal(found("مُحَمَّد, محمد", "محمد"), ["مُحَمَّد", "محمد"]);
  equal(found("בְּרֵאשִׁית", "בראשית"), ["בְּרֵאשִׁית"]);
});

test("offsets are code points, also after emoji", () => {
  const text = new Text("😀😀 the 😀 end");
  equal(new Search(text, [[0, text.length]]).find("the"), [[3, 6]]);
  equal(new Search(text, [[0, text.length]]).find("😀 END"), [[7, 12]]);
});

test("a letter that stands for two is found by either, whole", () => {
  equal(found("a ﬁne day", "fine"), ["ﬁne"]);
  equal(found("a ﬁne day", "ine"), ["ﬁne"]);
});

test("one blank stands for any, and quotes and dashes are as typed", () => {
  equal(found("ice\u00a0 \ncream", "ice cream"), ["ice\u00a0 \ncream"]);
  equal(found("it’s – “so”", 'it\'s - "so"'), ["it’s – “so”"]);
  equal(found("soft\u00adware", "software"), ["soft\u00adware"]);
});

test("nothing is found over the edge of two blocks", () => {
  equal(
    found("one two\n\nthree", "two three", [
      [0, 7],
      [9, 14],
    ]),
    [],
  );
  equal(
    found("one two\n\nthree", "t", [
      [0, 7],
      [9, 14],
    ]),
    ["t", "t"],
  );
});

test("blanks around the words do not count, and no words find nothing", () => {
  equal(found("one two", " two "), ["two"]);
  equal([found("one two", " "), found("one two", ""), found("one", "\u0301")], [[], [], []]);
});

test("hits do not overlap, and there are not more than can be shown", () => {
  equal(found("aaaa", "aa"), ["aa", "aa"]);
  equal(found("ab".repeat(MOST + 5), "ab").length, MOST);
});
