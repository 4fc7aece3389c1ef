// Popovers opened by a key take the focus, and give it back to the page.

import { find } from "./build.js";

/** Show or hide the list of keys. @param {import("../dom/stage.js").Stage} stage */
export function toggleKeys(stage) {
  const keys = find("#keys");
  if (keys.togglePopover()) find("button", keys).focus();
  else stage.focus();
}
