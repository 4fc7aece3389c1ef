"""The page view on real and awkward pages: the text is the stored one, and offsets survive the DOM."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from extraction.parse import parse
from extraction.view import build_view
from tests import golden

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "scrapinghub" / "html"
CAPTURED = sorted(CORPUS.glob("*.html.gz"))[::30]
PAGES = [*golden.PAGES, *CAPTURED]


def raw(place: Path) -> bytes:
    return gzip.decompress(place.read_bytes()) if place.is_file() else (place / "source.html").read_bytes()


Views = dict[str, dict[str, Any]]
SHOW = "([name, facts, what]) => testing.show(name, facts).catch((error) => error[what])"


def show(window: Page, address: str, name: str, facts: dict[str, Any], said: str = "message") -> str:
    """Build the view of that name; gives its mode, or what an error says."""
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    return str(window.evaluate(SHOW, [name, facts, said]))


def show_source(window: Page, address: str, views: Views, source: bytes) -> str:
    views["page"] = build_view(parse(source))
    facts = {key: views["page"][key] for key in ("sha256", "prefer", "quirks")}
    return show(window, address, "page", facts)


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.name[:12])
def test_view_holds_the_stored_text_in_both_views(
    window: Page, address: str, views: Views, place: Path
) -> None:
    document = parse(raw(place))
    assert show_source(window, address, views, raw(place)) in ("page", "reading")
    for mode in ("page", "reading"):
        window.evaluate("mode => stage.view.build(mode, 'light')", mode)
        assert window.evaluate("() => String(stage.view.text)") == document.text
        assert window.evaluate("digest => stage.view.verify(digest)", document.sha256) is True
        assert window.evaluate("testing.roundTrips(100, 5)") == []
        assert window.evaluate("testing.spoken(50, 6)") == []


def test_view_of_another_text_is_refused(window: Page, address: str, views: Views) -> None:
    views["other"] = build_view(parse(b"<p>One text"))
    facts = {"sha256": parse(b"<p>Another text").sha256, "prefer": "reading", "quirks": False}
    assert show(window, address, "other", facts, said="reason") == "differs"


def test_view_with_a_text_node_too_many_is_refused(window: Page, address: str, views: Views) -> None:
    view = build_view(parse(b"<p>One <b>text</b>"))
    views["broken"] = {**view, "ops": [*view["ops"][:-1], "more", 0]}
    facts = {"sha256": view["sha256"], "prefer": "reading", "quirks": False}
    assert "text nodes" in show(window, address, "broken", facts)


HOSTILE: list[Any] = [
    ["script", {"src": "/static/js/annotate.js"}], 0,
    ["iframe", {"srcdoc": "<p>x"}], 0,
    ["img", {"src": "http://127.0.0.1:9/x.png", "onerror": "top.hurt = 1"}, 1],
    ["a", {"href": "javascript:top.hurt=1", "onclick": "top.hurt = 1", "name": "body"}], 0,
    ["form", {"action": "/", "id": "documentElement"}], 0,
]  # fmt: skip
NAMES = (
    "() => [...stage.view.body.querySelectorAll('*')]"
    ".flatMap((element) => [element.localName, ...element.getAttributeNames()])"
)


def test_hostile_operations_make_nothing_that_runs(window: Page, address: str, views: Views) -> None:
    view = build_view(parse(b"<p>Safe"))
    at = view["ops"].index("Safe")
    views["hostile"] = {**view, "ops": [*view["ops"][:at], *HOSTILE, *view["ops"][at:]]}
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    show(window, address, "hostile", {"sha256": view["sha256"], "prefer": "page", "quirks": False})
    assert set(window.evaluate(NAMES)) == {"p", "span", "img", "a", "id", "src"}
    assert window.evaluate("stage.view.body.querySelector('img').src.startsWith('data:image/svg+xml,')")
    assert window.evaluate("window.hurt") is None
    assert not [url for url in asked if ":9/" in url or url.endswith("annotate.js")]


def test_a_translated_page_is_built_anew_and_said(window: Page, address: str, views: Views) -> None:
    show_source(window, address, views, b"<p>The first.</p><p>The second.</p>")
    window.evaluate("() => { stage.view.body.querySelector('p').textContent = 'El primero.'; }")
    window.wait_for_timeout(100)
    assert window.evaluate("notices") == ["translated"]
    assert window.evaluate("stage.view.body.querySelector('p').textContent") == "The first."


def test_a_page_that_keeps_changing_is_refused(window: Page, address: str, views: Views) -> None:
    show_source(window, address, views, b"<p>The first.</p>")
    for _ in range(4):
        window.evaluate("() => { stage.view.body.querySelector('p').textContent = 'El primero.'; }")
        window.wait_for_timeout(50)
    assert window.evaluate("notices.at(-1)") == "refused: changed"


COVER = b"<style>/*" + b" " * 25_000 + b"*/ .cover { position: absolute; inset: 0; height: 60000px }</style>"


def test_a_covered_page_opens_in_reading_view(window: Page, address: str, views: Views) -> None:
    lines = b"".join(b"<p>Line %d of the page</p>" % n for n in range(60))
    assert show_source(window, address, views, COVER + lines) == "page"
    assert show_source(window, address, views, COVER + lines + b"<div class=cover>&nbsp;</div>") == "reading"
    assert window.evaluate("notices") == ["covered"]


def test_a_highlight_spans_no_picture(window: Page, address: str, views: Views) -> None:
    source = b"<p>The first.</p><img src=a.png><p>The second.</p><p>A <img src=b.png>third.</p><p>Last.</p>"
    show_source(window, address, views, source)
    window.evaluate("() => stage.painter.show('goldpan-1', stage.view.blocks)")
    spans = window.evaluate(
        "() => [...stage.view.window.CSS.highlights.get('goldpan-1')].map((range) => "
        "[range.toString(), range.cloneContents().querySelectorAll('img').length])"
    )
    assert [said.strip() for said, _pictures in spans] == ["The first.", "The second.A", "third.Last."]
    assert all(pictures == 0 for _said, pictures in spans)


def test_a_change_of_view_keeps_the_place(window: Page, address: str, views: Views) -> None:
    lines = b"".join(b"<p>Line %d of the page</p>" % n for n in range(200))
    show_source(window, address, views, b"<style>p { margin: 60px }</style>" + lines)
    window.evaluate("() => stage.switchTo('page')")
    window.wait_for_timeout(200)
    top = "(block) => Math.round(stage.view.blockRange(block).getBoundingClientRect().top)"
    window.evaluate("() => stage.view.window.scrollTo(0, stage.geometry.top[100] - 5)")
    before = window.evaluate(top, 100)
    window.evaluate("() => stage.switchTo('reading')")
    assert abs(window.evaluate(top, 100) - before) <= 1
    window.evaluate("() => { stage.attended = () => stage.view.blocks[104]; }")
    chosen = window.evaluate(top, 104)
    window.evaluate("() => stage.switchTo('page')")
    assert abs(window.evaluate(top, 104) - chosen) <= 1
