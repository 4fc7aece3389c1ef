// Everything that edits the open page: keys and mouse, saving, recovery of earlier windows' changes, submission.

import { ActiveClock } from "./core/activity.js";
import { quoted } from "./core/spans.js";
import { twoFrames } from "./dom/frames.js";
import { listenToKeys } from "./dom/keys.js";
import { pressed } from "./elements/annotate-keys.js";
import { AnnotateScreen } from "./elements/annotate-screen.js";
import { findAll } from "./elements/build.js";
import { Coach, withCoach } from "./elements/coach.js";
import { Lease } from "./elements/lease.js";
import { reopen } from "./elements/reopen.js";
import { Windows } from "./elements/windows.js";
import { NoAnswer, postJSON, userKey } from "./net/api.js";
import { DraftStorage, draftsOf } from "./net/drafts.js";
import { startHeartbeat } from "./net/heartbeat.js";
import { detachHistory, historySaver } from "./net/histories.js";
import { findRecoverable } from "./net/recovery.js";
import { reserveNext } from "./net/reserve.js";
import { Saver } from "./net/saver.js";
import { openChannel, windowName } from "./net/tab-lock.js";

// Milliseconds after which a page that answers to nothing has to say why.
const NOTICEABLE = 1000;

/**
 * @typedef {object} Opened
 * @property {any} payload
 * @property {import("./dom/stage.js").Stage} stage the page, painted
 * @property {import("./core/editor.js").Editor} editor what the server has, to be read only
 * @property {import("./dom/early-input.js").EarlyInput} earlyInput keys and clicks that came meanwhile
 * @property {import("./elements/notices.js").Notices} notices
 * @property {AbortSignal} signal
 */

/** Start editing; resolves when the present state is on the screen. @param {Opened} opened */
export async function work(opened) {
  const { payload, stage, editor, earlyInput, notices, signal } = opened;
  const page = { user: userKey(), slot: document.body.dataset.slot ?? "", document: payload.document.sha256 };
  const recovery = findRecoverable(page, payload.state, () => newestRevision(payload));
  const clock = new ActiveClock(payload.state.active_seconds);
  const saver = saverOf(opened, page, clock);
  const screen = new AnnotateScreen({ payload, stage, editor, saver, clock, notices, signal });
  const written = screen.open();
  // Usually nothing was found, and the server's state is on the screen.
  const slow = setTimeout(() => screen.wait(), NOTICEABLE);
  const { mine, others, history, late, isOutdated } = await recovery;
  clearTimeout(slow);
  if (isOutdated) {
    location.reload();
    await new Promise(() => {}); // nothing is ready before it has
  }
  const unsent = payload.submitted ? null : saver.recover(mine);
  const isResumed = !payload.submitted && Boolean(unsent || history.stored);
  editor.isReadOnly = payload.submitted;
  if (isResumed) editor.resume(unsent ?? payload.state, history.stored);
  screen.begin(Boolean(unsent));
  // The other version is saved already; only later changes are new.
  editor.addEventListener("change", ({ detail }) => {
    if (detail.what !== "replaced") saver.put(editor.content(), detail.isContinued);
  });
  /** The windows whose drafts are offered here. @type {Set<string>} */
  const offered = new Set();
  const offer = (drafts) => {
    for (const draft of drafts) offered.add(draft.window);
    screen.offerRecovered(drafts);
  };
  if (!payload.submitted) shareWithWindows(opened, { ...page, historyKey: history.historyKey }, saver, offered);
  listen(stage, screen, signal);
  holdLease(opened, saver, clock);
  offer(payload.submitted && mine ? [mine, ...others] : others);
  late?.then(offer);
  if (payload.submitted) closed(payload, notices);
  if (payload.reopened) reopened(notices);
  /** For user scripts and tests, to be read only: the page on its stage, the marks, the saver. */
  window.goldpan = Object.freeze({ view: stage.view, editor, saver, stage });
  screen.addNote(written);
  const coach = new Coach(page.user);
  if (!payload.submitted && !payload.progress.done) coach.begin(signal);
  earlyInput.end(withCoach(coach, screen.gestures()));
  performance.mark("heard");
  if (isResumed) await twoFrames();
  // Not earlier: the server would work on it while this page is still loading.
  if (!payload.submitted && !payload.reopened) reserveNext(payload.urls.reserve, signal);
}

