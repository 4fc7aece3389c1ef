"""Which pages are learned from, and what is content of them."""

import pytest

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, PageRecord
from extraction.learning.evaluation import block_figures
from extraction.learning.samples import Sample, content_of, samples, site_of, split_by_site, split_in_order
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, Span
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

BODY = frozenset({"body"})
DOCUMENT = parse(b"<p>One.</p><p>Two.</p>")


def page(number: int, site: str = "") -> Sample:
    return Sample(DOCUMENT, [], f"{number:064x}", site)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.gazette.example/a", "gazette.example"),
        ("http://www.gazette.co.uk:80/", "gazette.co.uk"),
        ("http://gazette.uk/", "gazette.uk"),
        ("http://a.b.gazette.com.au/x", "gazette.com.au"),
        ("", ""),
        ("http://[gazette.example/", ""),
    ],
)
def test_the_site_of_an_address(url: str, site: str) -> None:
    assert site_of(url) == site


def test_no_site_is_in_two_parts() -> None:
    pages = [page(number, f"site-{number % 40}") for number in range(400)]
    split = split_by_site(pages, validate=0.2, test=0.3)
    sites = [{sample.site for sample in part} for part in split]
    assert all(sites)
    assert not sites[0] & sites[1] | sites[0] & sites[2] | sites[1] & sites[2]
    assert sum(len(part) for part in split) == 400


def test_a_site_stays_in_its_part_when_pages_are_added() -> None:
    some = [page(number, f"site-{number % 20}") for number in range(60)]
    more = [*some, *(page(number, f"site-{number % 55}") for number in range(60, 400))]
    for before, after in zip(split_by_site(some), split_by_site(more), strict=True):
        assert {sample.sha256 for sample in before} <= {sample.sha256 for sample in after}


def test_pages_of_an_unknown_site_are_a_site_each() -> None:
    split = split_by_site([page(number) for number in range(200)])
    assert all(part for part in split)


def test_the_first_pages_are_learned_from_and_the_last_tested_on() -> None:
    pages = [page(number) for number in range(10)]
    split = split_in_order(pages, 5, 2)
    assert (split.train, split.validate, split.test) == (pages[:5], pages[5:7], pages[7:])


def test_pages_without_gold_under_the_labels_are_left_out() -> None:
    raw = EXAMPLE.encode()
    text = f"{P1}\n{P2}\n{P3}"
    records = [
        PageRecord("1", raw, gold=GoldRecord(text=text, labels=BODY), url="http://a.example/"),
        PageRecord("2", raw),
        PageRecord("3", raw, gold=GoldRecord(text=text, labels=frozenset({"comments"}))),
        PageRecord("4", b"", gold=GoldRecord(text=text, labels=BODY)),
        BadRecord("5", "broken"),
    ]
    (found,) = samples(records, LABEL_SETS["body"])
    assert found.site == "a.example"
    assert "".join(found.document.text[start:end] for start, end in found.content).startswith(P1[:40])


def test_labels_come_from_spans_by_position() -> None:
    spans = (Span(0, 4, "body"),)
    gold = GoldRecord(spans=spans, parser=DOCUMENT.version, labels=BODY)
    (found,) = samples([PageRecord("1", b"<p>One.</p><p>Two.</p>", gold=gold)], LABEL_SETS["body"])
    assert content_of(found, [(0, 4), (6, 10), (-1, -1)], [4, 4, 4]) == [True, False, False]
    assert content_of(found, [(0, 6)], [6]) == [False]  # four of six characters are no more than two thirds
    assert content_of(found, [(0, 5)], [5]) == [True]


def test_figures_pool_the_blocks_of_all_pages() -> None:
    figures = block_figures([([True, True, False], [True, False, False]), ([False], [True])])
    assert figures.positive == (0.5, 0.5, 0.5)
    assert figures.negative == (0.5, 0.5, 0.5)
    assert (figures.accuracy, figures.pages, figures.blocks) == (0.5, 2, 4)
    assert block_figures([]).positive == (0, 0, 0)
