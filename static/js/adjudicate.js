// The adjudication workbench.

import { listenToMouse } from "./dom/gestures.js";
import { listenToKeys } from "./dom/keys.js";
import { watchOverlays } from "./dom/overlays.js";
import { Stage, StageError } from "./dom/stage.js";
import { pressed } from "./elements/adjudicate-keys.js";
import { AdjudicateScreen } from "./elements/adjudicate-screen.js";
import { data, find } from "./elements/build.js";
import { Notices } from "./elements/notices.js";
import { refuse } from "./elements/refusal.js";
import { watchStage } from "./elements/view-switch.js";
import { beat } from "./net/heartbeat.js";
import { Sender } from "./net/sender.js";

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
  watchStage({ stage, notices, signal: life.signal });
  await stage.start(bench.document);
  const sender = new Sender();
  const screen = new AdjudicateScreen({ bench, stage, sender, notices, signal });
  watchOverlays(() => stage.focus());
  listenToKeys(stage, (name) => pressed(screen, name), signal);
  stage.attend((view, sitting) => listenToMouse(view, screen.hands(), sitting));
  beat(bench.urls.heartbeat, {
    isActive: () => true,
    body: () => ({}),
    onLost: (message) => notices.show("lost", message, { bad: true }),
  }, signal);
  screen.open();
  /** For user scripts and tests, to be read only. */
  window.goldpan = Object.freeze({ view: stage.view, settlement: screen.settlement, sender, stage });
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "1"; }));
}
