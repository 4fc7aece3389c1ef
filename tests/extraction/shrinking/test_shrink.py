"""Pages are reduced to what an error needs, and the error is still made on them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from extraction.__main__ import main
from extraction.documents.document import Document
from extraction.extractors import REGISTRY, extractor
from extraction.formats import PageRecord
from extraction.parsing.decode import decode
from extraction.parsing.parse import parse
from extraction.shrinking import ExtractionError, ShrinkError, shrink, shrink_in_child
from extraction.shrinking.source_tree import read_source
from extraction.spans import Span
from tests.corpora import records
from tests.extraction.corpora import EXAMPLE, P1, P2, P3
from tests.golden import PAGES

Output = pytest.CaptureFixture[str]
PROMOTED = (
    '<div class="page wide"><nav><a href="/">Home</a></nav><div id="main"><h1>Bridge opens</h1>'
    f'<p class="first promo" lang="en">{P1}</p><section><p>{P2}</p><p>{P3}</p></section></div></div>'
)


@pytest.fixture
def no_promo() -> Iterator[str]:
    """An extractor that takes all text but that of elements of the class `promo`."""
    name = "no-promo"

    @extractor(name, version=1)
    def take(document: Document) -> list[Span]:
        source = read_source((document.raw or b"").decode())
        left_out = {
            text.value
            for element in source.elements()
            if "promo" in element.attributes.get("class", "")
            for text in element.children
            if hasattr(text, "value")
        }
        blocks = [block for block in document.blocks if document.text[slice(*block)] not in left_out]
        return [Span(start, end, "body") for start, end in blocks]

    yield name
    del REGISTRY[name]


def test_a_page_of_thousands_of_levels_is_written_again() -> None:
    nested = f"{'<div>' * 2000}deep{'</div>' * 2000}"
    assert read_source(nested).write() == f"<html><head></head><body>{nested}</body></html>"


def test_what_an_error_needs_is_left(no_promo: str) -> None:
    shrunk = shrink(PROMOTED.encode(), ExtractionError(no_promo, P1, is_missing=True))
    # Something is taken beside it, as on the whole page.
    assert shrunk.html == f'<p class="first promo">{P1}</p>school.'
    assert shrunk.is_minimal
    assert shrunk.size == len(shrunk.html)


def test_words_that_are_taken_wrongly(no_promo: str) -> None:
    page = PROMOTED.replace(P2, "Subscribe now")
    shrunk = shrink(page.encode(), ExtractionError(no_promo, " Subscribe\nnow ", is_missing=False))
    # Something is left out beside it, as on the whole page.
    assert shrunk.html == '<p class="first promo">spring.</p>Subscribe now'


@pytest.mark.parametrize(
    ("text", "is_missing", "message"),
    [
        ("Not on this page", True, "does not contain these words"),
        (P2, True, "does not miss them"),
        (P1, False, "does not take these words"),
        (" \n", True, "no words to look for"),
    ],
)
def test_an_error_that_is_not_made(no_promo: str, text: str, is_missing: bool, message: str) -> None:
    with pytest.raises(ShrinkError, match=message):
        shrink(PROMOTED.encode(), ExtractionError(no_promo, text, is_missing=is_missing))


def test_what_was_found_when_the_time_is_up(no_promo: str) -> None:
    error = ExtractionError(no_promo, P1, is_missing=True)
    shrunk = shrink(PROMOTED.encode(), error, seconds=0)
    assert not shrunk.is_minimal
    error.check(shrunk.html)


@pytest.mark.parametrize("name", ["goldpan", "boilerpipe-article", "trafilatura"])
def test_errors_on_real_pages_stay_and_become_small(name: str) -> None:
    for record in records(3):
        error = _longest_miss(name, record)
        shrunk = shrink(record.raw, error, charset=record.charset, seconds=600)
        assert shrunk.is_minimal
        assert shrunk.size < len(error.text.encode()) + 1_000
        error.check(shrunk.html)


def _longest_miss(name: str, record: PageRecord) -> ExtractionError:
    document = parse(record.raw, record.charset)
    html = decode(record.raw, record.charset).text
    for block in sorted(document.blocks, key=lambda block: block.start - block.end):
        error = ExtractionError(name, document.text[slice(*block)], is_missing=True)
        if not error.treatment(html).takes_words:
            return error
    raise AssertionError(f"{name} takes the whole page")


@pytest.mark.parametrize("folder", PAGES, ids=lambda folder: folder.name)
def test_a_page_written_again_has_the_same_text(folder: Path) -> None:
    html = decode((folder / "source.html").read_bytes()).text
    if parse(html.encode(), "utf-8").repairs:
        return  # the parser reads these from another source
    written = read_source(html).write()
    doctype = "<!doctype html>" if html.lower().lstrip("\ufeff \n").startswith("<!doctype") else ""
    assert parse((doctype + written).encode(), "utf-8").text == parse(html.encode(), "utf-8").text


def test_the_command_prints_the_page(no_promo: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "page.html"
    path.write_text(PROMOTED, encoding="utf-8")
    assert main(["shrink", str(path), "--with", no_promo, "--missing", P1]) == 0
    printed = capsys.readouterr()
    assert "promo" in printed.out
    assert len(printed.out) < len(PROMOTED) / 2
    assert f"{len(PROMOTED)} bytes became" in printed.err


def test_the_command_says_that_the_error_is_not_made(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "page.html"
    path.write_text(EXAMPLE, encoding="utf-8")
    assert main(["shrink", str(path), "--with", "everything", "--missing", P1]) == 2
    assert capsys.readouterr().err.startswith("extraction: everything takes these words")


def test_a_child_shrinks_pages_of_strangers() -> None:
    error = ExtractionError("boilerpipe-article", "Home", is_missing=True)
    assert shrink_in_child(EXAMPLE.encode(), error) == shrink(EXAMPLE.encode(), error)


def test_a_child_says_why_it_cannot() -> None:
    with pytest.raises(ShrinkError, match="does not miss them"):
        shrink_in_child(EXAMPLE.encode(), ExtractionError("everything", P1, is_missing=True))
