import { wipe } from "/static/js/net/database.js";
import { adopt, DraftStorage, draftsOf, forgetSlot, textOf } from "/static/js/net/drafts.js";
import { holdWindowLock, windowName } from "/static/js/net/tab-lock.js";
import { equal, ok, test } from "./harness.js";

const about =
  (more = {}) =>
  () => ({ url: "/slots/7/", save: "/slots/7/save/", title: "Ferry line", document: "d1", active_seconds: 9, ...more });
const content = (verdict) => ({ spans: [[0, 5, "body"]], verdict, reason: "", note: "" });
const packed = (verdict, changes = 1) => ({
  flying: null,
  waiting: content(verdict),
  based_on: 0,
  changes,
  flying_changes: 0,
});
const keepOf = (user, slot, window, more) =>
  new DraftStorage({ user, slot, window, about: about(more), text: () => "The text" });

async function fresh() {
  localStorage.clear();
  for (const user of ["ada", "ben"]) await wipe(user);
}

test("what is kept is listed under its user, and nobody else's is", async () => {
  await fresh();
  ok(await keepOf("ada", 7, "w1").keep(packed("article", 2)));
  await keepOf("ben", 8, "w2").keep(packed("several"));
  const seen = (await draftsOf("ada")).map(({ slot, changes, url, title, waiting }) => [
    slot,
    changes,
    url,
    title,
    waiting.verdict,
  ]);
  equal(seen, [["7", 2, "/slots/7/", "Ferry line", "article"]]);
  equal([await textOf("ada", "d1"), await textOf("eve", "d1")], ["The text", null]);
});

test("wiping takes one user's and leaves the rest", async () => {
  await wipe("ada");
  equal([(await draftsOf("ada")).length, (await draftsOf("ben")).length, await textOf("ada", "d1")], [0, 1, null]);
});

test("each window keeps its own draft of a page, and nothing once it is acknowledged", async () => {
  await fresh();
  const [first, second] = [keepOf("ada", 7, "w1"), keepOf("ada", 7, "w2")];
  await Promise.all([first.keep(packed("article")), second.keep(packed("several"))]);
  equal((await draftsOf("ada")).map(({ waiting }) => waiting.verdict).sort(), ["article", "several"]);
  await first.keep(null);
  equal(
    (await draftsOf("ada")).map(({ window }) => window),
    ["w2"],
  );
});

test("it says that a change is kept only when it is", async () => {
  await fresh();
  const keep = keepOf("ada", 7, "w1");
  const done = keep.keep(packed("article", 3));
  equal([keep.isCurrent, keep.changes], [false, 0]);
  keep.keep(packed("several", 4));
  await done;
  equal([keep.isCurrent, keep.changes], [false, 3], "a newer one is still on its way:");
  ok(await keep.keep(packed("cannot_tell", 5)));
  equal([keep.isCurrent, keep.changes], [true, 5]);
});

test("a browser that stores nothing is noticed", async () => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const keep = keepOf("ada", 7, "w1");
  ok(!(await keep.keep(packed("article"))));
  equal([keep.works, keep.isCurrent, keep.changes], [false, false, 0]);
  IDBDatabase.prototype.transaction = transaction;
});

test("the next window adopts the newest draft of closed windows, and lists the others", async () => {
  await fresh();
  await holdWindowLock();
  await keepOf("ada", 7, "gone1").keep(packed("article"));
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  await keepOf("ada", 7, "gone2").keep(packed("several"));
  await keepOf("ada", 9, "gone3").keep(packed("cannot_tell"));
  const { mine, others } = await adopt({ user: "ada", slot: 7, document: "d1" });
  equal(
    [mine.waiting.verdict, mine.window, others.map(({ waiting }) => waiting.verdict)],
    ["several", windowName, ["article"]],
  );
  const again = await adopt({ user: "ada", slot: 7, document: "d1" });
  equal([again.mine.waiting.verdict, (await draftsOf("ada")).length], ["article", 2], "its own is not another's:");
});

