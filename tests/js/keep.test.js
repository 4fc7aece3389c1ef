import { keep, keyOf, recall, waiting, wipe } from "/static/js/net/keep.js";
import { equal, ok, test } from "./harness.js";

test("what is kept is listed under its user, and nobody else's is", () => {
  localStorage.clear();
  keep(keyOf("ada", 7), { changes: 2, url: "/slots/7/", title: "Ferry line" });
  keep(keyOf("ben", 8), { changes: 1 });
  localStorage.setItem("theme", "dark");
  equal(waiting("ada").map(({ slot, changes, url, title }) => [slot, changes, url, title]), [["7", 2, "/slots/7/", "Ferry line"]]);
});

test("wiping takes one user's and leaves the rest", () => {
  equal([wipe("ada"), waiting("ada").length, waiting("ben").length, localStorage.getItem("theme")], [1, 0, 1, "dark"]);
});

test("nothing kept is null, and so is what cannot be read", () => {
  localStorage.setItem(keyOf("ada", 9), "{");
  equal([recall(keyOf("ada", 9)), recall(keyOf("ada", 10))], [null, null]);
});

test("a browser that is full says so", () => {
  ok(!keep(keyOf("ada", 11), { text: "x".repeat(12_000_000) }));
  localStorage.clear();
});
