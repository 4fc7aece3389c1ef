// The annotation workbench opens: the page with its marks is painted first, all that works on them is fetched after it.

import { Editor } from "./core/editor.js";
import { CONTENT } from "./core/spans.js";
import { Stage, StageError } from "./dom/stage.js";
import { Waiting } from "./dom/waiting.js";
import { data, find } from "./elements/build.js";
import { Notices } from "./elements/notices.js";
import { paintMarks } from "./elements/paint-marks.js";
import { refuse } from "./elements/refusal.js";
import { watchStage } from "./elements/view-switch.js";
import { figure } from "./elements/words.js";

// A window that cannot be seen draws no frames.
const PATIENCE = 1000;

const bench = data("bench");
const notices = new Notices(find("#notices"));
const life = new AbortController();
addEventListener("pagehide", (event) => { if (!event.persisted) life.abort(); }, { once: true });
const waiting = new Waiting(life.signal);

start().catch((error) => {
  if (!(error instanceof StageError)) console.error(error);
  waiting.forget();
  refuse(notices, error);
});

async function start() {
  const { signal } = life;
  const stage = await Stage.open(find("#frame"), bench.urls, bench.document);
  watchStage({ stage, notices, signal });
  await stage.start(bench.document);
  const label = defaultLabel();
  const suggestion = bench.submitted ? [] : offered(bench.suggestion, label);
  const editor = new Editor({
    blocks: stage.view.blocks, text: stage.view.text, state: bench.state, suggestion, label, isReadOnly: true,
  });
  stage.addEventListener("built", () => paintMarks(stage, editor, bench.labels), { once: true });
  stage.attend((view, sitting) => waiting.listen(view, sitting));
  stage.show();
  find("[data-blocks]").textContent = figure(stage.view.blocks.length);
  await Promise.race([twoFrames(), pause(PATIENCE)]);
  performance.mark("painted");
  // Asked for all at once: import would learn of them link by link.
  document.head.append(find("#later").content);
  const { work } = await import("./annotate-work.js");
  await work({ bench, stage, editor, waiting, notices, signal });
  document.documentElement.dataset.ready = "1";
}

/** What stands now is on the screen when the second frame from now begins. */
const twoFrames = () => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** A program's `content` is offered as the usual label, which most of it will be; what has no label here is not. */
function offered(suggestion, usual) {
  const names = new Map(bench.labels.map(({ name }) => [name, name]));
  names.set(CONTENT, names.get(CONTENT) ?? usual);
  return (suggestion?.spans ?? []).flatMap(([start, end, label]) => names.has(label) ? [[start, end, names.get(label)]] : []);
}

function defaultLabel() {
  const names = bench.labels.map(({ name }) => name);
  return names.includes("body") ? "body" : names[0];
}
