// The live leaderboard: polls the version each second while visible, fetches the table when it changed, and restores
// the focus. A slice is selected by its selects, and is a URL.

import { partState } from "./elements/fetched.js";

const INTERVAL = 1000;
const board = /** @type {HTMLElement} */ (document.getElementById("board"));

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-slices]"))) {
  form.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("formdata", ({ formData }) => leaveOutEmpty(formData));
}

/** An address to be shared says only what is chosen. @param {FormData} data */
function leaveOutEmpty(data) {
  for (const name of new Set(data.keys())) {
    const chosen = data.getAll(name).filter(Boolean);
    data.delete(name);
    for (const value of chosen) data.append(name, value);
  }
}

if (board) setInterval(poll, INTERVAL);

let isAsking = false;

async function poll() {
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    const { version } = await ask(board.dataset.ask, "json");
    if (String(version) !== board.dataset.version) await update(version);
  } catch {
    // Offline, or signed out: retried in a second.
  } finally {
    isAsking = false;
  }
}

async function update(version) {
  const fresh = new DOMParser().parseFromString(await ask(board.dataset.table, "text"), "text/html");
  const restore = partState(board);
  board.replaceChildren(...fresh.body.childNodes);
  restore(board);
  board.dataset.version = version;
  const status = /** @type {HTMLElement} */ (document.querySelector("[data-message]"));
  status.textContent = status.dataset.text ?? "";
}

async function ask(url, as) {
  const response = await fetch(url, { headers: { Accept: as === "json" ? "application/json" : "text/html" } });
  if (!response.ok || response.redirected) throw new Error(String(response.status));
  return response[as]();
}
