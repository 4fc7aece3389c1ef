// Gold and extraction side by side, for researchers.

import { find } from "./elements/build.js";
import { ErrorViewScreen } from "./elements/error-view-screen.js";
import { listenFor, openWorkbench } from "./elements/workbench.js";

openWorkbench((opened) => {
  const screen = new ErrorViewScreen(opened);
  listenFor(
    {
      ...screen.keys(),
      m: () => screen.stepIn("missed"),
      w: () => screen.stepIn("wrong"),
      J: () => screen.stepBlock(1),
      K: () => screen.stepBlock(-1),
      i: () => screen.toggleExplanation(),
      s: () => screen.shrink(),
      "]": () => find("[data-next]")?.click(),
      "[": () => find("[data-previous]")?.click(),
      x: () => find("[data-swap]")?.click(),
      e: () => find("[data-extractor]")?.focus(),
      b: () => find("[data-versus] [name=vs]")?.focus(),
    },
    opened,
  );
  screen.open();
  return {};
});
