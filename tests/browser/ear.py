"""What a screen reader is told: where the focus is, by the accessibility tree, and what live regions say."""

import time
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.contexts import PATIENCE

# Enough to walk once around the fullest screen.
STOPS = 150

LISTEN = """(() => {
  const LIVE = "[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]";
  const last = new WeakMap();
  window.heard = [];
  const listen = () => {
    for (const region of document.querySelectorAll(LIVE)) {
      // A blank at the end counts as a change, as it does to browsers.
      const text = region.innerText;
      const words = text.replace(/\\s+/g, " ").trim();
      if (words && text !== last.get(region)) {
        const isLoud = region.matches("[role=alert], [aria-live=assertive]");
        window.heard.push([isLoud ? "assertive" : "polite", words]);
      }
      last.set(region, text);
    }
  };
  addEventListener("DOMContentLoaded", () => {
    listen();
    window.heard = [];
    new MutationObserver(listen).observe(document.body, {
      subtree: true, childList: true, characterData: true, attributeFilter: ["hidden", "role"],
    });
  });
})();"""


class Spoken(NamedTuple):
    """One element as it is told: its role, its name, and the states that a reader says."""

    role: str
    name: str
    states: dict[str, Any]


class Ear:
    """A listener at one page; made before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession | None = None
        page.add_init_script(LISTEN)

    @classmethod
    def at(cls, context: BrowserContext) -> "Ear":
        return cls(context.new_page())

    def focus(self) -> Spoken:
        """The element that has the focus; of a list, the line that is active in it."""
        nodes = self.tree()
        focused = [node for node in nodes if _states(node).get("focused") is True]
        # The document says so too when something in it has the focus.
        node = focused[-1] if focused else nodes[0]
        active = self._active_of(node)
        lines = [each for each in nodes if active and each.get("backendDOMNodeId") == active]
        return _spoken(lines[0] if lines else node)

    def tree(self) -> list[dict[str, Any]]:
        """All nodes of our own document that are not ignored."""
        if not self._session:
            self._session = self.page.context.new_cdp_session(self.page)
            self._session.send("Accessibility.enable")  # else each look makes the tree again
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def all_of(self, role: str) -> list[Spoken]:
        return [each for each in map(_spoken, self.tree()) if each.role == role]

    def heard(self) -> list[tuple[str, str]]:
        """What live regions have said since the last time it was asked: how, and the words."""
        self.page.wait_for_timeout(100)
        said = self.page.evaluate("window.heard.splice(0)")
        return [(how, words) for how, words in said]

    def hears(self, how: str, words: str) -> None:
        """Wait until a live region says what begins with these words; what came before it is forgotten."""
        said: list[tuple[str, str]] = []
        deadline = time.monotonic() + PATIENCE / 1000
        while not any(each[0] == how and each[1].startswith(words) for each in said):
            assert time.monotonic() < deadline, f"never heard “{words}”, only {said}"
            said += self.heard()

    def comes_to(self, role: str, name: str = "") -> Spoken:
        """Wait until the focus is on something of this role and name, or beginning with it."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not _is(here := self.focus(), role, name):
            assert time.monotonic() < deadline, f"never at {role} “{name}”, but at {here}"
            self.page.wait_for_timeout(50)
        return here

    def tab_to(self, role: str, name: str, *, key: str = "Tab") -> Spoken:
        """Press Tab until something of this role and name, or beginning with it, has the focus."""
        met = []
        for _ in range(STOPS):
            self.page.keyboard.press(key)
            here = self.focus()
            if _is(here, role, name):
                return here
            met.append((here.role, here.name))
        raise AssertionError(f"Tab never reached {role} “{name}”, only {met[:40]}")

    def _active_of(self, node: dict[str, Any]) -> int | None:
        related = [p for p in node.get("properties", []) if p["name"] == "activedescendant"]
        if not related:
            return None
        return int(related[0]["value"]["relatedNodes"][0]["backendDOMNodeId"])


def _is(spoken: Spoken, role: str, name: str) -> bool:
    return spoken.role == role and spoken.name.startswith(name)


def _states(node: dict[str, Any]) -> dict[str, Any]:
    return {p["name"]: p["value"].get("value") for p in node.get("properties", [])}


def _spoken(node: dict[str, Any]) -> Spoken:
    value = node.get("name", {}).get("value", "")
    return Spoken(node["role"]["value"], " ".join(value.split()), _states(node))
