import * as api from "./api.js";
import { load, originOf, save } from "./settings.js";
import { message, translatePage } from "./words.js";

translatePage();

const EVERYWHERE = { origins: ["http://*/*", "https://*/*"] };

/** @type {HTMLInputElement} */
const server = byId("server");
/** @type {HTMLInputElement} */
const token = byId("token");
/** @type {HTMLInputElement} */
const everywhere = byId("everywhere");
const outcome = byId("outcome");

const known = await load();
server.value = known.server;
token.value = known.token;
everywhere.checked = await chrome.permissions.contains(EVERYWHERE);

byId("form").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  server.value = new URL(server.value).origin; // it may be the address of one of its screens
  // The browser asks only while it handles the click.
  const wanted = everywhere.checked ? EVERYWHERE : { origins: [originOf(server.value)] };
  let isAllowed = await chrome.permissions.request(wanted);
  if (isAllowed && !everywhere.checked && (await chrome.permissions.contains(EVERYWHERE))) {
    await chrome.permissions.remove(EVERYWHERE);
    // With all sites went the server. Chromium gives it back without a question, Firefox after another click.
    isAllowed = await chrome.permissions.request(wanted).catch(() => false);
  }
  if (!isAllowed) return tell("failed", message("noPermission"));
  await save({ server: server.value, token: token.value.trim() });
  try {
    const corpora = await api.corpora();
    return tell("done", message("saved", corpora.length));
  } catch (error) {
    return tell("failed", error instanceof Error ? error.message : String(error));
  }
});

/**
 * @param {string} state
 * @param {string} text
 */
function tell(state, text) {
  outcome.className = state;
  outcome.textContent = text;
}

/**
 * @param {string} id
 * @returns {any}
 */
function byId(id) {
  return document.getElementById(id);
}
