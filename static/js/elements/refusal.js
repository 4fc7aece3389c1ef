// Why a page cannot be annotated here, in words; the page is covered, so that nobody marks in vain.

import { find } from "./build.js";
import { say } from "./words.js";

const REASONS = {
  insecure: "This page can only be proved over HTTPS or on localhost. Ask your admin for an address that begins with https.",
  differs: "The page in this browser is not the page that is stored: its text differs. Nothing can be annotated here; please tell your admin.",
  changed: "Something keeps changing this page, a translator or another extension. Turn it off for Goldpan and load the page again.",
  unread: "The page could not be fetched. Check the connection and load it again.",
  highlights: "This browser cannot paint marks. Use Chrome, Edge or Firefox, in a version of this year.",
};

/**
 * @param {import("./notices.js").Notices} notices
 * @param {{reason?: string}} error
 */
export function refuse(notices, { reason }) {
  const words = REASONS[reason] ?? "The page could not be shown. Load it again; if that does not help, tell your admin.";
  notices.show("refused", say(words), { bad: true, buttons: [[say("Load again"), () => location.reload()]] });
  find("#page").inert = true;
  for (const button of document.querySelectorAll("[data-needs-page]")) button.setAttribute("aria-disabled", "true");
  document.documentElement.dataset.ready = "refused";
}
