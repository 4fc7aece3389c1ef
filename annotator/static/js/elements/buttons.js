// Buttons of the annotation screen; each does what its key does.

import { find, findAll } from "./build.js";

/** @param {import("./annotate-screen.js").AnnotateScreen} screen @param {AbortSignal} signal */
export function bindButtons(screen, signal) {
  const acts = {
    "[data-undo]": () => screen.undo(),
    "[data-redo]": () => screen.redo(),
    "[data-message-undo]": () => screen.undo(),
    "[data-accept]": () => screen.editor.accept(),
    "[data-dismiss]": () => screen.editor.dismiss(),
    "[data-hidden]": () => screen.nextHidden(),
    "[data-skip]": () => screen.askSkip(),
    // The second click of a double click would answer the question whether nothing is to be marked.
    "[data-submit]": ({ detail }) => detail > 1 || screen.submit(),
    "[data-none]": () => screen.clearSelection(),
  };
  for (const [selector, act] of Object.entries(acts)) {
    const button = find(selector);
    button.addEventListener(
      "click",
      (event) => {
        if (button.getAttribute("aria-disabled") === "true") return;
        act(event);
        // Some are hidden by what they do, and would take the focus with them.
        if (!button.checkVisibility()) screen.stage.focus();
      },
      { signal },
    );
  }
  for (const chip of findAll("[data-label]")) {
    chip.addEventListener(
      "click",
      () => {
        screen.pick(chip.dataset.label ?? "");
        // Without keys, this is the one way to give a selection another label.
        if (matchMedia("(hover: none)").matches) screen.editor.mark(screen.selection.ranges);
        screen.stage.focus();
      },
      { signal },
    );
  }
}
