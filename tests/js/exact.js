// Invariant 1 on one page after the other, without a navigation for each: built, verified, and read back in both views.

import { load } from "/static/js/dom/frame.js";
import { PageView } from "/static/js/dom/pageview.js";
import { getJSON } from "/static/js/net/api.js";
import { dice } from "./harness.js";

const SPANS = 50;
let loaded = "";

/**
 * @param {string} name of a view
 * @param {string} sha256 of the text that the server has
 * @returns {Promise<{problems: string[], spans: number}>}
 */
async function exact(name, sha256) {
  const wire = await getJSON(`/views/${name}`);
  const frame = document.querySelector("#frame");
  const skeleton = wire.quirks ? "/frame/quirks/" : "/frame/";
  if (loaded !== skeleton) await load(frame, skeleton);
  loaded = skeleton;
  let view;
  try {
    view = new PageView(frame, wire);
  } catch (error) {
    return { problems: [error.message], spans: 0 };
  }
  const problems = [];
  let spans = 0;
  for (const mode of ["page", "reading"]) {
    try {
      view.build(mode, "light");
      if (!(await view.verify(sha256))) problems.push(`another text in ${mode} view`);
      if (inOrderOfTheDocument(view) !== wire.ops.filter((op) => typeof op === "string").join("")) {
        problems.push(`text nodes of ${mode} view stand in another order`);
      }
      const tried = roundTrips(view, sha256);
      spans += tried.length;
      const lost = tried.filter((wrong) => wrong);
      if (lost.length) problems.push(`${lost.length} spans of ${mode} view come back changed: ${lost[0]}`);
    } catch (error) {
      problems.push(`${mode} view: ${error.message}`);
    }
  }
  return { problems, spans };
}

/** All text of the frame's own tree, walked without our map of it. */
function inOrderOfTheDocument(view) {
  const walker = view.document.createTreeWalker(view.body, NodeFilter.SHOW_TEXT);
  const parts = [];
  while (walker.nextNode()) parts.push(walker.currentNode.data);
  return parts.join("");
}

/** Random spans to the DOM and back: for each "" or what is wrong with it. */
function roundTrips(view, seed) {
  const roll = dice(parseInt(seed.slice(0, 8), 16));
  const bare = (text) => text.replace(/\s+/g, "");
  return Array.from({ length: SPANS }, () => {
    const ends = [roll(view.text.length + 1), roll(view.text.length + 1)].sort((a, b) => a - b);
    for (const [start, end] of view.clip([ends])) {
      const range = view.range(start, end);
      const back = view.offsets(range);
      if (back[0] !== start || back[1] !== end) return `${start}-${end} as ${back[0]}-${back[1]}`;
      if (bare(range.toString()) !== bare(view.text.slice(start, end))) return `${start}-${end} with another text`;
    }
    return "";
  });
}

window.exact = exact;
document.documentElement.dataset.ready = "1";
