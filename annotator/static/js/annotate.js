// Opens the annotation screen: the page with its marks is painted first, the modules that edit it are loaded after it.

import { Editor } from "./core/editor.js";
import { CONTENT } from "./core/spans.js";
import { EarlyInput } from "./dom/early-input.js";
import { twoFrames } from "./dom/frames.js";
import { windowLife } from "./dom/window-life.js";
import { data, find } from "./elements/build.js";
import { figure } from "./elements/format.js";
import { Notices } from "./elements/notices.js";
import { paintMarks } from "./elements/paint-marks.js";
import { refuse } from "./elements/refusal.js";
import { openStage } from "./elements/view-switch.js";
import { pause } from "./net/pause.js";

// A window that cannot be seen draws no frames.
const TIMEOUT = 1000;
const NARROW = "(max-width: 44rem)";
// Neither blanks nor what has no shape, such as zero-width spaces.
const VISIBLE = /[^\p{Z}\p{C}]/u;

const payload = data("payload");
/** The names of the labels that can be given. @type {string[]} */
const given = payload.labels.filter(({ key }) => key).map(({ name }) => name);
const notices = new Notices(find("#notices"));
const signal = windowLife();
const earlyInput = new EarlyInput(signal);

start().catch((error) => {
  earlyInput.forget();
  refuse(notices, error);
});

async function start() {
  const stage = await openStage(payload, notices, signal);
  if (!payload.submitted && !VISIBLE.test(String(stage.view.text)))
    notices.show("empty", gettext("This page has no text that could be marked: select a verdict, or skip it."));
  const label = defaultLabel();
  const suggestion = payload.submitted ? [] : suggested(payload.suggestion, label);
  const editor = new Editor({
    blocks: stage.view.blocks,
    text: stage.view.text,
    state: payload.state,
    suggestion,
    label,
    isReadOnly: true,
  });
  stage.addEventListener("built", () => paintMarks(stage, editor, payload.labels), { once: true });
  stage.onDocument((view, frameSignal) => earlyInput.listen(view, frameSignal));
  stage.show();
  // On a telephone the page gets the room.
  if (matchMedia(NARROW).matches) find(".panel details").toggleAttribute("open", false);
  find("[data-blocks]").textContent = figure(stage.view.blocks.length);
  await Promise.race([twoFrames(), pause(TIMEOUT)]);
  performance.mark("painted");
  // Request all modules at once: import would find them one by one.
  document.head.append(/** @type {HTMLTemplateElement} */ (find("#later")).content);
  const { work } = await import("./annotate-work.js");
  await work({ payload, stage, editor, earlyInput, notices, signal });
  document.documentElement.dataset.ready = "1";
}

/** The suggestion's spans whose labels can be given; a program's `content` gets the usual label. */
function suggested(suggestion, usual) {
  const names = new Map(given.map((name) => [name, name]));
  names.set(CONTENT, names.get(CONTENT) ?? usual);
  return (suggestion?.spans ?? []).flatMap(([start, end, label]) =>
    names.has(label) ? [[start, end, names.get(label)]] : [],
  );
}

function defaultLabel() {
  return given.includes("body") ? "body" : given[0];
}
