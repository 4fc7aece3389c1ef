import { ActiveClock } from "/static/js/core/activity.js";
import { equal, ok, test } from "./harness.js";

test("time counts only within half a minute of input", () => {
  const clock = new ActiveClock(10);
  equal(clock.seconds(5_000), 10, "before any input:");
  clock.input(10_000);
  clock.input(30_000);
  equal(clock.seconds(40_000), 40);
  equal(clock.seconds(400_000), 60, "idle:");
  clock.input(500_000);
  equal(clock.seconds(505_000), 65);
});

test("out of sight nothing counts", () => {
  const clock = new ActiveClock();
  clock.input(0);
  clock.pause(4_000);
  equal(clock.seconds(20_000), 4);
  ok(!clock.isActive(20_000));
});

test("it is active for half a minute after input", () => {
  const clock = new ActiveClock();
  clock.input(0);
  ok(clock.isActive(29_000));
  ok(!clock.isActive(31_000));
});
