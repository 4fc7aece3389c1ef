// Signing out leaves nothing of hers in this browser. What has not reached the server is sent first; what cannot be
// sent is shown, and she says whether it may go.

import { Courier, isOurs } from "./courier.js";
import { aliveWindows, lineTo, windowName } from "./seat.js";
import { wipe } from "./store.js";

// Windows that are open send what they have themselves, when they are told to.
const PATIENCE = 5000;

export function watchSignOut(root = document) {
  const form = root.querySelector("form[data-sign-out]");
  if (!form) return;
  const user = form.dataset.userKey;
  const tell = lineTo(user, () => undefined);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const unsent = await sent(user, tell);
    if (unsent.length) show(root, unsent);
    else await leave(form, user, tell);
  });
  root.querySelector("[data-sign-out-anyway]").addEventListener("click", () => leave(form, user, tell));
}

/** @returns {Promise<import("./drafts.js").Draft[]>} what could not be sent */
async function sent(user, tell) {
  const courier = new Courier(user);
  tell({ kind: "send" });
  const deadline = Date.now() + PATIENCE;
  await Promise.race([courier.send().catch(() => undefined), pause(PATIENCE)]);
  let unsent = await courier.waiting();
  while (Date.now() < deadline && await areSending(unsent)) {
    await pause(200);
    unsent = await courier.waiting();
  }
  return unsent;
}

/** Whether another window may be about to send some of it. */
async function areSending(unsent) {
  const alive = await aliveWindows();
  return unsent.some(({ window, trouble }) => window !== windowName && alive.has(window) && !trouble);
}

async function leave(form, user, tell) {
  tell({ kind: "stop" });
  await wipe(user).catch(() => undefined);
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (!answer) return form.submit();
  // Only now: before, her other windows would have been shown home once more.
  tell({ kind: "signed out" });
  return location.assign(answer.ok ? answer.url : "/");
}

function show(root, unsent) {
  const list = root.querySelector("[data-unsent]");
  list.replaceChildren(...unsent.map(line));
  root.querySelector("#unsent").showPopover();
  root.querySelector("#unsent button").focus();
}

function line({ url, title }) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.className = "page-title";
  link.textContent = title || url;
  link.href = isOurs(url) ? url : "/";
  return item;
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
