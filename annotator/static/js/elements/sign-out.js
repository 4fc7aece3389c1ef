// Signing out removes the annotator's data from this browser. Unsynced changes are sent first; what cannot be sent is
// listed, and the annotator decides whether to discard it.

import { userKey } from "../net/api.js";
import { BackgroundSync } from "../net/background-sync.js";
import { wipe } from "../net/database.js";
import { pause } from "../net/pause.js";
import { openChannel, openWindows, windowName } from "../net/tab-lock.js";
import { element, find } from "./build.js";
import { draftLink } from "./draft-link.js";

// Milliseconds in which open windows send their own changes.
const TIMEOUT = 5000;

export function watchSignOut() {
  /** @type {HTMLFormElement|null} */
  const form = find("form[data-sign-out]");
  if (!form) return;
  const user = userKey();
  const tell = openChannel(user, () => undefined);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const unsent = await sent(user, tell);
    if (unsent.length) show(unsent);
    else await signOut(form, user, tell);
  });
  find("[data-sign-out-anyway]")?.addEventListener("click", () => signOut(form, user, tell));
}

/** @returns {Promise<import("../net/drafts.js").Draft[]>} what could not be sent */
async function sent(user, tell) {
  const sync = new BackgroundSync(user);
  tell({ kind: "send" });
  const deadline = Date.now() + TIMEOUT;
  await Promise.race([sync.send().catch(() => undefined), pause(TIMEOUT)]);
  let unsent = await sync.waiting();
  while (Date.now() < deadline && (await areSending(unsent))) {
    await pause(200);
    unsent = await sync.waiting();
  }
  return unsent;
}

/** Whether another window may still be sending some of the drafts. */
async function areSending(unsent) {
  const alive = await openWindows();
  return unsent.some(({ window, trouble }) => window !== windowName && alive.has(window) && !trouble);
}

async function signOut(form, user, tell) {
  tell({ kind: "stop" });
  await wipe(user).catch(() => undefined);
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (!answer) return form.submit();
  // Only now: before signing out, the other windows would have shown the home screen again.
  tell({ kind: "signed out" });
  return location.assign(answer.ok ? answer.url : "/");
}

function show(unsent) {
  find("[data-unsent]").replaceChildren(...unsent.map((draft) => element("li", {}, draftLink(draft))));
  find("#unsent").showPopover();
  find("#unsent button").focus();
}
