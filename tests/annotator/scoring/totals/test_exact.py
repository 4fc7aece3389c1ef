"""Every figure of boards of real pages, beside a computation that shares no code.

The short form has some pages of two published corpora and eight extractors, the long one all pages and more.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from types import SimpleNamespace

import pytest

from annotator.annotations import actions as annotating
from annotator.common import storage, work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from annotator.runs.actions import enable, register
from annotator.scoring import measuring
from annotator.scoring.leaderboard import boards, people
from annotator.scoring.leaderboard.ranking import ALL, BLIND, COMMON, MACRO, MICRO, OWN, Ranking
from annotator.scoring.models import Analysis
from annotator.scoring.totals.counting import count_some
from annotator.scoring.totals.queries import slices_of
from annotator.scoring.totals.slices import ALL_PAGES, Selection
from extraction.documents.document import Document
from extraction.extractors import REGISTRY, extractor
from extraction.extractors.everything import everything
from extraction.formats import GoldError, PageRecord, place
from extraction.sandbox import Parser
from extraction.spans import LABELS, Span
from tests import corpora
from tests.annotator.scored import compare_annotations, score_all
from tests.annotator.scoring.totals import independent, independent_metrics
from tests.annotator.scoring.totals.comparing import BoardCheck, Compared, LargeBoardCheck
from tests.factories import annotate, change_design, extract_all

pytestmark = pytest.mark.django_db

# Beside those that are enabled by default, one that is tuned on a page, and one of our own.
EXTRACTORS = ("bte", "fitful")
MORE_EXTRACTORS = ("boilerpipe-largest", "boilerpipe-canola", "boilerpipe-num-words", "mss", "cetd")
METRICS = ("character", "char-lcs", "block", "shingle", "words", "cleaneval", "rouge")
CHOICES = ((ALL, MACRO, OWN), (BLIND, MICRO, OWN), (ALL, MICRO, COMMON), (BLIND, MACRO, COMMON))
FEW_PAGES = (18, 48)
# Where some of these are too long for metrics that align texts.
FEW_CHARACTERS = 40_000
# The page on which an extractor was tuned.
TUNED_ON = 5
# Pages are annotated by two people, as many as an interval needs and some more.
ANNOTATED = 32
# Pages become gold over some days.
FIRST_DAY, DAYS = datetime(2026, 3, 1, 12, tzinfo=UTC), 5


@pytest.fixture(autouse=True)
def days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page becomes gold later than the one before."""
    numbers = count()

    def next_time() -> datetime:
        number = next(numbers)
        return FIRST_DAY + timedelta(days=number % DAYS, seconds=number)

    monkeypatch.setattr(Gold._meta.get_field("finalised_at"), "_get_default", next_time)


@pytest.fixture(autouse=True)
def fitful() -> Iterator[None]:
    """On one page it finds nothing, on another it fails, as others hardly ever do.

    With it most extractors are of a family that somebody was shown, and so are those on fewer pages.
    """

    @extractor("fitful", version=1, family="boilerpipe")
    def found(document: Document) -> list[Span]:
        chance = len(document.text) % 6
        if chance == 1:
            raise ValueError("of all pages, not on this one")
        return everything(document) if chance else []

    yield
    del REGISTRY["fitful"]


# ---- pages ----


def add(corpus: Corpus, number: int, record: PageRecord, parser: Parser, cast: SimpleNamespace) -> None:
    """The page with its gold, extracted and scored; of some gold, somebody saw a suggestion.

    Two people annotate the first pages: their gold tells all labels.
    """
    url = record.url or f"https://site{number % 4}.example/"
    page = add_page(corpus=corpus, raw=record.raw, url=url, charset=record.charset).page
    claimed = work.claim(Page, page.pk)
    document = build_document(claimed, parser) if claimed else page.document
    assert document
    Page.objects.filter(pk=page.pk).update(language=("en", "es", "de")[number % 3])
    if number == TUNED_ON:
        register("bte").tuned_on_pages.create(sha256=page.sha256)
    extract_all(page)
    assert record.gold
    try:
        placed = place(record.gold, Document.unpack(storage.get(document.packed_sha256)))
    except GoldError:
        return
    spans, labels = list(placed.spans), record.gold.labels
    if number % 2 == 0 and number < 2 * ANNOTATED:
        spans, labels = labelled(spans), frozenset(LABELS)
        page.refresh_from_db()
        annotate_twice(page, spans, cast)
    gold = add_gold(
        document=document,
        verdict=("article", "several")[number % 5 == 4],
        spans=[(*span, "imported") for span in spans],
        source="imported",
        distinguishable_labels=labels,
        exposed_families=[["boilerpipe"], [], []][number % 3],
        characters=placed.total,
        placed=placed.placed,
    )
    score_all(gold)


def labelled(spans: list[Span]) -> list[Span]:
    """The spans under one label after the other."""
    names = ("headline", "body", "body", "supplemental", "body", "comments", "body", "related")
    return [Span(start, end, names[n % len(names)]) for n, (start, end, _label) in enumerate(spans)]


