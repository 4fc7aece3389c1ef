"""Suggestion bias: a planted bias is found, and what adjudication changed is counted."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.agreement.comparison import Overlap
from annotator.annotations.models import Slot
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.quality.bias import actions, queries, tasks
from annotator.quality.bias.figures import BiasFigures, Observation, bias_figures
from annotator.quality.bias.models import AdjudicationDelta
from annotator.quality.bias.views import axis_of
from annotator.runs.models import Extractor
from extraction.spans import Span
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate, label_block

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

ONE, OTHER = 1, 2
TITLES = {"1": "one", "2": "other"}


def said(
    page: int, shown: int | None, both: int, *, seconds: int = 60, changed: int | None = None
) -> Observation:
    """100 characters marked, 100 by either extractor; `both` in common with the first, 50 with the other."""
    return Observation(
        page,
        shown,
        seconds,
        {ONE: Overlap(both, 100, 100), OTHER: Overlap(50, 100, 100)},
        None if changed is None else (changed, 100),
    )


def planted(pages: int) -> list[Observation]:
    """On every page: one who saw the first extractor, one who saw the other; and pages where nobody did."""
    found = []
    for page in range(pages):
        slip = page % 5
        found += [said(page, ONE, 95 - slip, seconds=60 + slip), said(page, OTHER, 80 - 2 * slip, seconds=90)]
        found += [said(pages + page, None, 85 - 3 * slip, seconds=200 - slip) for _ in range(2)]
    return found


def test_a_planted_bias_is_found_with_its_interval() -> None:
    nothing, one, _other = bias_figures(planted(40), TITLES).arms
    assert (nothing.extractor, one.title, one.annotations) == (None, "one", 40)
    assert one.own.value == pytest.approx(0.93)
    assert one.blind.value == pytest.approx(0.79)
    assert one.bias.value == pytest.approx(0.14)
    assert 0 < one.bias.low < 0.14 < one.bias.high
    assert one.peer_bias.value == pytest.approx(0.93 - 0.76)
    assert one.other.value == pytest.approx(0.5)
    assert nothing.seconds.value == pytest.approx(198)
    assert nothing.seconds.low < 198 < nothing.seconds.high
    assert one.seconds.value == pytest.approx(62)


def test_intervals_are_withheld_below_thirty_pages() -> None:
    found = bias_figures(planted(29), TITLES).arms[1]
    assert (found.own.n, found.own.low, found.bias.low) == (29, None, None)
    assert found.bias.value is not None


def test_thirty_blind_pages_do_not_make_up_for_few_that_were_shown() -> None:
    found = planted(40)
    few = [each for each in found if each.shown != ONE or each.page < 10]
    one = bias_figures(few, TITLES).arms[1]
    assert (one.bias.n, one.bias.low) == (10, None)


def test_without_blind_annotations_there_is_no_bias() -> None:
    found = [each for each in planted(40) if each.shown is not None]
    arms = bias_figures(found, TITLES).arms
    assert [arm.extractor for arm in arms] == [ONE, OTHER]
    assert (arms[0].bias.value, arms[0].bias.withheld) == (None, "no page to compare")


def test_no_observations_make_an_empty_report() -> None:
    assert bias_figures([], TITLES).arms == []


# ---- from annotations to the screen ----


@pytest.fixture
def page(cast: SimpleNamespace, make_page: MakePage) -> Page:
    """Ada saw the tree filter and marks what is gold; ben saw nothing and marks a block fewer."""
    page = make_page(extracted=True)
    arm = Extractor.objects.get(name="tree-filter")
    Slot.objects.filter(round__page=page).update(arm=None)
    Slot.objects.filter(round__page=page, number=1).update(arm=arm)
    blocks = marks(page)
    annotate(page, cast.ada, blocks)
    annotate(page, cast.ben, blocks[1:])
    compare_annotations(page)
    return page


def marks(page: Page) -> list[Span]:
    return [label_block(block) for block in page.documents.get().blocks[-4:-1]]


def gold_of(page: Page, source: str = "adjudicated") -> Gold:
    spans = [(*span, source) for span in marks(page)]
    return add_gold(document=page.documents.get(), verdict="article", spans=spans, source=source)


def test_a_delta_is_computed_once(page: Page, cast: SimpleNamespace) -> None:
    gold = gold_of(page)
    (waiting,) = queries.main_round_gold().filter(delta=None)
    assert waiting == gold
    tasks.request_missing()
    change = AdjudicationDelta.objects.get()
    tasks.compare_with_gold(change.pk)
    tasks.compare_with_gold(change.pk)
    change.refresh_from_db()
    text = page.documents.get().text
    sizes = [sum(not each.isspace() for each in text[span.start : span.end]) for span in marks(page)]
    assert change.error == ""
    assert change.differences == {
        str(cast.ada.pk): [0, sum(sizes)],
        str(cast.ben.pk): [sizes[0], sum(sizes)],
    }


def test_a_label_that_gold_changed_counts(page: Page, cast: SimpleNamespace) -> None:
    spans = [(span.start, span.end, "comments", "adjudicated") for span in marks(page)]
    gold = add_gold(document=page.documents.get(), verdict="article", spans=spans, source="adjudicated")
    tasks.request_for_gold(gold.pk)
    tasks.compare_with_gold(AdjudicationDelta.objects.get().pk)
    differ, either = AdjudicationDelta.objects.get().differences[str(cast.ada.pk)]
    assert differ == either > 0


def test_gold_from_outside_is_held_against_nobody(page: Page) -> None:
    gold = gold_of(page, source="imported")
    assert actions.request_delta(gold=gold) is None
    assert not AdjudicationDelta.objects.exists()


def test_the_report_shows_it_and_names_nobody(
    page: Page, corpus: Corpus, cast: SimpleNamespace, client: Client
) -> None:
    gold_of(page)
    tasks.request_missing()
    tasks.compare_with_gold(AdjudicationDelta.objects.get().pk)
    nothing, shown = BiasFigures.from_json(actions.request_report(corpus=corpus).figures).arms
    assert (nothing.annotations, shown.annotations) == (1, 1)
    assert shown.title.startswith("tree-filter")
    assert (shown.changed.value, shown.changed.n) == (0.0, 1)
    assert nothing.changed.value > 0
    assert shown.bias.value == pytest.approx(shown.own.value - shown.blind.value)
    client.force_login(cast.rhea)
    screen = client.get(reverse("suggestion-bias", args=[corpus.slug])).content.decode()
    _head, text = screen.split("<main")  # digests of files in the head may spell a name
    answer = client.get(reverse("suggestion-bias-observations", args=[corpus.slug]))
    lines = answer.getvalue().decode()
    assert page.sha256 in lines
    for name in ("Ada", "Ben", "ada", "ben,"):
        assert name not in lines
        assert name not in text
    assert "style=" not in screen


def test_a_page_that_is_compared_while_the_file_is_begun_is_in_it(
    page: Page,
    corpus: Corpus,
    cast: SimpleNamespace,
    client: Client,
    make_page: MakePage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later = make_page(extracted=True)

    def compared_meanwhile(corpus: Corpus) -> dict[int, float]:
        for person in (cast.ada, cast.ben):
            annotate(later, person, marks(later))
        compare_annotations(later)
        return {}

    monkeypatch.setattr(queries, "page_weights", compared_meanwhile)
    client.force_login(cast.rhea)
    lines = client.get(reverse("suggestion-bias-observations", args=[corpus.slug])).getvalue().decode()
    assert page.sha256 in lines
    assert later.sha256 in lines


def test_the_report_asks_the_database_as_often_for_four_pages_as_for_one(
    corpus: Corpus, cast: SimpleNamespace, client: Client, make_page: MakePage
) -> None:
    client.force_login(cast.rhea)
    client.get(reverse("corpus", args=[corpus.slug]))  # whose the session is, is asked once
    asked = []
    for more in (1, 3):
        for _ in range(more):
            page = make_page()
            annotate(page, cast.ada, marks(page))
            annotate(page, cast.ben, marks(page)[1:])
            compare_annotations(page)
        with CaptureQueriesContext(connection) as queries_of:
            client.get(reverse("suggestion-bias", args=[corpus.slug]))
        asked.append(len(queries_of))
    assert asked[0] == asked[1]


@pytest.mark.parametrize(
    "values", [(0.02, -0.01, 0.05), (-0.6, -0.7, -0.5), (0.004, 0.001, 0.007), (0.3, None, None), ()]
)
def test_the_axis_fits_its_values(values: tuple[float | None, ...]) -> None:
    """All of them and 0 lie on it, none as an arrow at its edge, and they are not pressed together."""
    axis = axis_of(values)
    known = [*(value for value in values if value is not None), 0.0]
    assert all(axis.low <= value <= axis.high for value in known)
    assert axis.high - axis.low <= max(2.6 * (max(known) - min(known)), 0.04)
