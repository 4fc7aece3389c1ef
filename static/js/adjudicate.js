// The adjudication workbench.

import { listenToMouse } from "./dom/gestures.js";
import { listenToKeys } from "./dom/keys.js";
import { pressed } from "./elements/adjudicate-keys.js";
import { AdjudicateScreen } from "./elements/adjudicate-screen.js";
import { open } from "./elements/opening.js";
import { beat } from "./net/heartbeat.js";
import { Sender } from "./net/sender.js";

open(({ bench, stage, notices, signal }) => {
  const sender = new Sender();
  const screen = new AdjudicateScreen({ bench, stage, sender, notices, signal });
  listenToKeys(stage, (name) => pressed(screen, name), signal);
  stage.attend((view, sitting) => listenToMouse(view, screen.hands(), sitting));
  beat(bench.urls.heartbeat, {
    isActive: () => true,
    body: () => ({}),
    onLost: (message) => notices.show("lost", message, { bad: true }),
  }, signal);
  screen.open();
  return { settlement: screen.settlement, sender };
});
