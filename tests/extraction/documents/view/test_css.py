"""Style sheets: what goes, what stays, and that no sheet takes long."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import tinycss2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from extraction.documents.view import css
from extraction.documents.view.captured_assets import Sheet
from extraction.documents.view.css import (
    MAX_DECLARATIONS,
    MAX_DEPTH,
    MAX_SHEETS,
    clean_declarations,
    clean_sheet,
    clean_sheets,
)
from extraction.documents.view.plain_rules import SheetPiece, SheetPieceKind, pieces
from extraction.documents.view.stand_ins import StandIns
from extraction.parsing.parse import parse
from tests.extraction import sheets


@pytest.mark.parametrize(
    ("css", "clean"),
    [
        # addresses
        ("a{background:#fff url(x) no-repeat}", 'a{background:#fff url("data:,") no-repeat}'),
        ("a{b:URL( 'x)y' )}", 'a{b:url("data:,")}'),
        ("a{--b:url(x)}", 'a{--b:url("data:,")}'),
        ("a{cursor:url(x),auto;content:url('x')}", 'a{cursor:url("data:,"),auto;content:url("data:,")}'),
        ("a{-moz-binding:url(x);behavior:url(x)}", 'a{-moz-binding:url("data:,");behavior:url("data:,")}'),
        ("a{b:u\\rl(x)}", 'a{b:url("data:,")}'),
        ("a{b:\\75 RL(x)}", 'a{b:url("data:,")}'),
        ("a{b:url(x y)}", "a{b:()}"),
        ("a{b:image-set('x' 1x)}", "a{b:()}"),
        ("a{b:-webkit-image-set(url(x) 1x)}", "a{b:()}"),
        ("a{b:src('x') image('x') element(#x) paint(x) expression(x)}", "a{b:() () () () ()}"),
        ("a{b:attr(c) var(--d,url(x))}", 'a{b:attr(c) var(--d,url("data:,"))}'),
        # rules
        ('@import url("a;b") screen;c{}', " c{}"),
        ("@IMP\\6frt 'x';c{}", " c{}"),
        ("@namespace url(x);@charset 'x';c{}", "  c{}"),
        ("@font-face{src:url('}')}c{}", " c{}"),
        ("@media x{@import 'x';@supports (y){@font-face{}c{}}}", "@media x{ @supports (y){ c{}}}"),
        ("a{b:@import 'x';c:d}", "a{b:() \"x\";c:d}"),
        # what is taken out joins nothing
        ("a{b:u/**/rl(x)}", "a{b:u/**/()}"),
        ("a{b:u</rl(http://x/1)}", "a{b:u< /()}"),
        ("@im</port 'x';c{}", " c{}"),
        ("@im/**/port 'x';", " "),
        ("a{b:u@font-face{}rl(x)}", "a{b:u/**/(){}()}"),
        ("a{b:u<!--rl(x)}", "a{b:u ()}"),
        ("a{b:u-->rl(x)}", "a{b:u-->()}"),
        ("a{b:u\x00rl(x)}", 'a{b:url("data:,")}'),
        # boxes
        ("a{position:fixed}", "a{position:static}"),
        ("a{POSITION :/**/ -webkit-sticky !important}", "a{POSITION :/**/ static !important}"),
        ("a{p\\6fsition:f\\69xed}", "a{position:static}"),
        ("a{position:\x01fixed}", "a{position:static}"),
        ("a{position:var(--x)}b{position: a if(x)}", "a{position:static}b{position: static }"),
        ("a{position:x(1)}b{position:absolute\\9}", "a{position:()}b{position:()}"),
        ("@supports (position:sticky){a{b:c}}", "@supports (position:static){a{b:c}}"),
        # marks
        ("p::HighLight(goldpan-2){a:b}p::high\\6cight(x){}", "p::(){a:b}p::(){}"),
        # what is not CSS
        ('a{b:url("x', 'a{b:url("data:,")}'),
        ("a{b:calc((1px", "a{b:calc((1px))}"),
        ("a{b:'x", 'a{b:"x" }'),
        ('a{b:"\f;c:url(x)}', 'a{b:()\n;c:url("data:,")}'),
        ("a}b{c:d]}", "a/**/()b{c:d/**/()}"),
        ("a{b:\\\nc}", "a{b:()\nc}"),
        ("<!--a{}-->b{}", " a{} b{}"),
        ("a{b:'</style>\\d800 \\1 '}", 'a{b:"\\3c /style>\\d800 \\1 "}'),
        ("a</style>b", "a< /style>b"),
        ("a{\ufffeb:\\d800 c}", "a{b:\ufffdc}"),
        ("a" + "{" * 99, "a" + "{" * (MAX_DEPTH + 1) + "}" * (MAX_DEPTH + 1)),
    ],
)  # fmt: skip
def test_what_could_fetch_or_cover_goes(css: str, clean: str) -> None:
    assert clean_sheet(css) == clean


@pytest.mark.parametrize(
    "css",
    [
        ".md\\:flex .\\31 0{display:flex}",
        'a{content:"“url(x) @import /* x */"}',
        'a[href="http://x"]{color:red}',
        "@media (400px<=width<600px){a{b:c}}",
        "@supports (display:grid){a{b:c}}",
        "@layer a,b;@layer a{@container c (width>1px){a{&:hover{b:c}}}}",
        "@keyframes k{from{top:0}50.5%{top:-1px}}",
        "a{table-layout:fixed;background-attachment:fixed;position:absolute}",
        "a{background-position:calc(1px) var(--x);--position:fixed}",
        'a{content:"it\'s url(x)"}',
        "a{width:calc(100% - (2px + 1em));filter:alpha(opacity=50)}",
        "li:nth-child(2n + 1)>a~b+c:not(.d,#e):is(f|g,*)::before{color:#0af}",
        "a{*zoom:1;_height:1%;margin:-.5em;transform:translate3D(0,1e3px,0)}",
    ],
)
def test_the_rest_stays_as_it_is(css: str) -> None:
    assert clean_sheet(css) == css


HEADS = """url( url(" url('" /* @import @import" @font-face @font-face{" ' "\\ < : ( { [ position: a("""


@pytest.mark.parametrize("piece", HEADS.split())
def test_a_long_hostile_sheet_is_cleaned_in_one_go(piece: str) -> None:
    # Quadratic cleaning of a sheet of this length would outlast any patience.
    clean = clean_sheet(piece * (100_000 // len(piece)))
    assert "url(x" not in clean


def test_a_long_word_beside_a_function_is_read_in_one_go() -> None:
    css = f"a{{width:var(--b);c:{'d' * 1_000_000}}}"
    assert clean_sheet(css) == css


def test_what_is_beyond_a_limit_is_left_out() -> None:
    sheets = [Sheet(css) for css in ("a{}", "b" * MAX_SHEETS, "c{}", "@import 'x';")]
    assert clean_sheets(sheets, StandIns()) == ["a{}", "c{}"]
    assert clean_declarations("a" * (MAX_DECLARATIONS + 1)) == ""


@pytest.mark.parametrize(
    ("css", "clean"),
    [
        ("position: sticky;b:url(x);color:red", 'position: static;b:url("data:,");color:red'),
        ("color:\x01red", "color:red"),
        ("a:'\r;b:url(x)", 'a:()\n;b:url("data:,")'),
        ("color:red !/**/IMPORTANT;position:fixed!important", "color:red  /**/ ;position:static  "),
        ("po!importantsition:fixed", "po/**/()importantsition:fixed"),
        ("position!important:fixed", "position  :static"),
    ],
)
def test_declarations_are_cleaned_alike(css: str, clean: str) -> None:
    assert clean_declarations(css) == clean


