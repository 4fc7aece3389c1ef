import { History } from "/static/js/core/history.js";
import { read, under, wipe, write } from "/static/js/net/database.js";
import { forgetSlot } from "/static/js/net/drafts.js";
import { historySaver, restoreHistory } from "/static/js/net/histories.js";
import { findRecoverable } from "/static/js/net/recovery.js";
import { windowName } from "/static/js/net/tab-lock.js";
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
  return present(
    [...chosen.values()].sort((a, b) => a[0] - b[0]),
    { verdict: roll(2) ? "article" : "several" },
  );
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

test("a new step replaces what was undone; a retracted one leaves nothing", () => {
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
const keepIn = (historyKey, history, page = PAGE) => historySaver({ ...page, historyKey }, history);
const headOf = (historyKey) => read(({ heads }) => heads.get(["ada", historyKey]));

/** As a closed window leaves it. */
async function leave(historyKey, history) {
  await keepIn(historyKey, history)();
  const head = await headOf(historyKey);
  await write(({ heads }) => heads.put({ ...head, window: `gone from ${historyKey}` }));
  sessionStorage.clear();
}

/** In a new tab. */
async function afresh() {
  await wipe("ada");
  sessionStorage.clear();
}

test("steps are stored one by one and restored at their position", async () => {
  await afresh();
  const { historyKey, stored } = await restoreHistory(PAGE, EMPTY);
  equal(stored, null);
  const history = new History(present([]));
  const keep = keepIn(historyKey, history);
  for (let n = 0; n < 6; n += 1) {
    history.push(present([span(n)]));
    await keep();
  }
  history.undo();
  history.undo();
  history.push(present([span(20)]));
  history.undo();
  await keep();
  const again = await restoreHistory(PAGE, present([span(3)]));
  equal(again.historyKey, historyKey);
  const later = History.resume(present([span(3)]), again.stored);
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
  const { stored } = await restoreHistory(PAGE, EMPTY);
  const later = History.resume(present([span(30)], { verdict: "article" }), stored);
  equal([later.present.spans, later.present.verdict, later.canRedo], [[span(30)], "article", false]);
  later.undo();
  equal(later.present.spans, [span(3)]);
});

test("a stored step that continued is stored again", async () => {
  await afresh();
  const history = new History(present([]));
  const keep = keepIn("7/w", history);
  history.push(present([], { note: "i" }));
  await keep();
  history.extend(present([], { note: "in doubt" }));
  await keep();
  const { historyKey, stored } = await restoreHistory(PAGE, EMPTY);
  equal(historyKey, "7/w");
  equal(stored.steps, [{ note: ["", "in doubt"] }]);
});

test("each window keeps its own steps, and its tab finds them again", async () => {
  await afresh();
  const [one, other] = [new History(present([])), new History(present([]))];
  one.push(present([span(1)]));
  other.push(present([span(2)]));
  await leave("7/one", one);
  await leave("7/other", other);
  sessionStorage.setItem("goldpan.steps.ada.7", "7/one");
  const { historyKey, stored } = await restoreHistory(PAGE, present([span(2)]));
  equal([historyKey, stored.present.spans, stored.isCopy], ["7/one", [span(1)], false]);
  equal((await headOf("7/one")).window, windowName);
});

test("a new tab restores the steps that lead to what is shown, else the newest", async () => {
  for (const [shown, wanted] of [
    [span(1), "7/one"],
    [span(2), "7/other"],
    [span(9), "7/other"],
  ]) {
    await afresh();
    for (const [historyKey, last] of [
      ["7/one", span(1)],
      ["7/other", span(2)],
    ]) {
      const history = new History(present([]));
      history.push(present([last]));
      await leave(historyKey, history);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    equal((await restoreHistory(PAGE, present([shown]))).historyKey, wanted, JSON.stringify(shown));
  }
});

test("an open window's steps are copied, and its own steps stay", async () => {
  await afresh();
  const history = new History(present([]));
  history.push(present([span(1)]));
  await leave("7/one", history);
  const { historyKey, stored } = await navigator.locks.request("goldpan.window.gone from 7/one", () =>
    restoreHistory(PAGE, present([span(1)])),
  );
  equal([historyKey, stored.isCopy], [`7/${windowName}`, true]);
  const copy = History.resume(present([span(1)]), stored);
  copy.push(present([span(2)]));
  await keepIn(historyKey, copy)();
  const counts = [];
  for (const each of ["7/one", historyKey]) counts.push(await read(({ steps }) => steps.count(under("ada", each))));
  equal(counts, [1, 2]);
});

test("a submitted page removes the steps of all windows, and those of no other", async () => {
  await afresh();
  for (const [page, historyKey] of [
    [PAGE, "7/one"],
    [PAGE, "7/two"],
    [{ ...PAGE, slot: 70 }, "70/one"],
  ]) {
    const history = new History(present([]));
    history.push(present([span(1)]));
    await keepIn(historyKey, history, page)();
  }
  await forgetSlot("ada", 7, "d1");
  const left = await read(({ heads }) => heads.getAll(under("ada")));
  equal([left.map(({ slot }) => slot), await read(({ steps }) => steps.count(under("ada")))], [["70/one"], 1]);
});

test("what is left of a suggestion comes back with the steps", () => {
  const stored = { present: present([span(1)], { ghosts: [] }), steps: [{ ghosts: [[span(5)], []] }], position: 1 };
  const later = History.resume(present([span(1)], { ghosts: [span(5)] }), stored);
  equal(later.present.ghosts, []);
  later.undo();
  equal(later.present.ghosts, [span(5)]);
});

test("steps over another text, or of another user or page, are not restored", async () => {
  await afresh();
  const history = new History(present([]));
  history.push(present([span(1)]));
  await leave("7/one", history);
  const others = [
    { ...PAGE, document: "d2" },
    { ...PAGE, user: "ben" },
    { ...PAGE, slot: 8 },
  ];
  for (const page of others) equal((await restoreHistory(page, present([span(1)]))).stored, null);
  equal((await restoreHistory(PAGE, present([span(1)]))).stored.steps.length, 1);
});

test("a server that does not answer costs nobody their steps", async () => {
  await afresh();
  const history = new History(EMPTY);
  history.push(present([span(1)]));
  await leave("7/there", history);
  const state = { ...present([span(1)]), revision: 1, saved_at: null };
  const found = await findRecoverable(PAGE, state, () => Promise.reject(new DOMException("late", "TimeoutError")));
  equal([found.late, found.history.stored?.steps.length], [null, 1]);
});
