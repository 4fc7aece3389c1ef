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


def shown(
    window: Page, address: str, views: dict[str, dict[str, Any]], source: bytes, name: str = "page"
) -> str:
    """Build the page's view in the frame; gives the mode that it opened in."""
    views[name] = build_view(parse(source))
    facts = {key: views[name][key] for key in ("sha256", "prefer", "quirks")}
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    return str(window.evaluate("([name, facts]) => testing.show(name, facts)", [name, facts]))


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.name[:12])
def test_view_holds_the_stored_text_in_both_views(
    window: Page, address: str, views: dict[str, dict[str, Any]], place: Path
) -> None:
    document = parse(raw(place))
    shown(window, address, views, raw(place))
    for mode in ("page", "reading"):
        window.evaluate("mode => stage.view.build(mode, 'light')", mode)
        assert window.evaluate("() => String(stage.view.text)") == document.text
        assert window.evaluate("digest => stage.view.verify(digest)", document.sha256) is True
        assert window.evaluate("testing.roundTrips(100, 5)") == []
        assert window.evaluate("testing.spoken(50, 6)") == []


def test_view_of_another_text_is_refused(
    window: Page, address: str, views: dict[str, dict[str, Any]]
) -> None:
    views["other"] = build_view(parse(b"<p>One text"))
    facts = {"sha256": parse(b"<p>Another text").sha256, "prefer": "reading", "quirks": False}
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    reason = window.evaluate("facts => testing.show('other', facts).catch((error) => error.reason)", facts)
    assert reason == "differs"


def test_view_with_a_text_node_too_many_is_refused(
    window: Page, address: str, views: dict[str, dict[str, Any]]
) -> None:
    view = build_view(parse(b"<p>One <b>text</b>"))
    views["broken"] = {**view, "ops": [*view["ops"][:-1], "more", 0]}
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    facts = {"sha256": view["sha256"], "prefer": "reading", "quirks": False}
    message = window.evaluate("facts => testing.show('broken', facts).catch((error) => error.message)", facts)
    assert "text nodes" in message


def test_hostile_operations_make_nothing_that_runs(
    window: Page, address: str, views: dict[str, dict[str, Any]]
) -> None:
    view = build_view(parse(b"<p>Safe"))
    hostile: list[Any] = [
        ["script", {"src": "/static/js/annotate.js"}], 0,
        ["iframe", {"srcdoc": "<p>x"}], 0,
        ["img", {"src": "http://127.0.0.1:9/x.png", "onerror": "top.hurt = 1"}, 1],
        ["a", {"href": "javascript:top.hurt=1", "onclick": "top.hurt = 1", "name": "body"}], 0,
        ["form", {"action": "/", "id": "documentElement"}], 0,
    ]  # fmt: skip
    at = view["ops"].index("Safe")
    views["hostile"] = {**view, "ops": [*view["ops"][:at], *hostile, *view["ops"][at:]]}
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    shown_facts = {"sha256": view["sha256"], "prefer": "page", "quirks": False}
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    window.evaluate("facts => testing.show('hostile', facts)", shown_facts)
    found = window.evaluate(
        "() => [...stage.view.body.querySelectorAll('*')]"
        ".map((e) => [e.localName, ...e.getAttributeNames()].join(' '))"
    )
    assert not [
        line
        for line in found
        if any(word in line for word in ("script", "iframe", "form", " on", "href", "name"))
    ]
    assert window.evaluate("window.hurt") is None
    assert not [url for url in asked if ":9/" in url or url.endswith("annotate.js")]


def test_a_translated_page_is_built_anew_and_said(
    window: Page, address: str, views: dict[str, dict[str, Any]]
) -> None:
    shown(window, address, views, b"<p>The first.</p><p>The second.</p>")
    window.evaluate("() => { stage.view.body.querySelector('p').textContent = 'El primero.'; }")
    window.wait_for_timeout(100)
    assert window.evaluate("notices") == ["translated"]
    assert window.evaluate("stage.view.body.querySelector('p').textContent") == "The first."
