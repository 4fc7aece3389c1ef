"""The annotation screen before a server that only remembers what it was sent, and its pages."""

import json
from typing import Any

from playwright.sync_api import Page, Route

# Its style sheet is not here: it opens in reading view.
SOURCE = (
    "<!doctype html><title>Ferry</title><link rel=stylesheet href=a.css>"
    "<nav><p>News</p></nav><h1>Ferry line returns 😀</h1>"
    "<p>The first boats leave in December.</p><p>The second boats leave in spring.</p>"
    "<p hidden>Hidden words.</p><p>Read more</p>"
)
NEWS, HEADLINE, FIRST, SECOND, HIDDEN, MORE = range(6)
LABELS = ["headline", "body", "supplemental", "comments", "related"]
VERDICTS = [("article", "y"), ("not_article", "d"), ("several", "m"), ("cannot_tell", "c")]
ALT, SHIFT = 1, 8

RICH = (
    "<!doctype html><title>Ferry</title><link rel=stylesheet href=a.css>"
    "<nav><p>News</p></nav><h1>Ferry line returns</h1>"
    '<div class="text"><p>The first boats leave in December.</p><p>The second boats leave in spring.</p>'
    '<div class="ad"><p>Autumn boots</p></div><p>Café owners on the island are glad.</p></div>'
    "<p hidden>Café, behind a curtain.</p><p>Read more</p>"
)
NAV, TITLE, ONE, TWO, AD, THREE, CURTAIN, LINK = range(8)

PAINTED = """(name) => [...goldpan.view.window.CSS.highlights.get(name)].map(String)"""


def payload_of(view: dict[str, Any], **more: Any) -> dict[str, Any]:
    urls = {name: f"/api/{name}" for name in ("save", "heartbeat", "submit", "skip", "reserve")}
    frames = {"frame": "/frame/", "frame_quirks": "/frame/quirks/"}
    return {
        "urls": {**urls, **frames, "view": "/views/ferry", "home": "/home"},
        "document": {key: view[key] for key in ("sha256", "length", "quirks")},
        "labels": [
            {"name": each, "title": each.title(), "number": n, "key": n} for n, each in enumerate(LABELS, 1)
        ],
        "verdicts": [
            {"name": name, "title": name, "key": key, "has_marks": name in ("article", "several")}
            for name, key in VERDICTS
        ],
        "reasons": [{"name": name, "title": name} for name in ("error_page", "paywall")],
        "skip_reasons": (),
        "suggestion": None,
        "state": {"revision": 0, "spans": [], "verdict": "", "reason": "", "note": "", "saved_at": None,
                  "active_seconds": 0},
        "submitted": False,
        "page": {"title": "Ferry", "site": "gazette.example", "url": "", "language": "en"},
        "progress": {"today": 1, "done": 1, "left": 2},
        "lease": {"left": 1800, "length": 1800},
        **more,
    }  # fmt: skip


class Screen:
    """The screen under test, with what an annotator does to it."""

    def __init__(self, window: Page) -> None:
        self.window = window
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.revision = 0

    def answer(self, route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        if name != "reserve":  # comes by itself, in a quiet moment
            self.sent.append((name, json.loads(route.request.post_data or "{}")))
        if name == "save":
            self.revision += 1
            route.fulfill(json={"revision": self.revision, "saved_at": "2026-11-20T12:03:00Z"})
        else:
            route.fulfill(json={"next": "/next"})

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.keyboard.press(key)

    def choose(self, block: int) -> None:
        """Walk to a block by key."""
        self.press("Escape", *["j"] * (block + 1 - (block > HIDDEN and self.mode == "page")))

    @property
    def mode(self) -> str:
        return str(self.window.evaluate("goldpan.view.mode"))

    @property
    def marks(self) -> list[list[str]]:
        """Label and text of every mark."""
        return list(
            self.window.evaluate(
                "goldpan.editor.spans.map(([s, e, l]) => [l, goldpan.view.text.slice(s, e)])"
            )
        )

    def point(self, block: int, share: float = 0.0) -> tuple[float, float]:
        """A point on a block's first line, in the window."""
        x, y = self.window.evaluate(
            """([block, share]) => {
                const box = goldpan.view.blockRange(block).getClientRects()[0];
                const frame = goldpan.view.frame.getBoundingClientRect();
                const along = 2 + share * (box.width - 4);
                return [frame.left + box.left + along, frame.top + box.top + box.height / 2];
            }""",
            [block, share],
        )
        return x, y

    def drag(self, block: int, start: float, end: float, modifiers: int = 0) -> None:
        """By the protocol: Playwright's own mouse waits for scripts that the sandboxed frame never runs."""
        session = self.window.context.new_cdp_session(self.window)
        steps = [
            ("mousePressed", start),
            ("mouseMoved", (start + end) / 2),
            ("mouseMoved", end),
            ("mouseReleased", end),
        ]
        for kind, share in steps:
            x, y = self.point(block, share)
            session.send(
                "Input.dispatchMouseEvent",
                {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "modifiers": modifiers,
                 "buttons": int(kind != "mouseReleased")},
            )  # fmt: skip


def runs(screen: Screen) -> str:
    """What the foot line says is chosen."""
    return screen.window.inner_text(".status [data-block]")
