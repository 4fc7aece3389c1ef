"""What is done in a window that may lose its server, and what is left of it where."""

import re

from playwright.sync_api import Page, expect

from annotator.annotations import actions
from annotator.annotations.models import Annotation
from annotator.corpora.models import User
from tests.browser import workbench
from tests.processes import wait_for

# What the browser's database holds of one user, and of all.
KEPT = """async (user) => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const all = (name) => new Promise((resolve) => {
    const request = database.transaction(name).objectStore(name).getAll();
    request.onsuccess = () => resolve(request.result);
  });
  const found = (await Promise.all(["drafts", "heads", "steps", "texts"].map(all))).flat();
  database.close();
  return found.filter((record) => !user || record.user === user).length;
}"""

DRAFTS = """async () => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const request = database.transaction("drafts").objectStore("drafts").count();
  await new Promise((resolve) => { request.onsuccess = resolve; });
  database.close();
  return request.result;
}"""

# Whether a window has stored so many steps, of which so many are done.
HAS_STEPS = """async ([steps, done]) => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const request = database.transaction("heads").objectStore("heads").getAll();
  await new Promise((resolve) => { request.onsuccess = resolve; });
  database.close();
  return request.result.some(({length, position}) => length === steps && position === done);
}"""

STEPS = """async () => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const request = database.transaction("steps").objectStore("steps").count();
  await new Promise((resolve) => { request.onsuccess = resolve; });
  database.close();
  return request.result;
}"""


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
    wait_for(lambda: window.evaluate(HAS_STEPS, [steps, done]), f"{steps} steps on the disk")


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
