// Marks and suggestion on the page, and the number of suggestions.

import { find } from "./build.js";
import { figure } from "./format.js";

/**
 * @param {import("../dom/stage.js").Stage} stage
 * @param {import("../core/editor.js").Editor} editor
 * @param {Array<{name: string, number: number}>} labels
 */
export function paintMarks({ painter }, { spans, ghosts }, labels) {
  painter.showLabelled("goldpan-", spans, labels, 1);
  painter.showLabelled("goldpan-ghost-", ghosts, labels);
  find("[data-offer]").hidden = !ghosts.length;
  find("[data-offer-count]").textContent = figure(ghosts.length);
}
