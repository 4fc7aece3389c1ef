// Signing out leaves nothing of hers in this browser. What has not reached the server is shown first: it can
// only be sent from its own page, which knows the text that the marks belong to.

import { waiting, wipe } from "./keep.js";

export function watchSignOut(root = document) {
  const form = root.querySelector("form[data-sign-out]");
  if (!form) return;
  const key = form.dataset.userKey;
  form.addEventListener("submit", (event) => {
    const unsent = waiting(key);
    if (!unsent.length) return;
    event.preventDefault();
    show(root, unsent);
  });
  root.querySelector("[data-sign-out-anyway]").addEventListener("click", () => {
    wipe(key);
    form.requestSubmit();
  });
}

function show(root, unsent) {
  const list = root.querySelector("[data-unsent]");
  list.replaceChildren(...unsent.map(line));
  root.querySelector("#unsent").showPopover();
  root.querySelector("#unsent button").focus();
}

function line({ url, title }) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.className = "page-title";
  link.textContent = title || url;
  // Kept by us, and still only an address of our own may be followed.
  link.href = new URL(url, location.origin).origin === location.origin ? url : "/";
  return item;
}
