// Buttons of the annotation screen; each does what its key does.

import { find } from "./build.js";

/** @param {import("./annotate-screen.js").AnnotateScreen} screen @param {AbortSignal} signal */
export function bindButtons(screen, signal) {
  const acts = {
    "[data-undo]": () => screen.undo(),
    "[data-redo]": () => screen.redo(),
    "[data-said-undo]": () => screen.undo(),
    "[data-accept]": () => screen.acceptAll(),
    "[data-dismiss]": () => screen.dismiss(),
    "[data-hidden]": () => screen.nextHidden(),
    "[data-skip]": () => screen.askSkip(),
    "[data-submit]": () => screen.submit(),
    "[data-none]": () => screen.clearChoice(),
  };
  for (const [selector, act] of Object.entries(acts)) {
    find(selector).addEventListener("click", ({ currentTarget }) => {
      if (currentTarget.getAttribute("aria-disabled") !== "true") act();
    }, { signal });
  }
  for (const chip of document.querySelectorAll("[data-label]")) {
    chip.addEventListener("click", () => { screen.pick(chip.dataset.label); screen.stage.focus(); }, { signal });
  }
}
