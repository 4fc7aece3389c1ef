"""Our jusText against the library's 3.0.2, on the same trees."""

from pathlib import Path

import justext as library
import pytest
from lxml import etree

from extraction.documents.document import Document
from extraction.extractors.justext import JusTextSettings, classify
from extraction.extractors.paragraphs import paragraphs
from extraction.features.stop_words import stop_words
from extraction.parsing.parse import parse
from tests.extraction.corpora import gold_texts
from tests.golden import PAGES

ENGLISH = stop_words("justext", "en")
# lxml cannot hold some of its characters, so that the library never sees them.
UNSEEN = "control-characters"

Row = tuple[str, str]


def by_the_library(document: Document) -> list[Row]:
    source = etree.tostring(document.to_lxml(), method="html", encoding="unicode")
    found = library.justext(source, library.get_stoplist("English"))
    return [(p.text.replace("\n", " "), p.class_type) for p in found]


def by_us(document: Document) -> list[Row]:
    found = paragraphs(document)
    kinds = classify(found, JusTextSettings(ENGLISH, rescues_before_headings=False))
    return [(p.text, kind) for p, kind in zip(found, kinds, strict=True)]


def test_our_english_list_is_the_library_s() -> None:
    assert library.get_stoplist("English") == ENGLISH


@pytest.mark.parametrize("corpus", gold_texts())
def test_paragraphs_and_classes_of_real_pages_are_those_of_the_library(corpus: str) -> None:
    for raw, _ in gold_texts()[corpus][::12]:
        document = parse(raw)
        assert by_us(document) == by_the_library(document)


@pytest.mark.parametrize(
    "folder", [page for page in PAGES if page.name != UNSEEN], ids=lambda folder: folder.name
)
def test_paragraphs_and_classes_of_awkward_pages_are_those_of_the_library(folder: Path) -> None:
    document = parse((folder / "source.html").read_bytes())
    assert by_us(document) == by_the_library(document)
