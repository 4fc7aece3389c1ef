import { Outbox } from "/static/js/core/outbox.js";
import { equal, ok, test } from "./harness.js";

const content = (verdict) => ({ spans: [], verdict, reason: "", note: "" });

function outbox(revision = 3) {
  let n = 0;
  return new Outbox({
    revision,
    name: () => {
      n += 1;
      return `operation-${n}`;
    },
  });
}

test("an operation keeps its name until it is answered; newer changes wait", () => {
  const box = outbox();
  box.put(content("article"));
  const first = box.next();
  box.put(content("several"));
  equal(box.next(), first, "the same operation is sent again:");
  box.acknowledge(4);
  equal(box.next(), { operation: "operation-2", based_on: 4, content: content("several") });
  box.acknowledge(5);
  ok(box.isEmpty);
});

test("many changes in a pause become one operation, and are counted", () => {
  const box = outbox();
  box.put(content("a"));
  box.put(content("b"));
  box.put(content("c"), true);
  equal([box.changes, box.next().content.verdict], [2, "c"]);
});

test("pauses grow, and an answer ends them", () => {
  const box = outbox();
  box.put(content("a"));
  box.next();
  const pauses = Array.from({ length: 8 }, () => {
    box.fail();
    return box.pause;
  });
  equal(pauses, [1, 2, 4, 8, 15, 15, 15, 15]);
  box.acknowledge(4);
  equal(box.failures, 0);
});

test("keeping mine saves the newest state on top of the other version", () => {
  const box = outbox();
  box.put(content("mine"));
  box.next();
  box.put(content("newer"));
  box.rebase(9);
  equal(box.next(), { operation: "operation-2", based_on: 9, content: content("newer") });
});

test("keeping mine without newer changes sends what was refused, under a new name", () => {
  const box = outbox();
  box.put(content("mine"));
  box.next();
  box.rebase(9);
  equal(box.next(), { operation: "operation-2", based_on: 9, content: content("mine") });
});

test("taking the other version leaves nothing to send", () => {
  const box = outbox();
  box.put(content("mine"));
  box.next();
  box.drop(9);
  equal([box.isEmpty, box.revision, box.pack()], [true, 9, null]);
});

test("unsaved changes go to the next window under the same name", () => {
  const box = outbox();
  box.put(content("sent, not answered"));
  const operation = box.next();
  box.put(content("newer"));
  const later = outbox(7);
  later.unpack(JSON.parse(JSON.stringify(box.pack())));
  equal(later.newest().verdict, "newer");
  equal(later.next(), operation);
  equal([later.revision, later.changes], [3, 2]);
});
