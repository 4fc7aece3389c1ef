// Gold and extraction side by side, for researchers.

import { find } from "./elements/build.js";
import { DIFFERENCES_KEYS } from "./elements/differences-screen.js";
import { ErrorViewScreen } from "./elements/error-view-screen.js";
import { listenFor, openWorkbench } from "./elements/workbench.js";

openWorkbench((opened) => {
  const screen = new ErrorViewScreen(opened);
  listenFor(
    {
      ...DIFFERENCES_KEYS,
      m: () => screen.stepIn("missed"),
      w: () => screen.stepIn("wrong"),
      J: () => screen.selection.step(1),
      K: () => screen.selection.step(-1),
      i: () => screen.toggleExplanation(),
      s: () => screen.shrink(),
      "]": () => find("[data-next]")?.click(),
      "[": () => find("[data-previous]")?.click(),
      x: () => find("[data-swap]")?.click(),
      e: () => find("[data-extractor]")?.focus(),
      b: () => find("[data-versus] [name=vs]")?.focus(),
    },
    screen,
    opened.signal,
  );
  screen.open();
  return {};
});
