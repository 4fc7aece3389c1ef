// Gold of a page on the page itself, for researchers and admins: read-only.

import { find } from "./elements/build.js";
import { DIFFERENCES_KEYS } from "./elements/differences-screen.js";
import { GoldScreen } from "./elements/gold-screen.js";
import { listenFor, openWorkbench } from "./elements/workbench.js";

openWorkbench((opened) => {
  const screen = new GoldScreen(opened);
  listenFor({ ...DIFFERENCES_KEYS, b: sendBack, c: () => find("[data-compare]")?.click() }, screen, opened.signal);
  screen.open();
  // Whoever comes to send it back, from the quality checks, is asked for the reason at once.
  if (location.hash === "#back") sendBack();
  return {};
});

function sendBack() {
  const form = find("#back");
  if (!form || form.matches(":popover-open")) return;
  form.showPopover();
  find("textarea", form).focus();
}
