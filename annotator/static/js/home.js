// Syncs and lists this browser's unsynced changes.
import { element, findAll } from "./elements/build.js";
import { draftLink } from "./elements/draft-link.js";
import { counted } from "./elements/format.js";
import { userKey } from "./net/api.js";
import { BackgroundSync } from "./net/background-sync.js";

/** @type {HTMLElement[]} */
const lines = findAll("[data-unsynced]");

if (lines.length) watch(new BackgroundSync(userKey()));

function watch(sync) {
  const show = async () => {
    const drafts = await sync.waiting();
    for (const line of lines) line.replaceChildren(...words(drafts));
  };
  sync.addEventListener("change", show);
  addEventListener("online", () => sync.retry());
  show();
  sync
    .send()
    .catch(() => undefined)
    .then(show);
}

/** How many changes are unsynced, and links to the pages that they belong to. */
function words(drafts) {
  if (!drafts.length) return [gettext("none")];
  const changes = drafts.reduce((sum, draft) => sum + draft.changes, 0);
  const pages = [...new Map(drafts.map((draft) => [draft.url, draft])).values()];
  const count = counted(ngettext("1 change", "%(n)s changes", changes), changes);
  return [count, ...pages.flatMap((draft) => [element("br"), draftLink(draft)])];
}
