// The annotator's marks against gold, after submitting a practice page.

import { find } from "./elements/build.js";
import { DIFFERENCES_KEYS } from "./elements/differences-screen.js";
import { FeedbackScreen } from "./elements/feedback-screen.js";
import { PANEL_KEYS } from "./elements/stage-keys.js";
import { listenFor, openWorkbench } from "./elements/workbench.js";

openWorkbench((opened) => {
  const screen = new FeedbackScreen(opened);
  const { u } = PANEL_KEYS;
  listenFor({ ...DIFFERENCES_KEYS, u, "]": () => find("[data-next]").click() }, screen, opened.signal);
  screen.open();
  return {};
});
