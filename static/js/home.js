// Says what waits in this browser, and leaves a page to someone else without leaving home.
import { waiting } from "./net/keep.js";

for (const place of document.querySelectorAll("[data-waiting]")) {
  const unsent = waiting(place.dataset.userKey);
  if (unsent.length) place.replaceChildren(...unsent.flatMap(link));
}

function link({ url, title }) {
  const anchor = document.createElement("a");
  anchor.textContent = title || url;
  anchor.href = new URL(url, location.origin).origin === location.origin ? url : "/";
  return [anchor, document.createElement("br")];
}

for (const form of document.querySelectorAll("form[data-skip]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await fetch(form.action, { method: "POST", body: new FormData(form) });
    location.reload();
  });
}