/** The number of the newest revision on the server; 0 without an answer, or for a page that nobody can edit. */
async function newestRevision({ urls }) {
  try {
    const { data } = await postJSON(urls.heartbeat, {});
    return data?.revision ?? 0;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return 0;
  }
}

function saverOf({ payload, stage }, page, clock) {
  return new Saver({
    url: payload.urls.save,
    keep: new DraftStorage({
      ...page,
      window: windowName,
      text: () => String(stage.view.text),
      about: () => ({
        url: location.pathname,
        save: payload.urls.save,
        title: payload.page.title,
        document: page.document,
        active_seconds: clock.seconds(performance.now()),
      }),
    }),
    revision: payload.state.revision,
    savedAt: payload.state.saved_at,
    body: (content) => ({
      ...content,
      spans: quoted(content.spans, stage.view.text),
      active_seconds: clock.seconds(performance.now()),
      document: page.document,
    }),
  });
}

function holdLease({ payload, notices, signal }, saver, clock) {
  const lease = new Lease({ ...payload.lease, notices, signal });
  saver.addEventListener(
    "state",
    () => {
      if (saver.state === "saved") lease.renew();
      if (saver.state === "lost") lease.end();
    },
    { signal },
  );
  if (payload.submitted || payload.reopened) lease.end();
  startHeartbeat(
    payload.urls.heartbeat,
    {
      isActive: () => clock.isActive(performance.now()) && !payload.submitted,
      body: () => ({ active_seconds: clock.seconds(performance.now()) }),
      onHeld: () => lease.renew(),
      onLost: (message) => saver.lose(message),
    },
    signal,
  );
}

/** Store the undo history, and watch for other windows of the page, of which one can take over. */
function shareWithWindows({ payload, editor, notices, signal }, page, saver, offered) {
  const saveHistory = historySaver(page, editor.history);
  new Windows({
    ...page,
    notices,
    signal,
    ask: () => postJSON(payload.urls.heartbeat, {}),
    isBehind: async () => {
      const { status, data } = await postJSON(payload.urls.heartbeat, {});
      const isChanged = status !== 200 || data.revision > saver.revision;
      const isNew = (draft) => draft.slot === page.slot && !offered.has(draft.window);
      const isLeft = isChanged || (await draftsOf(page.user)).some(isNew);
      return isLeft && saver.isEmpty;
    },
    onContinue: () => detachHistory(page),
    onYield: async () => {
      editor.isReadOnly = true;
      detachHistory(page);
      await Promise.all([saveHistory(), saver.close()]);
    },
  });
  editor.addEventListener("change", saveHistory, { signal });
  openChannel(
    page.user,
    ({ kind }) => {
      if (kind === "send") saver.flush();
      if (kind === "stop") {
        editor.isReadOnly = true;
        saver.wipe();
      }
      if (kind === "signed out") location.replace(payload.urls.home);
    },
    signal,
  );
  // Without the signal, which ends with the window: this comes later.
  addEventListener("pagehide", () => saver.leave());
  addEventListener(
    "pageshow",
    (event) => {
      if (event.persisted) location.reload();
    },
    { signal },
  );
  document.addEventListener("visibilitychange", () => document.hidden && saver.flush(), { signal });
}

function closed(payload, notices) {
  const again = [gettext("Edit"), () => reopen(payload.urls.reopen)];
  notices.show("submitted", gettext("Submitted. Read-only"), { buttons: payload.can_reopen ? [again] : [] });
  for (const control of findAll("[data-submit], [data-skip]")) control.hidden = true;
  /** @type {HTMLInputElement[]} */
  const fields = findAll(".panel :is(input, textarea)");
  for (const field of fields) field.disabled = true;
}

function reopened(notices) {
  notices.show("reopened", gettext("You reopened this page. Your earlier submission counts until you submit again."));
  for (const control of findAll("[data-skip]")) control.hidden = true;
}

function listen(stage, screen, signal) {
  const hear = (target, frameSignal) => {
    for (const type of ["pointerdown", "keydown", "wheel", "pointermove"]) {
      target.addEventListener(type, () => screen.input(), { signal: frameSignal, passive: true });
    }
  };
  listenToKeys(stage, (name, event) => pressed(screen, name, event), signal);
  hear(document, signal);
  stage.onDocument((view, frameSignal) => hear(view.document, frameSignal));
}
