import { History } from "/static/js/core/history.js";
import { historyKeep, keptHistory } from "/static/js/net/histories.js";
import { wipe } from "/static/js/net/store.js";
import { dice, equal, ok, test } from "./harness.js";

const present = (spans, more = {}) => ({ spans, ghosts: [], verdict: "", reason: "", note: "", ...more });
const span = (n, label = "body") => [n * 10, n * 10 + 5, label];

/** Some present that differs from another in some spans and maybe in the verdict. */
function altered({ spans }, roll) {
  const chosen = new Map(spans.map((each) => [each[0], each]));
  for (let i = roll(4) + 1; i > 0; i -= 1) {
    const [start, end, label] = span(roll(40), roll(2) ? "body" : "related");
    if (chosen.has(start)) chosen.delete(start);
    else chosen.set(start, [start, end - roll(3), label]);
  }
  return present([...chosen.values()].sort((a, b) => a[0] - b[0]), { verdict: roll(2) ? "article" : "several" });
}

test("steps lead back to each state that was, and forth again", () => {
  const roll = dice(7);
  const history = new History(present([]));
  const states = [history.present];
  for (let i = 0; i < 300; i += 1) {
    history.push(altered(history.present, roll));
    states.push(history.present);
  }
  for (let i = 299; i >= 0; i -= 1) {
    ok(history.undo());
    equal(history.present, states[i], `after undoing to ${i}:`);
  }
  ok(!history.undo());
  for (let i = 1; i <= 300; i += 1) {
    ok(history.redo());
    equal(history.present, states[i], `after doing ${i} again:`);
  }
  ok(!history.redo());
});

test("a step is as small as what it changed", () => {
  const many = Array.from({ length: 5000 }, (_, n) => span(n));
  const history = new History(present(many));
  history.push(present([...many.slice(0, 2500), span(2500, "related"), ...many.slice(2501)]));
  equal(history.news().steps, [{ spans: [[span(2500)], [span(2500, "related")]] }]);
});

test("a new step takes the place of what was undone; a retracted one leaves nothing", () => {
  const history = new History(present([]));
  history.push(present([span(1)]));
  history.undo();
  history.push(present([span(2)]));
  ok(!history.canRedo);
  history.retract();
  equal([history.canUndo, history.canRedo, history.present.spans], [false, false, []]);
});

test("a note is no step, and undoing leaves it", () => {
  const history = new History(present([]));
  history.push(present([span(1)]));
  history.amend({ note: "in doubt" });
  history.undo();
  equal(history.present, present([], { note: "in doubt" }));
});

test("steps are kept one by one and taken up where they stood", async () => {
  await wipe("ada");
  const page = { user: "ada", slot: 7, document: "d1" };
  const history = new History(present([]));
  const keep = historyKeep(page, history);
  for (let n = 0; n < 6; n += 1) {
    history.push(present([span(n)]));
    await keep();
  }
  history.undo();
  history.undo();
  history.push(present([span(20)]));
  history.undo();
  await keep();
  const later = History.resume(present([span(3)]), await keptHistory("ada", 7, "d1"));
  equal([later.present.spans, later.canRedo], [[span(3)], true]);
  later.redo();
  equal(later.present.spans, [span(20)]);
  for (const wanted of [[span(3)], [span(2)], [span(1)], [span(0)], []]) {
    later.undo();
    equal(later.present.spans, wanted);
  }
  equal([later.canUndo, later.news().steps], [false, []]);
});

test("what was saved from elsewhere is one more step", async () => {
  const later = History.resume(present([span(30)], { verdict: "article" }), await keptHistory("ada", 7, "d1"));
  equal([later.present.spans, later.present.verdict, later.canRedo], [[span(30)], "article", false]);
  later.undo();
  equal(later.present.spans, [span(3)]);
});

test("what is left of a suggestion comes back with the steps", () => {
  const kept = { present: present([span(1)], { ghosts: [] }), steps: [{ ghosts: [[span(5)], []] }], position: 1 };
  const later = History.resume(present([span(1)], { ghosts: [span(5)] }), kept);
  equal(later.present.ghosts, []);
  later.undo();
  equal(later.present.ghosts, [span(5)]);
});

test("steps over another text, or of another user, are not taken up", async () => {
  equal([await keptHistory("ada", 7, "d2"), await keptHistory("ben", 7, "d1"), await keptHistory("ada", 8, "d1")], [null, null, null]);
});
