import { wipe } from "/static/js/net/database.js";
import { DraftStorage, draftsOf } from "/static/js/net/drafts.js";
import { Saver } from "/static/js/net/saver.js";
import { equal, ok, test } from "./harness.js";

const content = (verdict) => ({ spans: [], verdict, reason: "", note: "" });

/** Answers requests in turn: a status with data, or null for no answer; keeps what was sent. */
function server(...answers) {
  const sent = [];
  window.fetch = (_url, { body }) => {
    sent.push(JSON.parse(body));
    const answer = answers.shift();
    if (!answer) return Promise.reject(new TypeError("no network"));
    const [status, data] = answer;
    return Promise.resolve(
      new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } }),
    );
  };
  return sent;
}

// Only what is done at once: a busy machine takes longer than any pause of the saver, which would send by itself.
const later = window.setTimeout.bind(window);
window.setTimeout = (act, pause = 0) => (pause ? 0 : later(act));

let windows = 0;
/** @type {{made: Saver, keep: DraftStorage}[]} */
const opened = [];

function saver(revision = 0) {
  const about = () => ({ url: "/slots/1/", save: "/save/", title: "Ferry line", document: "d1", active_seconds: 5 });
  windows += 1;
  const keep = new DraftStorage({ user: "ada", slot: 1, window: `w${windows}`, about, text: () => "" });
  const made = new Saver({
    url: "/save/",
    keep,
    revision,
    savedAt: null,
    body: (given) => ({ ...given, document: "d1", active_seconds: 5 }),
  });
  opened.push({ made, keep });
  return made;
}

/** What the browser keeps, once what is on its way has arrived. */
async function recall() {
  while (opened.some(({ keep }) => keep.works && !keep.isCurrent)) {
    await new Promise((resolve) => {
      later(resolve, 5);
    });
  }
  return (await draftsOf("ada"))[0] ?? null;
}

async function fresh() {
  for (const { made } of opened) made.wipe();
  await recall();
  opened.length = 0;
  localStorage.clear();
  await wipe("ada");
}

const saved = (revision) => [200, { revision, saved_at: "2026-11-20T12:03:00Z" }];

test("changes are kept in the browser at once and gone when acknowledged", async () => {
  await fresh();
  const sent = server(saved(1));
  const made = saver();
  made.put(content("article"));
  equal((await recall()).waiting.verdict, "article");
  ok(await made.flush());
  equal([made.state, made.revision, await recall()], ["saved", 1, null]);
  equal([sent[0].document, sent[0].based_on, sent[0].active_seconds], ["d1", 0, 5]);
});

test("without an answer the same operation is sent again", async () => {
  const sent = server(null, saved(1));
  const made = saver();
  made.put(content("article"));
  const asked = Date.now();
  ok(!(await made.flush()));
  equal([made.state, made.changes], ["offline", 1]);
  ok(made.retryAt >= asked + 1_000);
  ok(await made.flush());
  equal(sent.length, 2);
  equal(sent[0], sent[1]);
});

test("the next window sends what this one could not", async () => {
  const sent = server(null);
  const first = saver();
  first.put(content("several"));
  await first.flush();
  const again = server(saved(1));
  const second = saver();
  equal(second.recover(await recall()).verdict, "several");
  ok(await second.flush());
  equal([again[0].operation, second.isEmpty], [sent[0].operation, true]);
  await fresh();
});

test("a stale save keeps both; mine is saved on top when I say so", async () => {
  const current = { revision: 4, saved_at: "2026-11-20T12:04:00Z", ...content("other") };
  const sent = server([409, { error: "stale", current, yours: content("mine") }], saved(5));
  const made = saver(3);
  made.put(content("mine"));
  ok(!(await made.flush()));
  equal([made.state, made.conflict.verdict, (await recall()).waiting.verdict], ["stale", "other", "mine"]);
  made.put(content("mine too"));
  equal(sent.length, 1, "nothing is sent while it is stale:");
  made.keepMine();
  ok(await made.flush());
  equal([sent[1].based_on, sent[1].verdict, made.revision], [4, "mine too", 5]);
});

test("the other version is taken without another save", async () => {
  const current = { revision: 4, saved_at: "2026-11-20T12:04:00Z", ...content("other") };
  const sent = server([409, { error: "stale", current, yours: content("mine") }]);
  const made = saver(3);
  made.put(content("mine"));
  await made.flush();
  equal(made.takeOther().verdict, "other");
  equal([made.revision, made.isEmpty, await recall(), sent.length], [4, true, null, 1]);
});

test("a lost lease stops the sending and keeps the draft here", async () => {
  server([410, { error: "It went to somebody else." }]);
  const made = saver(3);
  made.put(content("mine"));
  ok(!(await made.flush()));
  equal([made.state, made.message, (await recall()).waiting.verdict], ["lost", "It went to somebody else.", "mine"]);
  await fresh();
});

test("signed out, it continues after signing in", async () => {
  server([401, { error: "signed out" }], saved(4));
  const made = saver(3);
  made.put(content("mine"));
  ok(!(await made.flush()));
  equal(made.state, "signed-out");
  made.retry();
  ok(await made.flush());
  equal([made.state, made.revision], ["saved", 4]);
});

test("a change made while a save is under way is sent after it", async () => {
  const sent = server(saved(1), saved(2));
  const made = saver();
  const { fetch } = window;
  window.fetch = (...request) => {
    if (!sent.length) made.put(content("second"));
    return fetch(...request);
  };
  made.put(content("first"));
  ok(await made.flush());
  equal(
    sent.map(({ verdict, based_on: based }) => [verdict, based]),
    [
      ["first", 0],
      ["second", 1],
    ],
  );
});

test("an operation is on the disk under its name before it is sent", async () => {
  await fresh();
  const seen = [];
  window.fetch = async (_url, { body }) => {
    const [draft] = await draftsOf("ada");
    seen.push([JSON.parse(body).operation === draft?.flying?.operation, draft?.changes]);
    throw new TypeError("no network");
  };
  const made = saver();
  made.put(content("article"));
  await made.flush();
  equal(seen, [[true, 1]]);
  equal([made.keptChanges, made.isKept, made.isSafe], [1, true, true]);
  made.retry();
  await fresh();
});

test("a disk that stores nothing does not hold a change back", async () => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const sent = server(saved(1));
  const made = saver();
  made.put(content("article"));
  ok(await made.flush());
  equal([sent.length, made.isKept, made.state], [1, false, "saved"]);
  IDBDatabase.prototype.transaction = transaction;
});

test("a closing window sends its changes, and stores them under the same name", async () => {
  await fresh();
  const sent = server(saved(1));
  const made = saver();
  made.put(content("article"));
  made.leave();
  equal(
    sent.map(({ verdict }) => verdict),
    ["article"],
  );
  const left = JSON.parse(localStorage.getItem(Object.keys(localStorage)[0]));
  equal(left.flying.operation, sent[0].operation);
});

test("closed, it sends and stores nothing more, and its changes may be adopted", async () => {
  await fresh();
  const sent = server(saved(1));
  const made = saver();
  made.put(content("article"));
  await made.close();
  made.put(content("several"));
  const draft = await recall();
  equal([sent.length, draft.left, draft.waiting.verdict], [0, true, "article"]);
});
