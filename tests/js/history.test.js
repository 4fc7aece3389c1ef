import { History } from "/static/js/core/history.js";
import { forgetSlot } from "/static/js/net/drafts.js";
import { historyKeep, takeUpHistory } from "/static/js/net/histories.js";
import { windowName } from "/static/js/net/seat.js";
import { read, under, wipe, write } from "/static/js/net/store.js";
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

test("a step that goes on stays one, and is none when it leads back", () => {
  const history = new History(present([]));
  history.push(present([span(1)]));
  history.push(present([span(1)], { note: "i" }));
  ok(history.extend(present([span(1)], { note: "in doubt" })));
  history.undo();
  equal(history.present, present([span(1)]));
  history.redo();
  equal(history.present.note, "in doubt");
  ok(!history.extend(present([span(1)])));
  history.undo();
  equal([history.present, history.canUndo], [present([]), false]);
});

const PAGE = { user: "ada", slot: 7, document: "d1" };
const EMPTY = present([]);
const keepIn = (place, history, page = PAGE) => historyKeep({ ...page, place }, history);
const headOf = (place) => read(({ heads }) => heads.get(["ada", place]));

/** As a window leaves it that is gone. */
async function leave(place, history) {
  await keepIn(place, history)();
  const head = await headOf(place);
  await write(({ heads }) => heads.put({ ...head, window: `gone from ${place}` }));
  sessionStorage.clear();
}

/** In a new tab. */
async function afresh() {
  await wipe("ada");
  sessionStorage.clear();
}

test("steps are kept one by one and taken up where they stood", async () => {
  await afresh();
  const { place, kept } = await takeUpHistory(PAGE, EMPTY);
  equal(kept, null);
  const history = new History(present([]));
  const keep = keepIn(place, history);
  for (let n = 0; n < 6; n += 1) {
    history.push(present([span(n)]));
    await keep();
  }
  history.undo();
  history.undo();
  history.push(present([span(20)]));
  history.undo();
  await keep();
  const again = await takeUpHistory(PAGE, present([span(3)]));
  equal(again.place, place);
  const later = History.resume(present([span(3)]), again.kept);
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
  const { kept } = await takeUpHistory(PAGE, EMPTY);
  const later = History.resume(present([span(30)], { verdict: "article" }), kept);
  equal([later.present.spans, later.present.verdict, later.canRedo], [[span(30)], "article", false]);
  later.undo();
  equal(later.present.spans, [span(3)]);
});

test("a kept step that went on is kept anew", async () => {
  await afresh();
  const history = new History(present([]));
  const keep = keepIn("7/w", history);
  history.push(present([], { note: "i" }));
  await keep();
  history.extend(present([], { note: "in doubt" }));
  await keep();
  const { place, kept } = await takeUpHistory(PAGE, EMPTY);
  equal(place, "7/w");
  equal(kept.steps, [{ note: ["", "in doubt"] }]);
});

test("each window keeps its own steps, and its tab finds them again", async () => {
  await afresh();
  const [one, other] = [new History(present([])), new History(present([]))];
  one.push(present([span(1)]));
  other.push(present([span(2)]));
  await leave("7/one", one);
  await leave("7/other", other);
  sessionStorage.setItem("goldpan.steps.ada.7", "7/one");
  const { place, kept } = await takeUpHistory(PAGE, present([span(2)]));
  equal([place, kept.present.spans, kept.isCopy], ["7/one", [span(1)], false]);
  equal((await headOf("7/one")).window, windowName);
});

test("a new tab takes up the steps that lead to what is shown, else the newest", async () => {
  for (const [shown, wanted] of [[span(1), "7/one"], [span(2), "7/other"], [span(9), "7/other"]]) {
    await afresh();
    for (const [place, last] of [["7/one", span(1)], ["7/other", span(2)]]) {
      const history = new History(present([]));
      history.push(present([last]));
      await leave(place, history);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
    equal((await takeUpHistory(PAGE, present([shown]))).place, wanted, JSON.stringify(shown));
  }
});

test("of a window that is there a copy is taken, and its own steps stay", async () => {
  await afresh();
  const history = new History(present([]));
  history.push(present([span(1)]));
  await leave("7/one", history);
  const { place, kept } = await navigator.locks.request("goldpan.window.gone from 7/one", () => (
    takeUpHistory(PAGE, present([span(1)]))));
  equal([place, kept.isCopy], [`7/${windowName}`, true]);
  const copy = History.resume(present([span(1)]), kept);
  copy.push(present([span(2)]));
  await keepIn(place, copy)();
  const counts = [];
  for (const each of ["7/one", place]) counts.push(await read(({ steps }) => steps.count(under("ada", each))));
  equal(counts, [1, 2]);
});

test("steps that were kept before windows had places are taken up", async () => {
  await afresh();
  await write(({ heads, steps }) => {
    heads.put({ user: "ada", slot: "7", document: "d1", position: 1, length: 1, present: JSON.stringify(present([span(1)])) });
    steps.put({ user: "ada", slot: "7", number: 0, step: { spans: [[], [span(1)]] } });
  });
  const { place, kept } = await takeUpHistory(PAGE, EMPTY);
  equal([place, kept.steps.length], ["7", 1]);
});

test("a page that is gone takes the steps of all windows along, and those of no other", async () => {
  await afresh();
  for (const [page, place] of [[PAGE, "7/one"], [PAGE, "7"], [{ ...PAGE, slot: 70 }, "70/one"]]) {
    const history = new History(present([]));
    history.push(present([span(1)]));
    await keepIn(place, history, page)();
  }
  await forgetSlot("ada", 7);
  const left = await read(({ heads }) => heads.getAll(under("ada")));
  equal([left.map(({ slot }) => slot), await read(({ steps }) => steps.count(under("ada")))], [["70/one"], 1]);
});

test("what is left of a suggestion comes back with the steps", () => {
  const kept = { present: present([span(1)], { ghosts: [] }), steps: [{ ghosts: [[span(5)], []] }], position: 1 };
  const later = History.resume(present([span(1)], { ghosts: [span(5)] }), kept);
  equal(later.present.ghosts, []);
  later.undo();
  equal(later.present.ghosts, [span(5)]);
});

test("steps over another text, or of another user or page, are not taken up", async () => {
  await afresh();
  const history = new History(present([]));
  history.push(present([span(1)]));
  await leave("7/one", history);
  const others = [{ ...PAGE, document: "d2" }, { ...PAGE, user: "ben" }, { ...PAGE, slot: 8 }];
  for (const page of others) equal((await takeUpHistory(page, present([span(1)]))).kept, null);
  equal((await takeUpHistory(PAGE, present([span(1)]))).kept.steps.length, 1);
});
