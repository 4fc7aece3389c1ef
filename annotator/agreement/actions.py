"""Comparing the submitted annotations of a round."""

from itertools import combinations

from annotator.agreement.models import Agreement
from annotator.annotations import queries
from annotator.annotations.actions import handed_in
from annotator.annotations.models import WITH_SPANS, Annotation, Round
from annotator.common import work
from extraction.agreement.character import cohen_kappa, confusion, f1
from extraction.characters import added
from extraction.spans import Span


def request_comparison(*, round_: Round) -> Agreement | None:
    """The row of the comparison, if it is still to be made; made when the last slot is submitted.

    What is handed in again makes another edition of the round, with a comparison of its own.
    """
    complete = queries.complete_rounds().filter(pk=round_.pk).exists()
    if not complete:
        return None
    row, _ = Agreement.objects.get_or_create(round=round_, edition=round_.edition)
    return row if row.finished_at is None else None


def spans_of(annotation: Annotation) -> list[Span]:
    """The spans as submitted; none under a verdict that says that there is no article."""
    revision = handed_in(annotation)
    if revision is None or revision.verdict not in WITH_SPANS:
        return []
    return [Span(*span) for span in revision.spans]


def compare(agreement: Agreement) -> bool:
    """Work out a claimed comparison: the confusion of every pair of annotators, summed, and its figures."""
    submitted = queries.submissions(agreement.round)
    text = submitted[0].document.text
    pairs = [confusion(spans_of(one), spans_of(other), text) for one, other in combinations(submitted, 2)]
    matrix = added(pairs)
    return work.finish(
        agreement,
        confusion=matrix,
        kappa=cohen_kappa(matrix) if pairs else None,
        f1=f1(matrix) if pairs else None,
        same_verdict=len({_verdict(annotation) for annotation in submitted}) == 1 if pairs else None,
    )


def _verdict(annotation: Annotation) -> str:
    revision = handed_in(annotation)
    return revision.verdict if revision else ""
