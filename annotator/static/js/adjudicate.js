// The adjudication screen.

import { listenToMouse } from "./dom/gestures.js";
import { listenToKeys } from "./dom/keys.js";
import { pressed } from "./elements/adjudicate-keys.js";
import { AdjudicateScreen } from "./elements/adjudicate-screen.js";
import { openWorkbench } from "./elements/workbench.js";
import { startHeartbeat } from "./net/heartbeat.js";
import { Sender } from "./net/sender.js";

openWorkbench(({ payload, stage, notices, signal }) => {
  const sender = new Sender();
  const screen = new AdjudicateScreen({ payload, stage, sender, notices, signal });
  listenToKeys(stage, (name) => pressed(screen, name), signal);
  stage.onDocument((view, frameSignal) => listenToMouse(view, screen.gestures(), frameSignal));
  startHeartbeat(
    payload.urls.heartbeat,
    { isActive: () => true, body: () => ({}), onLost: (message) => notices.show("lost", message, { bad: true }) },
    signal,
  );
  screen.open();
  return { adjudication: screen.adjudication, sender };
});
