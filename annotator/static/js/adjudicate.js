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
  /** @type {[string, () => void]} */
  const home = [gettext("Home"), () => location.assign(payload.urls.home)];
  startHeartbeat(
    payload.urls.heartbeat,
    {
      isActive: () => true,
      body: () => ({}),
      // Under the name of refused decisions, which are refused in the same words from now on.
      onLost: (message) => notices.show("refused", message, { bad: true, buttons: [home] }),
    },
    signal,
  );
  screen.open();
  return { adjudication: screen.adjudication, sender };
});
