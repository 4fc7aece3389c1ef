// The clauses of the guideline beside the page: those about the picked label, or the labels in dispute.

import { find, findAll } from "./build.js";

/** @param {...string} labels */
export function showRules(...labels) {
  for (const part of findAll("[data-rules-for]")) part.hidden = !labels.includes(part.dataset.rulesFor ?? "");
}

/**
 * Go to the clauses, or back from them to the page.
 * @param {import("../dom/stage.js").Stage} stage
 * @returns {boolean} whether there is a guideline
 */
export function goToRules(stage) {
  const head = find("#rules");
  if (!head) return false;
  if (head.parentElement?.contains(document.activeElement)) {
    stage.focus();
  } else {
    find(".panel details").toggleAttribute("open", true);
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "start" });
  }
  return true;
}
