// The annotation workbench.

import { bench, finding, page } from "./ahead.js";
import { ActiveClock } from "./core/activity.js";
import { Editor } from "./core/editor.js";
import { CONTENT } from "./core/spans.js";
import { listenToMouse } from "./dom/gestures.js";
import { listenToKeys } from "./dom/keys.js";
import { Stage, StageError } from "./dom/stage.js";
import { AnnotateScreen } from "./elements/annotate-screen.js";
import { pressed } from "./elements/annotate-keys.js";
import { find } from "./elements/build.js";
import { Lease } from "./elements/lease.js";
import { Notices } from "./elements/notices.js";
import { refuse } from "./elements/refusal.js";
import { takeUp } from "./elements/take-up.js";
import { say } from "./elements/words.js";
import { watchStage } from "./elements/view-switch.js";
import { Windows } from "./elements/windows.js";
import { postJSON } from "./net/api.js";
import { beat } from "./net/heartbeat.js";
import { DraftKeep } from "./net/drafts.js";
import { historyKeep, leavePlace } from "./net/histories.js";
import { lineTo, windowName } from "./net/seat.js";
import { reserveNext } from "./net/reserve.js";
import { Saver } from "./net/saver.js";

const notices = new Notices(find("#notices"));
const life = new AbortController();
addEventListener("pagehide", (event) => { if (!event.persisted) life.abort(); }, { once: true });

start().catch((error) => {
  if (!(error instanceof StageError)) console.error(error);
  refuse(notices, error);
});

async function start() {
  const stage = await Stage.open(find("#frame"), bench.urls, bench.document);
  watchStage({ stage, notices, signal: life.signal });
  const saver = openSaver(stage);
  const clock = new ActiveClock(bench.state.active_seconds);
  await stage.start(bench.document);
  const editor = new Editor({
    blocks: stage.view.blocks, text: stage.view.text, state: bench.state,
    suggestion: bench.submitted ? [] : offered(bench.suggestion), label: defaultLabel(), isReadOnly: true,
  });
  const screen = new AnnotateScreen({ bench, stage, editor, saver, clock, notices, signal: life.signal });
  screen.open();
  const isPainted = twoFrames().then(() => performance.mark("painted"));
  // As a rule nothing was left, and what the server has is on the screen by now.
  const { mine, others, history } = await finding;
  const unsent = bench.submitted ? null : saver.recover(mine);
  const isResumed = !bench.submitted && Boolean(unsent || history.kept);
  editor.isReadOnly = bench.submitted;
  if (isResumed) editor.resume(unsent ?? bench.state, history.kept);
  screen.begin(Boolean(unsent));
  // The other version is saved already; only what comes after it is new.
  editor.addEventListener("change", ({ detail }) => {
    if (detail.what !== "replaced") saver.put(editor.content(), detail.goesOn);
  });
  if (!bench.submitted) keepSteps(editor, saver, history.place);
  listen(stage, screen);
  const lease = new Lease({ ...bench.lease, notices, signal: life.signal });
  saver.addEventListener("state", () => {
    if (saver.state === "saved") lease.renew();
    if (saver.state === "lost") lease.end();
  }, { signal: life.signal });
  if (bench.submitted || bench.reopened) lease.end();
  beat(bench.urls.heartbeat, {
    isActive: () => clock.isActive(Date.now()) && !bench.submitted,
    body: () => ({ active_seconds: clock.seconds(Date.now()) }),
    onHeld: () => lease.renew(),
    onLost: (message) => saver.lose(message),
  }, life.signal);
  screen.offerLeft(bench.submitted && mine ? [mine, ...others] : others);
  if (bench.submitted) closed();
  if (bench.reopened) reopened();
  /** For user scripts and tests, to be read only: the page on its stage, the marks, the way to the server. */
  window.goldpan = Object.freeze({ view: stage.view, editor, saver, stage });
  performance.mark("heard");
  await isPainted;
  if (isResumed) await twoFrames();
  document.documentElement.dataset.ready = "1";
  // Not earlier: the server would work on it while this page is waited for.
  if (!bench.submitted && !bench.reopened) reserveNext(bench.urls.reserve, life.signal);

  function openSaver() {
    return new Saver({
      url: bench.urls.save,
      keep: new DraftKeep({
        ...page, window: windowName, text: () => String(stage.view.text),
        about: () => ({
          url: location.pathname, save: bench.urls.save, title: bench.page.title, document: page.document,
          active_seconds: clock.seconds(Date.now()),
        }),
      }),
      revision: bench.state.revision,
      savedAt: bench.state.saved_at,
      body: (content) => ({
        ...content,
        spans: content.spans.map(([start, end, label]) => ({ start, end, label, text: stage.view.text.slice(start, end) })),
        active_seconds: clock.seconds(Date.now()),
        document: page.document,
      }),
    });
  }
}

/** Keep what can be undone, and tell of other windows on the page, of which one can take over. */
function keepSteps(editor, saver, place) {
  const { signal } = life;
  const keepHistory = historyKeep({ ...page, place }, editor.history);
  new Windows({
    ...page, notices, signal,
    ask: () => postJSON(bench.urls.heartbeat, {}),
    onGoOn: () => leavePlace(page),
    onYield: async () => {
      editor.isReadOnly = true;
      leavePlace(page);
      await Promise.all([keepHistory(), saver.close()]);
    },
  });
  editor.addEventListener("change", keepHistory, { signal });
  lineTo(page.user, ({ kind }) => {
    if (kind === "send") saver.flush();
    if (kind === "stop") {
      editor.isReadOnly = true;
      saver.wipe();
    }
    if (kind === "signed out") location.replace(bench.urls.home);
  }, signal);
  // Not by the signal, which ends with the window: this comes after.
  addEventListener("pagehide", () => saver.leave());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }, { signal });
  document.addEventListener("visibilitychange", () => document.hidden && saver.flush(), { signal });
}

/** What stands now is on the screen when the second frame from now begins. */
const twoFrames = () => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });

function closed() {
  const again = [say("Take it up again"), () => takeUp(bench.urls["take-up"])];
  notices.show("submitted", say("You handed this page in: it can be looked at, not changed."), {
    buttons: bench.can_reopen ? [again] : [],
  });
  for (const control of document.querySelectorAll("[data-submit], [data-skip]")) control.hidden = true;
  for (const field of document.querySelectorAll(".panel :is(input, textarea)")) field.disabled = true;
}

function reopened() {
  notices.show("reopened", say("You have taken this page up again. What you handed in counts until you submit it anew."));
  for (const control of document.querySelectorAll("[data-skip]")) control.hidden = true;
}

function listen(stage, screen) {
  const hear = (place, signal) => {
    for (const type of ["pointerdown", "keydown", "wheel", "pointermove"]) {
      place.addEventListener(type, () => screen.input(), { signal, passive: true });
    }
  };
  listenToKeys(stage, (name, event) => pressed(screen, name, event), life.signal);
  hear(document, life.signal);
  stage.attend((view, signal) => {
    listenToMouse(view, screen.hands(), signal);
    hear(view.document, signal);
  });
}

/** A program's `content` is offered as body, which most of it will be; what has no label here is not offered. */
function offered(suggestion) {
  const names = new Map(bench.labels.map(({ name }) => [name, name]));
  names.set(CONTENT, names.get(CONTENT) ?? defaultLabel());
  return (suggestion?.spans ?? []).flatMap(([start, end, label]) => names.has(label) ? [[start, end, names.get(label)]] : []);
}

function defaultLabel() {
  const names = bench.labels.map(({ name }) => name);
  return names.includes("body") ? "body" : names[0];
}
