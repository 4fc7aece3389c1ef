import * as api from "./api.js";
import { load, save } from "./settings.js";
import { message, translatePage } from "./words.js";

translatePage();

const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
const key = `tab-${tab.id}`;
const outcome = byId("outcome");
/** @type {HTMLSelectElement} */
const corpus = byId("corpus");
/** @type {HTMLSelectElement} */
const extractor = byId("extractor");
/** @type {HTMLTextAreaElement} */
const note = byId("note");

on("send", "submit", () => ask({ action: "send", corpus: corpus.value }));
on("show", "submit", () => ask({ action: "show", extractor: extractor.value }));
on("clear", "click", () => ask({ action: "clear" }));
on("report", "submit", async () => {
  const text = `${extractor.value}: ${note.value}`;
  if ((await ask({ action: "send", corpus: corpus.value, note: text }))?.state === "done") note.value = "";
});
corpus.addEventListener("change", () => save({ corpus: corpus.value }));
extractor.addEventListener("change", () => save({ extractor: extractor.value }));

chrome.storage.session.onChanged.addListener((changes) => {
  if (changes[key]?.newValue) tell(changes[key].newValue);
});
const last = (await chrome.storage.session.get(key))[key];
if (last?.state === "working") tell(last);
await fill();

async function fill() {
  try {
    const [corpora, extractors] = await Promise.all([api.corpora(), api.extractors()]);
    const chosen = await load();
    options(
      corpus,
      corpora.map(({ slug, name }) => [slug, name]),
      chosen.corpus,
    );
    options(
      extractor,
      extractors.map(({ name }) => [name, name]),
      chosen.extractor,
    );
  } catch (error) {
    tell({ state: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {string[][]} entries
 * @param {string} chosen
 */
function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

/** @param {object} wanted */
async function ask(wanted) {
  const answer = await chrome.runtime.sendMessage({ tab: tab.id, ...wanted });
  if (answer) tell(answer);
  return answer;
}

/** @param {import("./background.js").Outcome} told */
function tell({ state, message: text, link }) {
  outcome.className = state;
  outcome.textContent = text;
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.target = "_blank";
    anchor.textContent = message("open");
    outcome.append(" ", anchor);
  }
  for (const button of document.querySelectorAll("button")) button.disabled = state === "working";
}

/**
 * @param {string} id
 * @param {string} type
 * @param {() => unknown} action
 */
function on(id, type, action) {
  byId(id).addEventListener(type, (event) => {
    event.preventDefault();
    action();
  });
}

/**
 * @param {string} id
 * @returns {any}
 */
function byId(id) {
  return document.getElementById(id);
}
