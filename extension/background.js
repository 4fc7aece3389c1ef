// What goes on after the popup has closed: capture, embed, send; the outcome is kept for the popup that opens next.

import * as api from "./api.js";
import { embedded } from "./embed.js";
import { message } from "./words.js";

/** @typedef {{state: "working"|"done"|"failed", message: string, link?: string}} Outcome */

const ACTIONS = { send, show, clear };

chrome.runtime.onMessage.addListener((asked, sender, answer) => {
  const action = ACTIONS[asked.action];
  if (sender.id !== chrome.runtime.id || !action) return false;
  perform(action, asked).then(answer);
  return true;
});

/**
 * @param {(asked: any) => Promise<Outcome>} action
 * @param {{tab: number}} asked
 * @returns {Promise<Outcome>}
 */
async function perform(action, asked) {
  await tell(asked.tab, { state: "working", message: message("working") });
  /** @type {Outcome} */
  let outcome;
  try {
    outcome = await action(asked);
  } catch (error) {
    outcome = { state: "failed", message: error instanceof api.Refusal ? error.message : unreadable(error) };
  }
  await tell(asked.tab, outcome);
  return outcome;
}

/** @param {{tab: number, corpus: string, note?: string}} asked */
async function send({ tab, corpus, note }) {
  const capture = await captured(tab);
  const { html, missing } = await embedded(capture);
  const { is_new } = await api.addPage(corpus, { html, url: capture.url, note });
  const what = message(is_new ? "sent" : "known");
  const lacks = missing ? ` ${message("missing", missing)}` : "";
  return { state: "done", message: what + lacks, link: await api.corpusAddress(corpus) };
}

/** @param {{tab: number, extractor: string}} asked */
async function show({ tab, extractor }) {
  const capture = await captured(tab);
  const { nodes } = await api.extract(withoutPlaceholders(capture), extractor);
  const target = { tabId: tab };
  await chrome.scripting.insertCSS({ target, files: ["page/paint.css"], origin: "USER" });
  await chrome.scripting.executeScript({ target, files: ["page/paint.js"] });
  const [{ result: lost }] = await chrome.scripting.executeScript({
    target,
    func: (taken) => globalThis.goldpanPage.paint(taken),
    args: [nodes],
  });
  if (!nodes.length) return { state: "done", message: message("nothing", extractor) };
  const lacks = lost ? ` ${message("changed", lost)}` : "";
  return { state: "done", message: message("marked", extractor) + lacks };
}

/** @param {{tab: number}} asked */
async function clear({ tab }) {
  await chrome.scripting.executeScript({ target: { tabId: tab }, func: () => globalThis.goldpanPage?.clear?.() });
  return { state: "done", message: "" };
}

/** @param {number} tab */
async function captured(tab) {
  const target = { tabId: tab };
  await chrome.scripting.executeScript({ target, files: ["page/capture.js"] });
  const [{ result }] = await chrome.scripting.executeScript({ target, func: () => globalThis.goldpanPage.capture() });
  return result;
}

/** Extractors need no images. */
const withoutPlaceholders = ({ html, token }) =>
  html.replace(new RegExp(`${token}-(?:image|sheet)-\\d+`, "g"), "data:,");

/** @param {unknown} error */
const unreadable = (error) => message("unreadable", error instanceof Error ? error.message : String(error));

/**
 * @param {number} tab
 * @param {Outcome} outcome
 */
async function tell(tab, outcome) {
  await chrome.storage.session.set({ [`tab-${tab}`]: outcome });
  const badge = { working: "…", done: "", failed: "!" }[outcome.state];
  await chrome.action.setBadgeText({ tabId: tab, text: badge }).catch(() => undefined); // the tab may be closed
}
