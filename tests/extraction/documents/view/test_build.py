"""The view: a safe projection whose texts are slices of the canonical text."""

import json
from typing import Any

import pytest
from hypothesis import given

from extraction.documents.view.build import MAX_OPEN, build_view
from extraction.parsing.parse import parse
from tests.extraction.soup import raw_soup


def view_of(html: str) -> dict[str, Any]:
    return build_view(parse(b"\xef\xbb\xbf<!doctype html>" + html.encode()))


def body_of(html: str) -> list[Any]:
    """The ops inside the body."""
    ops = view_of(f"<body>{html}")["ops"]
    return list(ops[ops.index(["body"]) + 1 : -2])


@given(raw_soup)
def test_texts_are_the_slices_at_their_starts(raw: bytes) -> None:
    document = parse(raw)
    view = build_view(document)
    texts = [op for op in view["ops"] if isinstance(op, str)]
    assert len(texts) == len(view["starts"])
    for text, start in zip(texts, view["starts"], strict=True):
        assert text
        assert text == document.text[start : start + len(text)]


@given(raw_soup)
def test_the_text_can_be_put_together_from_the_view(raw: bytes) -> None:
    document = parse(raw)
    view = build_view(document)
    text = ""
    for piece, start in zip((op for op in view["ops"] if isinstance(op, str)), view["starts"], strict=True):
        text += "\n" * (start - len(text)) + piece
    assert text == document.text
    assert (view["sha256"], view["length"], view["version"]) == (document.sha256, len(text), document.version)
    assert view["blocks"] == [list(block) for block in document.blocks]


@given(raw_soup)
def test_ops_are_balanced_and_plain_json(raw: bytes) -> None:
    view = build_view(parse(raw))
    depth = 0
    for op in view["ops"]:
        depth += isinstance(op, list) and len(op) < 3
        depth -= op == 0
        assert 0 <= depth <= MAX_OPEN
    assert depth == 0
    assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize(
    ("html", "ops"),
    [
        ("<p>a<br>b", [["p"], "a", ["br", {}, 1], "b", 0]),
        (
            "<form><label>a</label></form>",
            [["div", {"data-tag": "form"}], ["span", {"data-tag": "label"}], "a", 0, 0],
        ),
        ("<x-y onclick=z>a</x-y>", [["span", {"data-tag": "x-y"}], "a", 0]),
        ("<listing>a</listing>", [["pre", {"data-tag": "listing"}], "a", 0]),
        (
            "<menu><li type=a value=03x>b</menu>",
            [["ul", {"data-tag": "menu"}], ["li", {"type": "a"}], "b", 0, 0],
        ),
        (
            "<p>a<script>b</script><svg viewBox='0 0 4 3'><text>c</text></svg><style>d</style>e",
            [["p"], "a", ["img", {"data-tag": "svg", "data-box": "4 3"}, 1], "e", 0],
        ),
        (
            "<input type=hidden value=a><input type=TEXT value=b name=c><select class=d><option>e</select>",
            [
                ["span", {"data-tag": "input", "type": "text"}, 1],
                ["span", {"data-tag": "select", "class": "d"}, 1],
            ],
        ),
        (
            "<p hidden id=x class='a b' name=y title=t>z",
            [["p", {"hidden": "", "id": "x", "class": "a b", "title": "t"}], "z", 0],
        ),
    ],
)
def test_elements_are_shown_by_whitelist(html: str, ops: list[Any]) -> None:
    assert body_of(html) == ops


def test_images_keep_their_size_and_text_but_no_address() -> None:
    html = "<img src=x srcset='y 2x' data-src=z alt=map width=300px height=1e9 style='position:fixed'>"
    assert body_of(html) == [["img", {"alt": "map", "width": "300px", "style": "position:static"}, 1]]


@pytest.mark.parametrize(
    ("href", "kept"),
    [
        ("/a?b#c", "/a?b#c"),
        ("HTTPS://x.example/", "HTTPS://x.example/"),
        ("page.html", "page.html"),
        ("javascript:alert(1)", None),
        (" \x01java\nscript:alert(1)", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
    ],
)
def test_links_are_data_and_lead_to_pages_only(href: str, kept: str | None) -> None:
    [link, _, _] = body_of(f'<a href="{href}" target=_top ping=x>a</a>')
    assert link == (["a", {"data-href": kept}] if kept else ["a"])


def test_spans_of_cells_are_capped() -> None:
    ops = body_of("<table><td colspan=9999 rowspan=x>a")
    assert ["td", {"colspan": "200"}] in ops


def test_what_is_too_deep_is_shown_in_the_innermost_element() -> None:
    view = view_of("<div>" * (MAX_OPEN + 50) + "deep<br>" + "</div>" * (MAX_OPEN + 50) + "after")
    opens = sum(isinstance(op, list) and len(op) < 3 for op in view["ops"])
    assert opens == MAX_OPEN
    assert [op for op in view["ops"] if isinstance(op, str)] == ["deep", "after"]


def test_only_sheets_for_screens_are_used() -> None:
    html = """<head><style>a{}</style><style media=print>b{}</style><style media="(width>9px)">c{}</style>
    <style media="x{}">d{}</style><noscript><style>e{}</style></noscript></head>
    <body>x<svg><style>f{}</style></svg><style media=screen>g{}</style>"""
    assert view_of(html)["css"] == ["a{}", "@media (width>9px){c{}}", "g{}"]


def test_sheets_that_are_not_here_are_counted() -> None:
    html = """<link rel=stylesheet href=a><link rel="Stylesheet x" href=b><style>@import 'c';</style>
    <link rel="alternate stylesheet" href=d><link rel=stylesheet href=e media=print><link rel=stylesheet>
    <link rel=icon href=f><style media=print>@import 'g';</style>"""
    assert view_of(html)["lost_sheets"] == 3


@pytest.mark.parametrize(
    ("html", "lang", "direction"),
    [
        ("<html lang=es-MX dir=RTL><body>x", "es-MX", "rtl"),
        ("<html><body dir=auto>x", "", "auto"),
        ("<html lang='<b>' dir=up><body>x", "", ""),
    ],
)
def test_language_and_direction_are_told(html: str, lang: str, direction: str) -> None:
    view = view_of(html)
    assert (view["lang"], view["dir"]) == (lang, direction)


def test_quirks_are_told() -> None:
    assert not view_of("x")["quirks"]
    assert build_view(parse(b"x"))["quirks"]
