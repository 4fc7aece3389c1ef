// Search as you type: only the list is fetched, the URL follows, the field keeps its focus.

import { fetched } from "./elements/fetched.js";

const PAUSE = 250;
const list = /** @type {HTMLElement} */ (document.getElementById("list"));
let timer = 0;
/** @type {AbortController|null} */
let running = null;

list.addEventListener("input", (event) => {
  const form = /** @type {Element} */ (event.target).closest("form[data-find]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => find(form), PAUSE);
});

async function find(form) {
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form))).toString();
  running?.abort();
  const now = new AbortController();
  running = now;
  const results = await fetched(`${form.dataset.find}?${query}`, "[data-results]", now.signal);
  if (!results) return;
  // The live region itself stays: what is new in it is read out.
  list.querySelector("[data-results]")?.replaceChildren(...results.childNodes);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}
