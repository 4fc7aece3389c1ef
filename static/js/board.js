// The live board: asks for the version each second while it is seen, fetches the table when it moved, and keeps
// the focus where it was. A slice is chosen by its selects, and is an address.

const EVERY = 1000;
const board = document.getElementById("board");

for (const form of document.querySelectorAll("form[data-slices]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

if (board) setInterval(look, EVERY);

let isAsking = false;

async function look() {
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    const { version } = await ask(board.dataset.ask, "json");
    if (String(version) !== board.dataset.version) await take(version);
  } catch {
    // Offline, or signed out: the next second asks again.
  } finally {
    isAsking = false;
  }
}

async function take(version) {
  const fresh = new DOMParser().parseFromString(await ask(board.dataset.table, "text"), "text/html");
  const focused = document.activeElement?.getAttribute("href");
  const open = [...board.querySelectorAll("details[open][id]")].map((details) => details.id);
  board.replaceChildren(...fresh.body.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  board.dataset.version = version;
  if (focused) board.querySelector(`a[href="${focused.replaceAll('"', "")}"]`)?.focus({ preventScroll: true });
  const said = document.querySelector("[data-said]");
  said.textContent = said.dataset.text;
}

async function ask(url, as) {
  const response = await fetch(url, { headers: { Accept: as === "json" ? "application/json" : "text/html" } });
  if (!response.ok || response.redirected) throw new Error(String(response.status));
  return response[as]();
}