FAULTS = re.compile(
    r"(?<!\S)(?:@\S*(?:import|font-face|namespace|charset) |url\( (?!'data:,' )"
    r"|\S*(?:image|image-set|src|element|paint|expression|highlight)\("
    r"|position : \S*(?:fixed |sticky |[^\s(]\()|<!--|ERROR)",
    re.ASCII,  # a space that is none in CSS may be part of a name
)


def _words(nodes: list[Any]) -> Iterator[str]:
    """The tokens, flat, each in its one spelling."""
    for node in nodes:
        name = getattr(node, "lower_value", None) or getattr(node, "lower_name", None)
        spelled = tinycss2.serialize_identifier(name) if name else node.type
        match node.type:
            case "comment" | "whitespace":
                continue
            case "at-keyword":
                yield f"@{spelled}"
            case "function":
                yield f"{spelled}("
            case "string":
                yield "'data:,'" if node.value == "data:," else "''"
            case "url":
                yield "url( ''"
            case "literal":
                yield node.value
            case "error":
                yield "ERROR"
            case _:
                yield spelled
        inside = getattr(node, "content", None) or getattr(node, "arguments", None)
        if inside:
            yield from _words(inside)
            yield "end"


def _check(clean: str) -> None:
    words = " ".join(_words(tinycss2.parse_component_value_list(clean)))
    assert not FAULTS.search(f"{words} "), words
    document = parse(f"\ufeff<!doctype html><style>{clean}</style><p>x".encode())
    assert (document.styles, document.text) == ([clean], "x")


