"""Scores: each current gold against every extraction of its document."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.runs.models import Extraction
from annotator.scoring.measuring import Measured, Paper, measure
from annotator.scoring.models import Measurement, Score
from extraction import extractors
from extraction.metrics.character import matrix
from extraction.spans import Span
from extraction.text import Block


def request_scores(cells: list[tuple[int, int]]) -> list[Score]:
    """A row for each (gold, extraction) that has none; those of these that are still open."""
    Score.objects.bulk_create(
        [Score(gold_id=gold, extraction_id=extraction) for gold, extraction in cells], ignore_conflicts=True
    )
    golds = {gold for gold, _extraction in cells}
    wanted = set(cells)
    rows = Score.objects.filter(gold__in=golds).open()
    return [row for row in rows if (row.gold_id, row.extraction_id) in wanted]


def score(row: Score) -> bool:
    """Work out a claimed score, and let open boards know. A failed extraction scores as an empty one.

    What goes wrong with the metrics beside the matrix is recorded as theirs: the matrix stands.
    """
    extraction = row.extraction
    gold, predicted = _spans(row)
    measured = _measured(row, gold, predicted)
    with transaction.atomic():
        won = work.finish(
            row,
            matrix=matrix(gold, predicted, row.gold.document.text),
            blind=extraction.extractor.family not in row.gold.saw,
            tuned_on=was_tuned_on(extraction, row.gold.page),
        )
        if won:
            Measurement.objects.create(
                score=row, figures=measured.figures, error=measured.error[:2000], finished_at=timezone.now()
            )
            touch_board(row.gold.page.corpus_id)
    return won


def request_measurements(scores: list[int]) -> list[Measurement]:
    """A row for each of these scores, made before the other metrics were kept; those that are still open."""
    rows = [Measurement(score_id=pk) for pk in scores]
    Measurement.objects.bulk_create(rows, ignore_conflicts=True)
    return list(Measurement.objects.filter(score__in=scores).open())


def measure_again(row: Measurement) -> bool:
    """Work out the other metrics of a finished score, and let open boards know."""
    measured = _measured(row.score, *_spans(row.score))
    write = work.fail if measured.error else work.finish
    said = {"error": measured.error} if measured.error else {}
    with transaction.atomic():
        won = write(row, figures=measured.figures, **said)
        if won:
            touch_board(row.score.gold.page.corpus_id)
    return won


def _spans(row: Score) -> tuple[list[Span], list[Span]]:
    """Gold's, and the extractor's: none of a failed one."""
    gold = [Span(start, end, label) for start, end, label, _source in row.gold.spans]
    return gold, [] if row.extraction.error else [Span(*span) for span in row.extraction.spans]


def _measured(row: Score, gold: list[Span], predicted: list[Span]) -> Measured:
    document = row.gold.document
    paper = Paper(document.text, [Block(start, end) for start, end in document.blocks])
    return measure(paper, gold, predicted, tells=row.gold.tells, failed=bool(row.extraction.error))


def was_tuned_on(extraction: Extraction, page: Page) -> bool:
    """The extractor's makers used this page, a near duplicate of it or a page of its site (law 10)."""
    try:
        spec = extractors.get(extraction.extractor.name)
    except extractors.ExtractorError:  # a plugin that is gone; nobody can say any more
        return False
    if not spec.tuned_on:
        return False
    kin = Page.objects.filter(corpus=page.corpus_id, sha256__in=spec.tuned_on)
    alike = kin.filter(cluster=page.cluster_id) | kin.exclude(site="").filter(site=page.site)
    return page.sha256 in spec.tuned_on or alike.exists()


def touch_board(corpus_id: int) -> None:
    Corpus.objects.filter(pk=corpus_id).update(board_version=F("board_version") + 1)


def cells_of_gold(gold: Gold) -> list[tuple[int, int]]:
    """The gold with every finished extraction of its document, if it is the current one."""
    if not gold.current:
        return []
    done = Extraction.objects.filter(document=gold.document_id, finished_at__isnull=False)
    return [(gold.pk, pk) for pk in done.values_list("pk", flat=True)]


def cells_of_extraction(extraction: Extraction) -> list[tuple[int, int]]:
    """The extraction with the current gold of its document."""
    golds = Gold.objects.filter(document=extraction.document_id, current=True)
    return [(pk, extraction.pk) for pk in golds.values_list("pk", flat=True)]
