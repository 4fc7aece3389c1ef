// Her marks against gold, after she has handed in a page of practice.

import { find } from "./elements/build.js";
import { FeedbackScreen } from "./elements/feedback-screen.js";
import { listenFor, open } from "./elements/opening.js";
import { goToRules } from "./elements/rules.js";

open((opened) => {
  const { stage } = opened;
  const screen = new FeedbackScreen(opened);
  listenFor({
    ...screen.keys(),
    "u": () => goToRules(find(".panel details"), stage), "]": () => find("[data-next]").click(),
  }, opened);
  screen.open();
  return {};
});
