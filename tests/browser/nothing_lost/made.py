"""What is done in a window that may lose its server, and what is left of it where."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from annotator.annotations import actions
from annotator.annotations.models import Annotation
from annotator.corpora.models import User
from tests.browser import workbench
from tests.processes import wait_for

RECORDS = """async (stores) => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const all = (name) => new Promise((resolve) => {
    const request = database.transaction(name).objectStore(name).getAll();
    request.onsuccess = () => resolve(request.result);
  });
  const found = (await Promise.all(stores.map(all))).flat();
  database.close();
  return found;
}"""


def records(window: Page, *stores: str) -> list[dict[str, Any]]:
    """What the browser's database holds in these stores, or in all."""
    found: list[dict[str, Any]] = window.evaluate(RECORDS, stores or ("drafts", "heads", "steps", "texts"))
    return found


def records_of(window: Page, user: User) -> int:
    """How many records it holds of one user."""
    return sum(each["user"] == user.browser_key for each in records(window))


def mark(window: Page, times: int) -> None:
    """Go to the next block and give it a label, again and again."""
    for _ in range(times):
        window.keyboard.press("j")
        window.keyboard.press("2")


def kept(window: Page) -> None:
    """Wait until the screen may say that all that waits is on the disk."""
    workbench.until(window, "goldpan.saver.isSafe && goldpan.saver.keptChanges === goldpan.saver.changes")


def steps_kept(window: Page, steps: int, *, done: int) -> None:
    """Wait until the steps are on the disk, which come after the changes themselves."""
    wait_for(
        lambda: (steps, done) in [(each["length"], each["position"]) for each in records(window, "heads")],
        f"{steps} steps on the disk",
    )


def offline(window: Page, changes: int) -> None:
    """The screen says how many changes are unsynced, and since when."""
    words = "1 unsynced change" if changes == 1 else f"{changes} unsynced changes"
    state = window.locator("[data-saved]")
    expect(state).to_contain_text(re.compile(rf"{words}\. No connection since \d\d:\d\d"))


def stored(user: User) -> int:
    """Marks of the newest revision on the server."""
    newest = actions.latest_revision(Annotation.objects.filter(annotator=user).latest("opened_at"))
    return len(newest.spans) if newest else 0


def marks(window: Page) -> int:
    return len(workbench.spans_in_browser(window))