def annotate_twice(page: Page, spans: list[Span], cast: SimpleNamespace) -> None:
    """Ada marks what is to be gold, ben leaves out some of it and takes some for body."""
    annotating.open_round(page=page)
    annotate(page, cast.ada, spans)
    bens = [
        span if n % 3 else Span(span.start, span.end, "body") for n, span in enumerate(spans) if n % 4 != 3
    ]
    annotate(page, cast.ben, bens)
    compare_annotations(page)


def make(
    corpus: Corpus, parser: Parser, cast: SimpleNamespace, records: list[PageRecord], more: Sequence[str]
) -> list[independent.Cell]:
    """The counted pages, and all that was computed once more of them."""
    change_design(corpus, blind_share=1.0)
    for name in (*EXTRACTORS, *more):
        enable(corpus=corpus, name=name)
    for number, record in enumerate(records):
        add(corpus, number, record, parser, cast)
    while count_some(corpus):
        pass
    return independent.cells(corpus, independent.measured_figures)


# ---- boards ----


def checks(corpus: Corpus, cells: list[independent.Cell], choices: int) -> Iterator[BoardCheck]:
    """All metrics and label sets on all pages by some choices, and by one on each of six slices.

    The last of these is two slices combined.
    """
    largest = [rows[0][0] for rows in slices_of(corpus, most=1).values() if rows]
    assert len(largest) > 4
    selections = [ALL_PAGES] * choices + [Selection.of(each) for each in zip(largest)]
    selections = [*selections[: choices + 5], Selection.of(largest[::3])]
    known = sorted({cell for each in cells for cell in each.figures})
    numbers = count()
    for metric, labels in known:
        for selection in selections:
            gold, mean, page_set = CHOICES[next(numbers) % len(CHOICES)]
            yield BoardCheck(corpus, cells, metric, labels, selection, Ranking(metric, gold, mean, page_set))


def compare_large_boards(
    corpus: Corpus, cells: list[independent.Cell], monkeypatch: pytest.MonkeyPatch, into: Compared
) -> None:
    """As if there were too many pages to resample."""
    monkeypatch.setattr(boards, "MOST_RESAMPLED", LargeBoardCheck.SAMPLE)
    for metric in METRICS:
        for gold, mean, page_set in CHOICES[:2]:
            choice = Ranking(metric, gold, mean, page_set)
            LargeBoardCheck(corpus, cells, metric, "main", ALL_PAGES, choice).compare(into)


def compare_people(corpus: Corpus, into: Compared) -> None:
    """Human agreement by every metric: the later slot on the earlier one."""
    result = people.human_agreement(corpus, {}, lambda done, total: True)
    Analysis.objects.create(corpus=corpus, name="people", filters="", result=result)
    pairs = independent.people(corpus)
    for metric in METRICS:
        for labels in ("main", "article", "any", "body"):
            counts = [pair[metric, labels] for pair in pairs if (metric, labels) in pair]
            for mean in (MACRO, MICRO):
                found = people.people_of(corpus, labels=labels, metric=metric, mean=mean).agreement
                assert found
                into.add(
                    ("people", metric, labels, mean),
                    {
                        name: getattr(found, name)
                        for name in ("n", "precision", "recall", "value", "low", "high")
                    },
                    independent.ceiling(counts, metric, pooled=mean == MICRO),
                )


def run(
    corpus: Corpus,
    parser: Parser,
    cast: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    records: list[PageRecord],
    choices: int,
    more: Sequence[str] = (),
) -> Compared:
    cells = make(corpus, parser, cast, records, more)
    compared = Compared()
    for check in checks(corpus, cells, choices):
        check.compare(compared)
    compare_people(corpus, compared)
    compare_large_boards(corpus, cells, monkeypatch, compared)
    pages, extractors = ({cell[place] for cell in cells} for place in (0, 1))
    tuned = {cell.page for cell in cells if cell.tuned_on and cell.extractor == register("bte").pk}
    assert 0 < len(tuned) < len(pages) / 2
    print(
        f"{compared.figures} figures on {len(pages)} pages by {len(extractors)} extractors, "
        f"{len(compared.differences)} differ"
    )
    return compared


def test_boards_of_real_pages_are_right(
    corpus: Corpus, parser: Parser, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "MAX_CHARACTERS", FEW_CHARACTERS)
    monkeypatch.setattr(independent_metrics, "MOST_ALIGNED", FEW_CHARACTERS)
    compared = run(corpus, parser, cast, monkeypatch, corpora.records_with_gold(*FEW_PAGES), choices=1)
    assert not compared.differences, "\n".join(compared.differences[:20])
    assert compared.figures > 50_000


@pytest.mark.long
def test_boards_of_all_real_pages_are_right(
    corpus: Corpus, parser: Parser, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = run(corpus, parser, cast, monkeypatch, corpora.records_with_gold(), 4, MORE_EXTRACTORS)
    assert not compared.differences, "\n".join(compared.differences[:20])
    assert compared.figures > 50_000
