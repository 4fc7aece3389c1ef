// All that works on the page that is open: keys and mouse, saving, what earlier windows left, the way out.

import { ActiveClock } from "./core/activity.js";
import { listenToKeys } from "./dom/keys.js";
import { pressed } from "./elements/annotate-keys.js";
import { AnnotateScreen } from "./elements/annotate-screen.js";
import { find } from "./elements/build.js";
import { Lease } from "./elements/lease.js";
import { takeUp } from "./elements/take-up.js";
import { Windows } from "./elements/windows.js";
import { say } from "./elements/words.js";
import { postJSON } from "./net/api.js";
import { DraftKeep } from "./net/drafts.js";
import { beat } from "./net/heartbeat.js";
import { historyKeep, leavePlace } from "./net/histories.js";
import { leftOn } from "./net/left.js";
import { reserveNext } from "./net/reserve.js";
import { Saver } from "./net/saver.js";
import { lineTo, windowName } from "./net/seat.js";

/**
 * @typedef {object} Opened
 * @property {any} bench
 * @property {import("./dom/stage.js").Stage} stage the page, painted
 * @property {import("./core/editor.js").Editor} editor what the server has, to be read only
 * @property {import("./dom/waiting.js").Waiting} waiting what she did meanwhile
 * @property {import("./elements/notices.js").Notices} notices
 * @property {AbortSignal} signal
 */

/** Let her work; settled when what is shown is on the screen. @param {Opened} opened */
export async function work(opened) {
  const { bench, stage, editor, waiting, notices, signal } = opened;
  const page = { user: bench.user_key, slot: find("meta[name=goldpan-slot]").content, document: bench.document.sha256 };
  const finding = leftOn(page, bench.state);
  const clock = new ActiveClock(bench.state.active_seconds);
  const saver = saverOf(opened, page, clock);
  const screen = new AnnotateScreen({ bench, stage, editor, saver, clock, notices, signal });
  const written = screen.open();
  // As a rule nothing was left, and what the server has is on the screen.
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
  if (!bench.submitted) keepSteps(opened, { ...page, place: history.place }, saver);
  listen(stage, screen, signal);
  holdLease(opened, saver, clock);
  screen.offerLeft(bench.submitted && mine ? [mine, ...others] : others);
  if (bench.submitted) closed(bench, notices);
  if (bench.reopened) reopened(notices);
  /** For user scripts and tests, to be read only: the page on its stage, the marks, the way to the server. */
  window.goldpan = Object.freeze({ view: stage.view, editor, saver, stage });
  screen.addNote(written);
  waiting.end(screen.hands());
  performance.mark("heard");
  if (isResumed) await twoFrames();
  // Not earlier: the server would work on it while this page is waited for.
  if (!bench.submitted && !bench.reopened) reserveNext(bench.urls.reserve, signal);
}

function saverOf({ bench, stage }, page, clock) {
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

function holdLease({ bench, notices, signal }, saver, clock) {
  const lease = new Lease({ ...bench.lease, notices, signal });
  saver.addEventListener("state", () => {
    if (saver.state === "saved") lease.renew();
    if (saver.state === "lost") lease.end();
  }, { signal });
  if (bench.submitted || bench.reopened) lease.end();
  beat(bench.urls.heartbeat, {
    isActive: () => clock.isActive(Date.now()) && !bench.submitted,
    body: () => ({ active_seconds: clock.seconds(Date.now()) }),
    onHeld: () => lease.renew(),
    onLost: (message) => saver.lose(message),
  }, signal);
}

/** Keep what can be undone, and tell of other windows on the page, of which one can take over. */
function keepSteps({ bench, editor, notices, signal }, page, saver) {
  const keepHistory = historyKeep(page, editor.history);
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

function closed(bench, notices) {
  const again = [say("Take it up again"), () => takeUp(bench.urls["take-up"])];
  notices.show("submitted", say("You handed this page in: it can be looked at, not changed."), {
    buttons: bench.can_reopen ? [again] : [],
  });
  for (const control of document.querySelectorAll("[data-submit], [data-skip]")) control.hidden = true;
  for (const field of document.querySelectorAll(".panel :is(input, textarea)")) field.disabled = true;
}

function reopened(notices) {
  notices.show("reopened", say("You have taken this page up again. What you handed in counts until you submit it anew."));
  for (const control of document.querySelectorAll("[data-skip]")) control.hidden = true;
}

function listen(stage, screen, signal) {
  const hear = (place, sitting) => {
    for (const type of ["pointerdown", "keydown", "wheel", "pointermove"]) {
      place.addEventListener(type, () => screen.input(), { signal: sitting, passive: true });
    }
  };
  listenToKeys(stage, (name, event) => pressed(screen, name, event), signal);
  hear(document, signal);
  stage.attend((view, sitting) => hear(view.document, sitting));
}

const twoFrames = () => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
