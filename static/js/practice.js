// Her marks against gold, after she has handed in a page of practice.

import { listenToKeys } from "./dom/keys.js";
import { watchOverlays } from "./dom/overlays.js";
import { Stage, StageError } from "./dom/stage.js";
import { data, find } from "./elements/build.js";
import { FeedbackScreen } from "./elements/feedback-screen.js";
import { Notices } from "./elements/notices.js";
import { refuse } from "./elements/refusal.js";
import { goToRules } from "./elements/rules.js";
import { watchStage } from "./elements/view-switch.js";

const bench = data("bench");
const notices = new Notices(find("#notices"));
const life = new AbortController();
addEventListener("pagehide", (event) => { if (!event.persisted) life.abort(); }, { once: true });

start().catch((error) => {
  if (!(error instanceof StageError)) console.error(error);
  refuse(notices, error);
});

async function start() {
  const { signal } = life;
  const stage = await Stage.open(find("#frame"), bench.urls, bench.document);
  watchStage({ stage, notices, signal });
  await stage.start(bench.document);
  const screen = new FeedbackScreen({ bench, stage, signal });
  const keys = {
    "n": () => screen.step(1), "j": () => screen.step(1), "p": () => screen.step(-1), "k": () => screen.step(-1),
    "v": () => stage.toggle(), "u": () => goToRules(find(".panel details"), stage), "]": () => find("[data-next]").click(),
    "?": () => screen.toggleKeys(), "Escape": () => screen.leave(),
  };
  watchOverlays(() => stage.focus());
  listenToKeys(stage, (name) => {
    keys[name]?.();
    return name in keys;
  }, signal);
  screen.open();
  /** For user scripts and tests, to be read only. */
  window.goldpan = Object.freeze({ view: stage.view, stage });
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "1"; }));
}
