// Gold and extraction side by side, for researchers.

import { find } from "./elements/build.js";
import { GlassScreen } from "./elements/glass-screen.js";
import { listenFor, open } from "./elements/opening.js";

open((opened) => {
  const screen = new GlassScreen(opened);
  listenFor({
    ...screen.keys(),
    "m": () => screen.stepIn("missed"), "w": () => screen.stepIn("wrong"),
    "J": () => screen.stepBlock(1), "K": () => screen.stepBlock(-1), "i": () => screen.toggleWhy(),
    "]": () => find("[data-next]")?.click(),
  }, opened);
  screen.open();
  return {};
});
