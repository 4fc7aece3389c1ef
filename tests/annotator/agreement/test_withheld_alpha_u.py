"""alpha_U of 1995 on screen where the longest spans decide it: no interval, and in plain words why."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.agreement import actions, titles
from annotator.agreement.selection import BLIND, ReportSelection
from annotator.annotations.models import Slot
from annotator.corpora.models import Corpus
from extraction.spans import Span
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db

PAGES = 32
SAYS = {
    "en": (
        "interval withheld: dominated by the longest spans",
        "a single page with longer spans could move it beyond any interval",
    ),
    "es": (
        "intervalo omitido: dominado por los tramos más largos",
        "una sola página con tramos más largos podría moverlo más allá",
    ),
}


def compared(cast: SimpleNamespace, make_page: MakePage, words: list[int]) -> None:
    """Ada marks an article of so many words; ben leaves out the end of it, on every other page."""
    for number, length in enumerate(words):
        text = " ".join(f"w{number}x{index}" for index in range(length))
        page = make_page(f"<h1>News {number}</h1><p>{text}</p>".encode())
        Slot.objects.filter(round__page=page).update(arm=None)
        start, end, *_ = page.documents.get().blocks[1]
        annotate(page, cast.ada, [Span(start, end, "body")])
        annotate(page, cast.ben, [Span(start, end - (4 if number % 2 else 0), "body")])
        compare_annotations(page)


def test_the_interval_is_withheld_with_a_reason(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    compared(cast, make_page, [int(30 * (PAGES / rank) ** 0.5) for rank in range(1, PAGES + 1)])
    found = actions.request_report(
        corpus=corpus, selection=ReportSelection(unit="span", measure="alpha_u")
    ).figures
    older, newer = (found["units"]["span"][name] for name in ("alpha_u", "alpha_u_2016"))
    assert (older["low"], older["withheld"]) == (None, titles.LONGEST_DECIDE)
    assert newer["low"] < newer["value"] < newer["high"]
    assert found["pairs"][BLIND]["alpha_u"] == older
    for language, words in SAYS.items():
        rhea.cookies["django_language"] = language
        for query in ("?unit=span&measure=alpha_u", "?unit=character"):
            text = rhea.get(reverse("agreement", args=[corpus.slug]) + query).content.decode()
            assert all(said in text for said in words), (language, query)


def test_too_few_pages_is_the_first_reason(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    compared(cast, make_page, [20, 900])
    text = rhea.get(reverse("agreement", args=[corpus.slug]) + "?unit=span&measure=alpha_u").content.decode()
    assert "interval withheld below 30 pages" in text
    assert not any(said in text for said in SAYS["en"])
