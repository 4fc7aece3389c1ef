// Opens a screen with a captured page: its notices, its stage, and the signal that ends with the window.

import { twoFrames } from "../dom/frames.js";
import { listenToKeys } from "../dom/keys.js";
import { watchOverlays } from "../dom/overlays.js";
import { windowLife } from "../dom/window-life.js";
import { data, find } from "./build.js";
import { Notices } from "./notices.js";
import { refuse } from "./refusal.js";
import { openStage } from "./view-switch.js";

/**
 * Load the page, then begin the screen; what prevents it is shown as a notice.
 * @typedef {import("../dom/stage.js").Stage} Stage
 * @typedef {{ payload: any, stage: Stage, notices: Notices, signal: AbortSignal }} Opened
 * @param {(opened: Opened) => Record<string, object>} begin
 *   shows the page; returns what user scripts and tests may read besides the page and its stage
 */
export function openWorkbench(begin) {
  const notices = new Notices(find("#notices"));
  start(begin, notices, windowLife()).catch((error) => refuse(notices, error));
}

async function start(begin, notices, signal) {
  const payload = data("payload");
  const stage = await openStage(payload, notices, signal);
  watchOverlays(() => stage.focus());
  const shown = begin({ payload, stage, notices, signal });
  /** For user scripts and tests, to be read only. */
  window.goldpan = Object.freeze({ view: stage.view, stage, ...shown });
  await twoFrames();
  document.documentElement.dataset.ready = "1";
}

/**
 * Do what a pressed key means.
 * @template {{stage: Stage}} S
 * @param {Record<string, (screen: S) => unknown>} keys
 * @param {S} screen
 * @param {AbortSignal} signal
 */
export function listenFor(keys, screen, signal) {
  const meanings = new Map(Object.entries(keys));
  listenToKeys(
    screen.stage,
    (name) => {
      meanings.get(name)?.(screen);
      return meanings.has(name);
    },
    signal,
  );
}
