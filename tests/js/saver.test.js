import { keyOf, recall } from "/static/js/net/keep.js";
import { Saver } from "/static/js/net/saver.js";
import { equal, ok, test } from "./harness.js";

const KEY = keyOf("ada", 1);
const content = (verdict) => ({ spans: [], verdict, reason: "", note: "" });

/** Answers requests in turn: a status with data, or null for no answer; keeps what was sent. */
function server(...answers) {
  const sent = [];
  window.fetch = (url, { body }) => {
    sent.push(JSON.parse(body));
    const answer = answers.shift();
    if (!answer) return Promise.reject(new TypeError("no network"));
    const [status, data] = answer;
    return Promise.resolve(new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } }));
  };
  return sent;
}

const saver = (revision = 0) => new Saver({
  url: "/save/", key: KEY, revision, savedAt: null, about: { url: "/slots/1/", title: "Ferry line", document: "d1" },
  body: (given) => ({ ...given, active_seconds: 5 }),
});

const saved = (revision) => [200, { revision, saved_at: "2026-11-20T12:03:00Z" }];

test("changes are kept in the browser at once and gone when acknowledged", async () => {
  localStorage.clear();
  const sent = server(saved(1));
  const made = saver();
  made.put(content("article"));
  equal(recall(KEY).waiting.verdict, "article");
  ok(await made.flush());
  equal([made.state, made.revision, recall(KEY)], ["saved", 1, null]);
  equal([sent[0].document, sent[0].based_on, sent[0].active_seconds], ["d1", 0, 5]);
});

test("without an answer the same operation is sent again", async () => {
  const sent = server(null, saved(1));
  const made = saver();
  made.put(content("article"));
  ok(!(await made.flush()));
  equal([made.state, made.changes], ["offline", 1]);
  ok(made.retryAt > Date.now());
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
  equal(second.recover().verdict, "several");
  ok(await second.flush());
  equal([again[0].operation, second.isEmpty, recall(KEY)], [sent[0].operation, true, null]);
});

test("what waits for another document is left alone", async () => {
  server(null);
  const first = saver();
  first.put(content("several"));
  await first.flush();
  const other = new Saver({ url: "/save/", key: KEY, revision: 0, savedAt: null, about: { document: "d2" }, body: (given) => given });
  equal(other.recover(), null);
  ok(recall(KEY), "it is still there");
  localStorage.clear();
});

test("a stale save keeps both; mine is saved on top when I say so", async () => {
  const current = { revision: 4, saved_at: "2026-11-20T12:04:00Z", ...content("other") };
  const sent = server([409, { error: "stale", current, yours: content("mine") }], saved(5));
  const made = saver(3);
  made.put(content("mine"));
  ok(!(await made.flush()));
  equal([made.state, made.conflict.current.verdict, recall(KEY).waiting.verdict], ["stale", "other", "mine"]);
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
  equal([made.revision, made.isEmpty, recall(KEY), sent.length], [4, true, null, 1]);
});

test("a lost lease stops the sending and keeps the draft here", async () => {
  server([410, { error: "It went to somebody else." }]);
  const made = saver(3);
  made.put(content("mine"));
  ok(!(await made.flush()));
  equal([made.state, made.message, recall(KEY).waiting.verdict], ["lost", "It went to somebody else.", "mine"]);
  localStorage.clear();
});

test("signed out, it goes on by itself after signing in", async () => {
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
  made.put(content("first"));
  const flushed = made.flush();
  await new Promise((resolve) => made.addEventListener("state", () => made.state === "saving" && resolve(), { once: true }));
  made.put(content("second"));
  ok(await flushed);
  equal(sent.map(({ verdict, based_on: based }) => [verdict, based]), [["first", 0], ["second", 1]]);
});
