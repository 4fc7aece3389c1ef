// Keys that mean the same on several screens with a captured page.

import { find } from "./build.js";
import { goToRules } from "./rules.js";

export const STAGE_KEYS = {
  v: ({ stage }) => stage.toggle(),
  q: ({ stage }) => stage.toggleRemedy("overlays"),
  t: ({ stage }) => stage.toggleRemedy("reveal"),
  "?": ({ stage }) => toggleKeys(stage),
  Escape: (screen) => screen.leave(),
};

export const PANEL_KEYS = {
  p: () => void find(".panel details").toggleAttribute("open"),
  u: ({ stage }) => goToRules(stage),
};

/** Show the list of keys, which takes the focus, or hide it and focus the page. */
function toggleKeys(stage) {
  const keys = find("#keys");
  if (keys.togglePopover()) find("button", keys).focus();
  else stage.focus();
}
