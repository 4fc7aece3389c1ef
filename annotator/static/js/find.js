// Search as you type: only the list is fetched, the URL follows, the field keeps its focus.

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
  const response = await fetch(`${form.dataset.find}?${query}`, { signal: now.signal }).catch(() => null);
  if (!response?.ok) return;
  show(await response.text());
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const results = fresh.querySelector("[data-results]");
  if (results) list.querySelector("[data-results]")?.replaceWith(results);
}
