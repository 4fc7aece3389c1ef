"""Agreement with unequal inclusion probabilities, and the excluded pages of each figure."""

import csv
import io
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.agreement import actions, queries
from annotator.agreement.selection import ALL, BLIND, SHOWN, ReportSelection
from annotator.annotations.models import Round, Slot
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.quality.bias import actions as bias
from annotator.runs.models import Extractor
from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.pool import Pool
from extraction.agreement.units import ContentUnits
from tests.annotator.scored import compare_annotations
from tests.annotator.weighted import half_done, marks_of
from tests.factories import MakePage, annotate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def counted(page: Page, fewer: int) -> PageTables:
    """The page apart from the database."""
    document, marks = page.documents.get(), marks_of(page)
    units = ContentUnits.of_text(document.text, [tuple(block[:2]) for block in document.blocks])
    return count_page({"a": marks, "b": marks[fewer:]}, units)


def test_every_figure_is_that_of_the_weighted_pages(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages, weights = half_done(corpus, cast, make_page)
    assert weights[1] / weights[0] > 1.5
    selection = ReportSelection(unit="character")
    found = actions.request_report(corpus=corpus, selection=selection).figures
    pool = Pool([counted(pages[0], 0), counted(pages[1], 2)], weights=weights)
    expected = pool.units("character", ("set", "article"))
    plain = Pool([counted(pages[0], 0), counted(pages[1], 2)]).units("character", ("set", "article"))
    for name in ("krippendorff_alpha", "cohen_kappa", "f1", "observed"):
        assert found["pairs"][BLIND][name]["value"] == pytest.approx(expected[name].value), name
        assert found["pairs"][BLIND][name]["value"] < plain[name].value - 0.02, name
        assert found["pairs"][BLIND][name]["effective"] == pytest.approx(expected[name].effective)
        assert found["language"][0][1][name]["value"] == pytest.approx(expected[name].value), name


def test_changed_probabilities_make_another_report(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    half_done(corpus, cast, make_page)
    before = queries.state_of(corpus)
    late = make_page()
    assert queries.state_of(corpus) == before
    Round.objects.filter(page=late).update(inclusion_probability=0.4)
    assert queries.state_of(corpus) != before


def test_the_screens_say_so_beside_the_pages_and_the_csv_has_the_weights(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    pages, weights = half_done(corpus, cast, make_page)
    text = rhea.get(reverse("agreement", args=[corpus.slug])).content.decode()
    assert "weighted by inclusion probability, effective 2" in text
    assert "Weighted by inclusion probability" in text
    assert text.count(">effective 2<") > 20
    assert (
        "Weighted by inclusion" in rhea.get(reverse("suggestion-bias", args=[corpus.slug])).content.decode()
    )
    for route in ("agreement-counts", "suggestion-bias-observations"):
        answer = rhea.get(reverse(route, args=[corpus.slug]))
        rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
        said = {row["page"]: float(row["weight"]) for row in rows}
        assert [said[page.sha256] for page in pages] == pytest.approx(weights, rel=1e-4)


def test_equal_weights_are_not_mentioned(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    page = make_page()
    annotate(page, cast.ada, marks_of(page))
    annotate(page, cast.ben, marks_of(page))
    compare_annotations(page)
    for route in ("agreement", "suggestion-bias"):
        assert "eighted" not in rhea.get(reverse(route, args=[corpus.slug])).content.decode()


def test_the_bias_report_is_weighted_too(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    _pages, weights = half_done(corpus, cast, make_page)
    (arm,) = bias.request_report(corpus=corpus).figures["arms"]
    assert arm["seconds"]["value"] == pytest.approx((100 * weights[0] + 200 * weights[1]) / sum(weights))
    assert arm["seconds"]["effective"] == pytest.approx(sum(weights) ** 2 / sum(w * w for w in weights))


# ---- what is left out ----


@pytest.mark.usefixtures("at_noon")
def test_every_figure_lists_excluded_pages(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    arm = Extractor.objects.get(name="tree-filter")
    for shown, marked in ((False, True), (False, False), (True, True)):
        page = make_page(extracted=True)
        Slot.objects.filter(round__page=page).update(arm=None)
        if shown:
            Slot.objects.filter(round__page=page, number=1).update(arm=arm)
        annotate(page, cast.ada, marks_of(page) if marked else [])
        annotate(page, cast.ben, marks_of(page) if marked else [])
        compare_annotations(page)
    found = actions.request_report(corpus=corpus, selection=ReportSelection()).figures
    few = {"fewer than two were shown nothing": 1}
    unmarked = {"nobody marked it": 1}
    assert found["pairs"][BLIND]["observed"]["excluded"] == few
    assert found["pairs"][BLIND]["f1"]["excluded"] == few | unmarked
    assert found["pairs"][SHOWN]["f1"]["excluded"] == {"nobody was shown anything": 2}
    assert found["pairs"][ALL]["f1"]["excluded"] == unmarked
    assert found["language"][0][1]["observed"]["excluded"] == few
    assert found["pair"][0][1]["f1"]["excluded"] == few | unmarked
    assert {value: each["observed"]["excluded"] for value, each in found["arm"]} == {
        "nothing": {},
        str(arm.pk): {},
    }
    text = rhea.get(reverse("agreement", args=[corpus.slug]), {"measure": "f1"}).content.decode()
    basis = " ".join(text.split()).count(
        "1 with fewer than two annotators without suggestion, 1 not marked by anyone</td>"
    )
    # All labels and sets but those that nobody gave, characters, the pair, the week, language and guideline.
    assert basis >= 6
