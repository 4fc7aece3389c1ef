// The annotator's marks against gold, after submitting a practice page.

import { find } from "./elements/build.js";
import { FeedbackScreen } from "./elements/feedback-screen.js";
import { goToRules } from "./elements/rules.js";
import { listenFor, openWorkbench } from "./elements/workbench.js";

openWorkbench((opened) => {
  const { stage } = opened;
  const screen = new FeedbackScreen(opened);
  listenFor(
    { ...screen.keys(), u: () => goToRules(find(".panel details"), stage), "]": () => find("[data-next]").click() },
    opened,
  );
  screen.open();
  return {};
});
