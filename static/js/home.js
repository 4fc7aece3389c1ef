// Sends and says what waits in this browser, and leaves a page to someone else without leaving home.
import { Courier, isOurs } from "./net/courier.js";

const places = [...document.querySelectorAll("[data-waiting]")];

if (places.length) watch(new Courier(places[0].dataset.userKey));

function watch(courier) {
  const show = async () => {
    const drafts = await courier.waiting();
    for (const place of places) place.replaceChildren(...words(place, drafts));
  };
  courier.addEventListener("change", show);
  addEventListener("online", () => courier.retry());
  show();
  courier.send().catch(() => undefined).then(show);
}

/** "3 changes waiting", and the pages that they belong to. */
function words(place, drafts) {
  if (!drafts.length) return [place.dataset.none];
  const changes = drafts.reduce((sum, draft) => sum + draft.changes, 0);
  const many = changes === 1 ? place.dataset.one : place.dataset.many.replace("{n}", String(changes));
  const pages = [...new Map(drafts.map((draft) => [draft.url, draft])).values()];
  return [many, ...pages.flatMap((draft) => [document.createElement("br"), link(draft)])];
}

function link({ url, title }) {
  const anchor = document.createElement("a");
  anchor.className = "page-title";
  anchor.textContent = title || url;
  anchor.href = isOurs(url) ? url : "/";
  return anchor;
}

for (const form of document.querySelectorAll("form[data-skip]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await fetch(form.action, { method: "POST", body: new FormData(form) });
    location.reload();
  });
}
