"""Writes about scores: every extraction of a document against its current gold."""

from collections.abc import Callable, Collection

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.runs.models import Extraction
from annotator.scoring.measuring import LabelSets, MeasuredScore, MeasuredText, measure
from annotator.scoring.models import (
    Counting,
    LeaderboardVersion,
    Measurement,
    PageToCount,
    Score,
    TotalsCheck,
)
from annotator.scoring.totals import checking, counting
from extraction.metrics.character_labels import confusion
from extraction.spans import Span


def request_scores(pairs: list[tuple[int, int]]) -> list[Score]:
    """Create the missing scores of these (gold, extraction) pairs; return those that are not computed yet."""
    Score.objects.bulk_create(
        [Score(gold_id=gold, extraction_id=extraction) for gold, extraction in pairs], ignore_conflicts=True
    )
    golds = {gold for gold, _extraction in pairs}
    wanted = set(pairs)
    rows = Score.objects.filter(gold__in=golds).open()
    return [row for row in rows if (row.gold_id, row.extraction_id) in wanted]


def score(row: Score, label_sets: Callable[[Corpus], LabelSets] = label_sets_of) -> bool:
    """Compute a claimed score; False when another worker took it over. A failed extraction counts as empty.

    A metric that fails is recorded in the measurement, and does not affect the matrix.
    """
    extraction = row.extraction
    gold, predicted = compared_spans(row)
    measured = _measured(row, gold, predicted, label_sets(row.gold.page.corpus))
    with transaction.atomic():
        won = work.finish(
            row,
            matrix=confusion(gold, predicted, row.gold.document.text),
            blind=extraction.extractor.family not in row.gold.exposed_families,
        )
        if won:
            Measurement.objects.create(
                score=row, figures=measured.figures, error=measured.error[:2000], finished_at=timezone.now()
            )
    return won


def measure_again(row: Measurement, label_sets: Callable[[Corpus], LabelSets]) -> bool:
    """Compute the metrics of a finished score again, after one of them failed or the labels changed."""
    measured = _measured(row.score, *compared_spans(row.score), label_sets(row.score.gold.page.corpus))
    write = work.fail if measured.error else work.finish
    error = {"error": measured.error} if measured.error else {}
    return write(row, figures=measured.figures, **error)


def compared_spans(row: Score) -> tuple[list[Span], list[Span]]:
    """Return the gold spans and the predicted ones; a failed extraction has none."""
    return row.gold.marks, [] if row.extraction.error else [Span(*span) for span in row.extraction.spans]


def _measured(row: Score, gold: list[Span], predicted: list[Span], sets: LabelSets) -> MeasuredScore:
    return measure(
        MeasuredText.of(row.gold.document),
        gold,
        predicted,
        sets=sets,
        distinguishable_labels=row.gold.distinguishable_labels,
        failed=bool(row.extraction.error),
    )


# ---- totals ----


def request_counting(corpus_id: int) -> tuple[Counting, bool]:
    """Ask for the totals of the corpus to be brought up to date; whether nobody has asked already."""
    row, is_new = Counting.objects.get_or_create(corpus_id=corpus_id)
    return row, is_new or work.reopen(row)


def count_pages(row: Counting) -> bool:
    """Count, claimed, what is to be counted; False when another worker took it over.

    What comes meanwhile waits for the next time: counted by itself, a page costs as much as fifty together.
    """
    while counting.count_some(row.corpus) == counting.PAGES_AT_ONCE:
        if not work.send_heartbeat(row):
            return False
    return work.finish(row)


def touch_leaderboard(corpus_id: int) -> None:
    """Let leaderboards be made again though no total has changed."""
    versions = LeaderboardVersion.objects
    versions.bulk_create([LeaderboardVersion(corpus_id=corpus_id)], ignore_conflicts=True)
    versions.filter(corpus=corpus_id).update(number=F("number") + 1)


def count_all_again(corpus_id: int) -> None:
    """Note every page of the corpus, after a change of what its label sets mean."""
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into annotator_pagetocount (page, corpus)"
            " select page, corpus from annotator_countedpage where corpus = %s",
            [corpus_id],
        )


def request_check(corpus_id: int) -> TotalsCheck | None:
    """Ask for a check of the totals; None if it is under way."""
    row, is_new = TotalsCheck.objects.get_or_create(corpus_id=corpus_id)
    return row if is_new or work.reopen(row) else None


def check_totals(row: TotalsCheck) -> bool:
    """Check a sample of the totals, claimed: a wrong one is a failure; False: another worker took it over."""
    found = checking.compare_sample(row.corpus)
    if not found.differences:
        return work.finish(row, compared=found.compared)
    what = "; ".join(found.differences)
    error = f"wrong totals, which “leaderboard {row.corpus.slug} --rebuild” makes again: {what}"
    return work.fail(row, error=error, compared=found.compared)


def rebuild(corpus: Corpus) -> int:
    """Make the totals of the corpus from nothing; how many pages they have."""
    with transaction.atomic():
        counting.lock(corpus)
        counting.forget(corpus)
        golds = Gold.objects.filter(page__corpus=corpus, current=True)
        pages = golds.order_by("-page").values_list("page", flat=True)
        PageToCount.objects.bulk_create(
            (PageToCount(page=page, corpus=corpus.pk) for page in pages.iterator()), batch_size=2_000
        )
    counted = 0
    while some := counting.count_some(corpus):
        counted += some
    return counted


def pairs_of_gold(gold: Gold) -> list[tuple[int, int]]:
    """Return (gold, extraction) for every finished extraction of its document, if the gold is current."""
    if not gold.current:
        return []
    done = Extraction.objects.filter(document=gold.document_id, finished_at__isnull=False)
    return [(gold.pk, pk) for pk in done.values_list("pk", flat=True)]


def pairs_of_extractions(keys: Collection[int]) -> list[tuple[int, int]]:
    """Return (gold, extraction) for the current gold of the documents of those that are finished."""
    done = Extraction.objects.filter(pk__in=keys, finished_at__isnull=False, document__gold__current=True)
    return list(done.values_list("document__gold", "pk"))
