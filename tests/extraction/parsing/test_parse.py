"""From bytes to documents: repairs, limits, and what must hold for any page."""

import gzip
import hashlib
import random
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from selectolax.lexbor import LexborHTMLParser

from extraction.documents.document import PARSER_VERSION, Document
from extraction.documents.tags import KINDS
from extraction.parsing.errors import ParseError
from extraction.parsing.limits import MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_TAG, MAX_TEXT
from extraction.parsing.parse import parse
from tests.extraction.soup import raw_soup

ARTICLE = "<p>" + "The council met again on Thursday and put off the vote. " * 8


def reason(raw: bytes) -> str:
    with pytest.raises(ParseError) as error:
        parse(raw)
    return error.value.reason


def texts(document: Document) -> list[str]:
    return [event for event in document.events if isinstance(event, str)]


@given(raw_soup)
def test_nodes_and_separators_make_up_the_text(raw: bytes) -> None:
    document = parse(raw)
    position = 0
    for start, end in document.nodes:
        if start < 0:
            continue
        assert document.text[position:start] in ("", "\n", "\n\n")
        assert start < end
        position = end
    assert position == len(document.text)
    assert len(document.nodes) == len(texts(document))


@given(raw_soup)
def test_blocks_cover_the_text_but_for_blank_lines(raw: bytes) -> None:
    document = parse(raw)
    assert "\n\n".join(document.text[start:end] for start, end in document.blocks) == document.text
    assert all(document.text[start:end].rstrip(" \t\n\f\r") for start, end in document.blocks)
    if not any(
        isinstance(event, list) and event[0] in ("pre", "listing", "plaintext") for event in document.events
    ):
        assert all("\n\n" not in document.text[start:end] for start, end in document.blocks)


@given(raw_soup)
def test_every_start_has_its_end(raw: bytes) -> None:
    depth = 0
    for event in parse(raw).events:
        depth += isinstance(event, list)
        depth -= event is None
        assert depth >= 0
    assert depth == 0


@given(raw_soup)
def test_neighbouring_texts_are_one_event(raw: bytes) -> None:
    events = parse(raw).events
    assert not any(isinstance(a, str) and isinstance(b, str) for a, b in pairwise(events))


@given(raw_soup)
def test_the_digest_is_of_the_text_and_parsing_is_deterministic(raw: bytes) -> None:
    document = parse(raw)
    assert document.sha256 == hashlib.sha256(document.text.encode()).hexdigest()
    assert document == parse(raw)
    assert document.version == PARSER_VERSION


def test_bodies_of_scripts_go_and_those_of_styles_are_kept_aside() -> None:
    document = parse(b"<head><style>a{}</style><script>b()</script></head><p>c<style media=print>d{}</style>")
    assert (document.styles, texts(document)) == (["a{}", "d{}"], ["c"])


def test_title_is_the_first_outside_a_drawing() -> None:
    assert parse(b"<svg><title>icon</title></svg><title> a\n b </title>").title == "a b"
    assert parse(b"<title></title><p>x").title == ""
    assert parse(b"<p>x").title == ""


def test_a_comment_does_not_divide_a_text() -> None:
    assert texts(parse(b"<p>a<!-- -->b<?x?>c")) == ["abc"]


def test_empty_attributes_are_empty_strings() -> None:
    assert ["input", {"disabled": "", "x": "1"}] in parse(b"<input disabled x=1>").events


@pytest.mark.parametrize("inside", ["{}", "<svg>{}</svg>", "<math>{}</math>", "<table>{}</table>"])
def test_tags_are_spelt_as_the_parser_spells_them(inside: str) -> None:
    tags = [
        *sorted(KINDS.keys() - {"html", "plaintext"}),
        "a",
        "b",
        "em",
        "font",
        "i",
        "strong",
        "u",
        "foreignObject",
        "linearGradient",
        "x-Y",
    ]
    raw = "".join(inside.format(f"<{tag.upper()}></{tag}>") for tag in tags).encode()
    spelt = [node.tag for node in LexborHTMLParser(raw).root.traverse() if node.tag[0] != "-"]
    assert len(set(spelt)) > 40
    assert parse(raw).structure.tags == spelt


