"""Holding gold against the annotations that it was settled from."""

from annotator.agreement.counting import spans_of
from annotator.annotations.models import Purpose, Round
from annotator.annotations.queries import submissions
from annotator.bias import queries
from annotator.bias.models import Change
from annotator.common import work
from annotator.gold.models import Gold
from extraction.agreement.character import confusion
from extraction.characters import Matrix
from extraction.spans import Span


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
