// The notice why a page cannot be annotated here; the page is made inert.

import { StageError } from "../dom/stage.js";
import { find, findAll } from "./build.js";

const REASONS = {
  insecure: gettext("Pages can only be verified over HTTPS or on localhost. Ask your admin for an https address."),
  differs: gettext(
    "The text in this browser differs from the stored page, so it cannot be annotated. Tell your admin.",
  ),
  changed: gettext("A translator or another extension keeps changing this page. Turn it off for Goldpan and reload."),
  unread: gettext("The page could not be loaded. Check the connection and reload."),
  highlights: gettext("This browser cannot show marks. Use a current version of Chrome, Edge or Firefox."),
};

/**
 * @param {import("./notices.js").Notices} notices
 * @param {Error} error a StageError, or any other that was not foreseen
 */
export function refuse(notices, error) {
  const reason = error instanceof StageError ? error.reason : "";
  if (!reason) console.error(error);
  const words =
    REASONS[reason] ?? gettext("The page could not be shown. Reload it; if that does not help, tell your admin.");
  notices.show("refused", words, { bad: true, buttons: [[gettext("Reload"), () => location.reload()]] });
  find("#page").inert = true;
  for (const button of findAll("[data-needs-page]")) button.setAttribute("aria-disabled", "true");
  document.documentElement.dataset.ready = "refused";
}