@pytest.mark.parametrize(
    "raw", [b"<p>\xc3\xb1 \xe2\x82", b"\xe2\x82<b>\xff</b\xc3><p a=\x80 \x81=b>\xed\xa0\x80"]
)
def test_bytes_that_are_no_text_are_read_as_their_replacements(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    assert parse(raw, "utf-8").events == parse(text.encode("utf-16"), None).events


@pytest.mark.parametrize(("before", "text"), [("", "ñ € 😀"), ("\ufeff", "ñ"), ("", "\ufffd ñ \x00\r\n a")])
def test_text_in_utf_8_is_what_any_other_encoding_gives(before: str, text: str) -> None:
    page = f"<title>{text}</title><p class='{text}'>{text}"
    own, other = parse((before + page).encode(), "utf-8"), parse(page.encode("utf-16"))
    assert (own.events, own.text, own.title) == (other.events, other.text, other.title)


def test_unclosed_title_is_repaired_and_recorded() -> None:
    document = parse(f"<title>Vote put off<meta name=a><body>{ARTICLE}".encode())
    assert (document.repairs, document.title) == (("unclosed-title",), "Vote put off")
    assert document.text.startswith("The council")


def test_noscript_is_unwrapped_where_it_holds_the_page() -> None:
    document = parse(f"<body><noscript class=n>{ARTICLE}</noscript>".encode())
    assert document.repairs == ("noscript",)
    assert ["div", {"class": "n"}] in document.events
    assert document.text.startswith("The council")


def test_noscript_stays_closed_where_it_gains_little() -> None:
    document = parse(b"<body><noscript>Please switch on JavaScript.</noscript>")
    assert (document.repairs, document.text) == ((), "")


def test_noscript_stays_closed_where_the_page_has_text() -> None:
    document = parse(f"<body>{ARTICLE}</p><noscript>{ARTICLE * 3}</noscript>".encode())
    assert (document.repairs, len(document.blocks)) == ((), 1)


def test_frames_that_were_not_captured_give_way_to_what_stands_for_them() -> None:
    frames = b"<html><frameset cols='1,2'><frame src=a><frame src=b>"
    without = b"<noframes><body><h1>News</h1><p>" + b"The bridge opens. " * 30 + b"</body></noframes>"
    document = parse(frames + without + b"</frameset></html>")
    assert (document.repairs, len(document.blocks)) == (("noframes",), 2)
    document = parse(frames + b"<noframes>Get a browser.</noframes></frameset></html>")
    assert (document.repairs, document.text) == ((), "")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"x" * (MAX_BYTES + 1), "too-large"),
        (b"x" * (MAX_TEXT + 1), "text-too-long"),
        (b"<a " + b"x" * MAX_TAG, "tag-too-long"),
        (b"<a " + b" ".join(b"a%d" % n for n in range(MAX_ATTRIBUTES * 4)) + b">", "too-many-attributes"),
        (b"<p>x" * (MAX_NODES // 2), "too-many-nodes"),
        (b"<div>" * (MAX_DEPTH + 1), "too-deep"),
        (b"<div>" * 100_000, "too-deep"),
        (b"<custom-tag>" * 100_000, "too-deep"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_pages_beyond_the_limits_are_refused(raw: bytes, expected: str) -> None:
    assert reason(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        b"<div>" * (MAX_DEPTH - 10) + b"x",
        b"<p>x" * 25_000,
        b"<li>x" * 25_000,
        b"<img src='data:image/png;base64," + b"A" * 3_000_000 + b"'>x",
        b"<script>" + b"a <b c " * 20_000 + b"</script>x",
        b"<script>" + b"a <b c=d" * 20_000 + b"</script>x",
        b"\x00<p>x\x00",
        b"\xff\xfe" + "<p>x".encode("utf-16-le"),
        b"\xfe\xff" + "<p>x".encode("utf-16-be"),
        b"BM is how a bitmap begins, and MZ a program: x",
        b"<p>x" + b"\0" * 10,
        b"<!doctype html><p>x" + b"\0" * 60_000,
        b"\0" * 1_000 + b"\x7f junk <!-- --><html><p>x",
        b"<pre>%PDF-1.4 %\xe2\xe3 x</pre>",
        b"<plaintext>x",
        b"+ADw-script+AD4-x",
    ],
    ids=lambda raw: repr(raw[:12]),
)
def test_odd_pages_within_the_limits_have_a_document(raw: bytes) -> None:
    assert "x" in parse(raw).text


NOISE = random.Random(1).randbytes(2_000)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Title (<html>) >>", "a PDF file"),
        (b"PK\x03\x04\x14\0\x06\0" + NOISE, "a ZIP archive or an office document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE, "an office document"),
        (gzip.compress(ARTICLE.encode()), "a gzip archive"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + NOISE, "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF" + NOISE, "a JPEG image"),
        (b"\0\0\0 ftypisom" + NOISE, "an MP4 video"),
        (b"ID3\x04\0" + NOISE, "an MP3 file"),
        (Path(sys.executable).read_bytes()[:5_000], "a program"),
        (NOISE, "binary data"),
        (b"\0" * 5_000, "binary data"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_kind_of_file_is_refused_by_its_name(raw: bytes, name: str) -> None:
    with pytest.raises(ParseError, match=f"not-html: This is {name}, not an HTML page"):
        parse(raw)
