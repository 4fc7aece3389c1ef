import { holdWindowLock, TabLock } from "/static/js/net/tab-lock.js";
import { equal, test } from "./harness.js";

const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** A lock on page 7, and the states that it says. */
function lock() {
  const life = new AbortController();
  const made = new TabLock({ user: "ada", slot: "7", onYield: async () => undefined, signal: life.signal });
  const said = [];
  made.addEventListener("state", () => said.push(made.state));
  return { made, said, life };
}

test("a browser that is slow to give the lock is no other window", async () => {
  const { request } = LockManager.prototype;
  LockManager.prototype.request = async function late(...given) {
    await pause(1_500);
    return request.apply(this, given);
  };
  const { made, said, life } = lock();
  await made.take();
  LockManager.prototype.request = request;
  equal(said, ["here"]);
  life.abort();
});

test("a page that another window has is elsewhere until that window ends", async () => {
  const [first, second] = [lock(), lock()];
  await first.made.take();
  await second.made.take();
  equal([first.said, second.said], [["here"], ["elsewhere"]]);
  const granted = new Promise((resolve) => {
    second.made.addEventListener("state", resolve, { once: true });
  });
  first.life.abort();
  await granted;
  equal(second.said, ["elsewhere", "here"]);
  second.life.abort();
});

test("a window that marks its drafts as in use again does not wait for itself", async () => {
  await holdWindowLock();
  const again = holdWindowLock().then(() => "held");
  equal(await Promise.race([again, pause(2_000)]), "held");
});