@pytest.mark.parametrize("examples", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_what_is_left_of_any_sheet_is_harmless(examples: int) -> None:
    """Read again as tokens, and in HTML."""

    @settings(max_examples=examples)
    @given(st.randoms(use_true_random=False))
    def cleaned(dice: random.Random) -> None:
        _check(clean_sheet(sheets.style_sheet(dice)))
        _check(clean_declarations(sheets.declarations(dice)))

    cleaned()


# Some are plain, some have to be read by tokens.
RULES = [
    rule.strip()
    for rule in r"""
    a{color:red}
    svg>.svg,#svg img:not(svg){width:calc((1px + 2%)*3)!important}
    {}
    a{}
    svg{&:is(svg){a:b}}
    [data-a=x] svg[title='svg ]'],[lang|=en]{b:attr(data-a)}
    .md\:svg,.w-1\/svg{c:'\f10e'}
    a{b:"}"}
    a{b:c
    a{position:absolute}b{POSITION : Sticky;top:0}
    a{b:url(x)}
    a{b:url( '}' )}
    @import 'x';
    @font-face{src:url('}')}
    @media (min-width:1px) and (max-width:2px){svg{a:b}@supports (a:b){b{c:d}}}
    }
    <!--
    @supports (position:sticky){svg{a:b}}
    @-webkit-keyframes svg{from{top:0}50.5%{top:1px}}
    /* a{ */
    -->
    ;
    @layer a,svg;
    @LAYER a{svg{a:b}
    @scope (svg) to (img){a{b:c}}
    @media x{a{b:c}/**/}
    a:nth-child(2n of svg){}
    a{b:c;/*}*/d:e}
    @page{margin:0}
    p::highlight(x){a:b}
    a{b:expression(c)}
    é,svg{a:"é"}
    :lang(svg){}
    @media x{a}
    @keyframes svg{svg{b:url(x)}}
    a{b:url(x);c:d);e:(f}g{}]h)}
    """.strip().splitlines()
]


def _spoken(nodes: list[Any]) -> Iterator[str]:
    """The tokens with their values, however they are written."""
    for node in nodes:
        if node.type not in ("comment", "whitespace"):
            value = getattr(node, "lower_value", None) or getattr(node, "lower_name", None)
            yield f"{node.type} {value or getattr(node, 'value', '')}{getattr(node, 'unit', '')}"
            yield from _spoken(getattr(node, "content", None) or getattr(node, "arguments", None) or [])
            yield "end"


@pytest.mark.parametrize("kept", [None, {"title": "title", "lang": "data-lang"}], ids=["plain", "dressed"])
@settings(max_examples=300)
@example(rules=["a{b:c", "-->", "}"])
@given(rules=st.lists(st.sampled_from(RULES), max_size=8))
def test_a_sheet_is_the_same_rule_by_rule_as_by_tokens_alone(
    rules: list[str], kept: dict[str, str] | None
) -> None:
    def clean(pieces: Callable[..., Iterable[SheetPiece]]) -> list[str]:
        stand_ins = StandIns(kept)
        stand_ins.add("svg", "img")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(css, "pieces", pieces)
            [sheet] = clean_sheets([Sheet(" ".join(["a{}", *rules]))], stand_ins)
        return list(_spoken(tinycss2.parse_component_value_list(sheet)))

    assert clean(pieces) == clean(lambda sheet, *_limits: [SheetPiece(SheetPieceKind.OTHER, sheet, 0)])
