// Builds a view on an otherwise empty page, for tests that look at it from outside.

import { blockFromPoint, coverage } from "/static/js/dom/points.js";
import { Stage } from "/static/js/dom/stage.js";
import { dice } from "./harness.js";

/** @param {string} name of a view @param {{sha256: string, quirks: boolean, chosen?: "page"|"reading", isDressed?: boolean}} document */
async function show(name, document) {
  const frame = document.isDressed ? "/captured/" : "/frame/";
  const quirks = document.isDressed ? `${frame}quirks` : `${frame}quirks/`;
  const urls = { view: `/views/${name}`, frame, frame_quirks: quirks };
  const stage = await Stage.open(globalThis.document.querySelector("#frame"), urls, document);
  window.notices = [];
  stage.addEventListener("notice", ({ detail }) => window.notices.push(detail));
  stage.addEventListener("remedy", ({ detail }) => window.notices.push(`${detail.remedy}: ${detail.isOn}`));
  stage.addEventListener("refused", ({ detail }) => window.notices.push(`refused: ${detail.reason}`));
  await stage.start(document.chosen);
  stage.show();
  window.stage = stage;
  return stage.mode;
}

/** Random ranges to the DOM and back; those that did not come back as they went. */
function roundTrips(count, seed) {
  const { view } = window.stage;
  const roll = dice(seed);
  const wrong = [];
  for (let n = 0; n < count; n += 1) {
    const ends = [roll(view.text.length + 1), roll(view.text.length + 1)].sort((a, b) => a - b);
    for (const [start, end] of view.clip([ends])) {
      const back = view.offsets(view.range(start, end));
      if (back[0] !== start || back[1] !== end) wrong.push([start, end, back]);
    }
  }
  return wrong;
}

/** What a range of the DOM holds, with the breaks that belong to no text node left out of both. */
function spoken(count, seed) {
  const { view } = window.stage;
  const roll = dice(seed);
  const bare = (text) => text.replace(/\s+/g, "");
  return Array.from({ length: count }, () => roll(view.blocks.length)).filter(
    (block) => bare(view.blockRange(block).toString()) !== bare(view.text.slice(...view.blocks[block])),
  );
}

window.testing = { show, roundTrips, spoken, coverage, blockFromPoint };
document.documentElement.dataset.ready = "1";
