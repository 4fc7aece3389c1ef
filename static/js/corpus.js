// Finds while one types: the list is fetched alone, the address follows, the field keeps its focus.

const PAUSE = 250;
const list = document.getElementById("list");
let timer = 0;
let asked = null;

list.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-find]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => find(form), PAUSE);
});

async function find(form) {
  const query = new URLSearchParams(new FormData(form)).toString();
  asked?.abort();
  asked = new AbortController();
  const response = await fetch(`${form.dataset.find}?${query}`, { signal: asked.signal }).catch(() => null);
  if (!response?.ok) return;
  show(await response.text());
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  list.querySelector("[data-results]").replaceWith(fresh.querySelector("[data-results]"));
}
