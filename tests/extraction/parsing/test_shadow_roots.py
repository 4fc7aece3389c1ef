"""Declarative shadow roots: the text is what a browser shows, in the order in which it shows it."""

from itertools import pairwise

import pytest

from extraction.documents.view.build import build_view
from extraction.parsing.errors import ParseError
from extraction.parsing.limits import MAX_DEPTH
from extraction.parsing.parse import parse


def text_of(html: str) -> str:
    return parse(b"\xef\xbb\xbf<!doctype html><body>" + html.encode()).text.replace("\n\n", "|")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<x-y><template shadowrootmode=open>a<slot></slot>b</template>c</x-y>d", "acb|d"),
        ("<x-y><template shadowrootmode=CLOSED>a <slot>otherwise</slot></template> </x-y>", "a otherwise"),
        (
            "<div><template shadowrootmode=open><slot name=b></slot>-<slot name=a></slot></template>"
            "<i slot=a>A</i> <i slot=b>B</i></div>",
            "B-A",
        ),
        ("<div><template shadowrootmode=open><slot></slot><slot>2</slot></template>once</div>", "once2"),
        ("<div><template shadowrootmode=open>shown</template>left <b>over</b></div>", "shown|left over"),
        ("<div>before<template shadowrootmode=open>[<slot></slot>]</template>after</div>", "[beforeafter]"),
        (
            "<a-a><template shadowrootmode=open>1<b-b><template shadowrootmode=open>2<slot></slot>3"
            "</template><slot></slot></b-b>4</template>x</a-a>",
            "1|2x3|4",
        ),
        ("<p><template shadowrootmode=open>first</template><template shadowrootmode=open>second", "first"),
        # None of these is a shadow root, so that none is shown.
        ("<ul><template shadowrootmode=open><li>a</template></ul>", ""),
        ("<table><template shadowrootmode=open><tr><td>a</template></table>", ""),
        ("<div><template shadowrootmode=half>a</template></div>", ""),
        ("<div><template>a<template shadowrootmode=open>b</template></template></div>", ""),
        (
            "<div><template shadowrootmode=open><template shadowrootmode=open>a</template></template></div>",
            "",
        ),
        ("<math><template shadowrootmode=open>a</template></math>", ""),
        ("<div shadowrootmode=open>a<slot></slot></div>", "a"),
    ],
)
def test_a_host_is_shown_as_in_a_browser(html: str, text: str) -> None:
    assert text_of(html) == text


def test_children_that_no_slot_takes_are_hidden() -> None:
    document = parse(b"<div><template shadowrootmode=open>a</template>b</div>")
    assert ["div", {"hidden": ""}] in build_view(document)["ops"]


def test_each_sheet_stays_with_its_element() -> None:
    document = parse(
        b"<div><style>one{}</style><template shadowrootmode=open><style>two{}</style><slot></slot></template>"
        b"<style slot=none>three{}</style></div><style>four{}</style>"
    )
    assert document.styles == ["two{}", "one{}", "three{}", "four{}"]
    assert build_view(document)["css"][1:] == ["one{}", "three{}", "four{}"]


def test_sheets_of_a_root_are_in_its_scope() -> None:
    document = parse(
        b"<a-a><template shadowrootmode=open><style>:host, :host-context(x) { one: 1 }</style>"
        b"<b-b><template shadowrootmode=open><style>two{}</style><slot><style>own{}</style></slot></template>"
        b"<style>in one{}</style></b-b></template></a-a>"
    )
    scope = '@scope ([data-shadow="{}"]) to ([data-slot] > *, :scope [data-shadow] > *) {{\n{}\n}}'
    view = build_view(document)
    assert view["css"] == [
        scope.format(1, ":scope, :host-context(x) { one: 1 }"),
        scope.format(2, "two{}"),
        scope.format(1, "in one{}"),
    ]
    assert [op[1] for op in view["ops"] if isinstance(op, list) and len(op) > 1] == [
        {"data-tag": "a-a"},
        {"data-shadow": "1"},
        {"data-tag": "b-b"},
        {"data-shadow": "2"},
        {"data-slot": "", "data-tag": "slot"},
    ]


def test_texts_that_become_neighbours_are_one() -> None:
    document = parse(
        b"<p>a<i slot=s></i>b<template shadowrootmode=open><slot></slot><slot name=s></slot></template>"
    )
    strings = [isinstance(event, str) for event in document.events]
    assert not any(one and two for one, two in pairwise(strings))
    assert document.text == "ab"


def test_filled_slots_nest_no_deeper_than_the_limit() -> None:
    levels = MAX_DEPTH // 3
    nested = (
        "<div><template shadowrootmode=open><b><b><b><slot></slot></b></b></b></template>" * levels
    ) + "deep"
    with pytest.raises(ParseError, match="deep"):
        parse(nested.encode())


def test_a_formula_with_a_root_of_its_own_leaves_one_document() -> None:
    """MathML may hold an element named html, which is not the root: the screen would lose the order."""
    document = parse(b"<!doctype html><p>a<math><html lang=x>b</html>c</math>d")
    assert sum(isinstance(event, list) and event[0] == "html" for event in document.events) == 1
    assert document.text == "a\n\nb\n\ncd"