test("a draft is only listed once something newer was saved on top of what it is based on", async () => {
  await fresh();
  const page = { user: "ada", slot: 7, document: "d1" };
  const [past, future] = ["1999-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"];
  const flying = { operation: "o1", based_on: 0, content: content("article") };
  const found = async (draft, saved) => {
    await fresh();
    await keepOf("ada", 7, "gone").keep(draft);
    const { mine, others } = await adopt(page, undefined, saved);
    return [Boolean(mine), others.length];
  };
  equal(await found(packed("article"), { revision: 1, saved_at: future }), [false, 1]);
  equal(await found(packed("article"), { revision: 0, saved_at: future }), [true, 0], "the server has what it was:");
  equal(await found(packed("article"), { revision: 1, saved_at: past }), [true, 0], "it is newer:");
  equal(await found(packed("article"), { revision: 0, saved_at: null }), [true, 0], "nothing was saved:");
  const sent = { ...packed("article"), flying, flying_changes: 1 };
  equal(await found(sent, { revision: 1, saved_at: future }), [true, 0], "it may be what was saved:");
  equal(await found(sent, { revision: 2, saved_at: future }), [false, 1]);
});

/** Hold a lock as another window does. @returns {Promise<() => void>} releases it */
const locked = (name) =>
  new Promise((resolve) => {
    navigator.locks.request(name, () => new Promise((release) => resolve(release)));
  });

test("a draft of a window that edits the page is left to it, unless abandoned", async () => {
  await fresh();
  const locks = await Promise.all(["goldpan.window.there", "goldpan.slot.ada.7"].map(locked));
  const keep = keepOf("ada", 7, "there");
  await keep.keep(packed("article"));
  equal((await adopt({ user: "ada", slot: 7, document: "d1" })).mine, null);
  await keep.keep(packed("article"), { left: true });
  equal((await adopt({ user: "ada", slot: 7, document: "d1" })).mine.waiting.verdict, "article");
  for (const release of locks) release();
});

test("a draft of a window that only sends it is awaited until it ends", async () => {
  await fresh();
  const release = await locked("goldpan.window.there");
  await keepOf("ada", 7, "there").keep(packed("article"));
  const adopted = adopt({ user: "ada", slot: 7, document: "d1" });
  setTimeout(release, 1_500);
  equal((await adopted).mine?.waiting.verdict, "article");
});

test("a draft of another text is left alone, and a lost one is listed", async () => {
  await fresh();
  await keepOf("ada", 7, "gone", { document: "d2" }).keep(packed("article"));
  await keepOf("ada", 6, "gone").keep(packed("several"), { trouble: "lost" });
  const { mine, others } = await adopt({ user: "ada", slot: 7, document: "d1" });
  equal([mine, others.map(({ slot }) => slot), (await draftsOf("ada")).length], [null, ["6"], 2]);
});

test("a closing window's copy counts if the database was too late", async () => {
  await fresh();
  const keep = keepOf("ada", 7, "gone");
  await keep.keep(packed("article"));
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  keep.keep(packed("several", 2));
  keep.copy();
  equal(Object.keys(localStorage), ["goldpan.ada.7.gone"]);
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  await keepOf("ada", 7, "gone").keep(packed("article"));
  equal((await draftsOf("ada"))[0].waiting.verdict, "article", "the older copy is dropped:");
  const newest = { ...packed("newest"), user: "ada", slot: "7", window: "gone", document: "d1", kept_at: "2999-01-01" };
  localStorage.setItem("goldpan.ada.7.gone", JSON.stringify(newest));
  localStorage.setItem("goldpan.ada.8.gone", "{");
  localStorage.setItem("goldpan.ben.7.gone", "{}");
  equal(
    (await draftsOf("ada")).map(({ waiting }) => waiting.verdict),
    ["newest"],
  );
  equal(Object.keys(localStorage), ["goldpan.ben.7.gone"], "another user's copies stay:");
});

test("nothing is kept of a submitted page, but a text that the draft of another page is of", async () => {
  await fresh();
  for (const slot of [7, 8]) await keepOf("ada", slot, "w1").keep(packed("article"));
  await forgetSlot("ada", 7, "d1");
  equal([(await draftsOf("ada")).map(({ slot }) => slot), await textOf("ada", "d1")], [["8"], "The text"]);
  await forgetSlot("ada", 8, "d1");
  equal([await draftsOf("ada"), await textOf("ada", "d1")], [[], null]);
});
