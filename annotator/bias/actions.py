"""Holding gold against the annotations that it was settled from; what suggestions do, worked out."""

from annotator.agreement.actions import write_if_small
from annotator.agreement.counting import spans_of
from annotator.agreement.queries import extractors
from annotator.annotations.models import Purpose, Round
from annotator.annotations.queries import submissions
from annotator.bias import queries
from annotator.bias.figures import report
from annotator.bias.models import BiasReport, Change
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from extraction.agreement.character import confusion
from extraction.characters import Matrix
from extraction.spans import Span

# So many annotations are read between two signs of life.
STEP = 1000


def request_change(*, gold: Gold) -> Change | None:
    """The row for a gold that annotators made, if it is still to be worked out."""
    if not queries.settled_gold().filter(pk=gold.pk).exists():
        return None
    row, _ = Change.objects.get_or_create(gold=gold)
    return row if row.finished_at is None else None


def compare_with_gold(change: Change) -> bool:
    """Work out a claimed change, for the annotations of the document that the gold speaks of."""
    gold = change.gold
    settled = [Span(start, end, label) for start, end, label, *_source in gold.spans]
    main = Round.objects.get(page=gold.page_id, purpose=Purpose.MAIN)
    found = {
        str(annotation.annotator_id): differing(confusion(spans_of(annotation), settled, gold.document.text))
        for annotation in submissions(main)
        if annotation.document_id == gold.document_id
    }
    return work.finish(change, found=found)


def differing(matrix: Matrix) -> tuple[int, int]:
    """Characters that the two label differently, and those that either labels."""
    cells = [(row, column, count) for row, columns in matrix.items() for column, count in columns.items()]
    return (
        sum(count for row, column, count in cells if row != column),
        sum(count for row, column, count in cells if row or column),
    )


# ---- the report of a corpus ----


def request_report(*, corpus: Corpus) -> BiasReport:
    """The report of the corpus as it stands: finished if it is small, else perhaps still to be made."""
    state = queries.state(corpus)
    made, _ = BiasReport.objects.get_or_create(
        corpus=corpus, version=state.version, defaults={"pages": state.pages}
    )
    write_if_small(made, write_report)
    return made


def write_report(row: BiasReport) -> bool:
    """Work out a claimed report, and let those of earlier states go."""
    found, pages = [], set()
    for observation in queries.observations(row.corpus):
        found.append(observation)
        pages.add(observation.page)
        if len(found) % STEP == 0:
            BiasReport.objects.filter(pk=row.pk).update(done=len(pages))
            if not work.beat(row):
                return False
    made = report(found, extractors(row.corpus))
    written = work.finish(row, figures=made.to_json(), pages=made.pages, done=made.pages)
    if written:
        BiasReport.objects.filter(corpus=row.corpus, pk__lt=row.pk).delete()
    return written
