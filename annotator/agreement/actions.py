"""Comparing the submitted annotations of a round, and working out the figures of many."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import TypeVar

from django.db import transaction

from annotator.agreement import counting, figures, queries
from annotator.agreement.choice import Choice
from annotator.agreement.counting import spans_of as spans_of
from annotator.agreement.counting import verdict_of
from annotator.agreement.models import Agreement, KeptReport, Report, Tally
from annotator.annotations.models import Round
from annotator.annotations.queries import complete_rounds, submissions
from annotator.common import work
from annotator.corpora.models import Corpus
from extraction.agreement.character import cohen_kappa, confusion, f1
from extraction.characters import added

# So many pages are worked out while the reader waits; more are a job with progress.
AT_ONCE = 200

Kept = TypeVar("Kept", bound=KeptReport)


def request_comparison(*, round_: Round) -> Agreement | None:
    """The row of the comparison, if it is still to be made; made when the last slot is submitted.

    What is handed in again makes another edition of the round, with a comparison of its own.
    """
    complete = complete_rounds().filter(pk=round_.pk).exists()
    if not complete:
        return None
    row, _ = Agreement.objects.get_or_create(round=round_, edition=round_.edition)
    return row if row.finished_at is None else None


@transaction.atomic
def compare(agreement: Agreement) -> bool:
    """Work out a claimed comparison: the confusion of every pair of annotators, its figures, the tally."""
    submitted = submissions(agreement.round)
    text = submitted[0].document.text
    pairs = [confusion(spans_of(one), spans_of(other), text) for one, other in combinations(submitted, 2)]
    matrix = added(pairs)
    won = work.finish(
        agreement,
        confusion=matrix,
        kappa=cohen_kappa(matrix) if pairs else None,
        f1=f1(matrix) if pairs else None,
        same_verdict=len({verdict_of(annotation) for annotation in submitted}) == 1 if pairs else None,
    )
    if won and pairs:
        Tally.objects.create(agreement=agreement, **counting.tally_of(submitted))
    return won


def tally(*, agreement: Agreement) -> None:
    """Count a comparison made before there were tallies; whoever comes second finds it done."""
    counted = counting.tally_of(submissions(agreement.round))
    Tally.objects.get_or_create(agreement=agreement, defaults=counted)


# ---- the figures of a corpus ----


def request_report(*, corpus: Corpus, choice: Choice) -> Report:
    """The report of the corpus as it stands: finished if it is small, else perhaps still to be made."""
    state = queries.state_of(corpus)
    report, _ = Report.objects.get_or_create(
        corpus=corpus, choice=choice.key, version=state.version, defaults={"pages": state.pages}
    )
    write_if_small(report, write_report)
    return report


def write_if_small(row: Kept, write: Callable[[Kept], bool]) -> None:
    """Work out a report while its reader waits, if it is of few pages and nobody works on it."""
    if row.finished_at is None and row.pages <= AT_ONCE:
        claimed = work.claim(type(row), row.pk)
        if claimed:
            work.attempt(claimed, write)
            row.refresh_from_db()


def write_report(report: Report) -> bool:
    """Work out a claimed report, and let those of earlier states go."""
    records = []
    for record in queries.records(report.corpus):
        records.append(record)
        if len(records) % AT_ONCE == 0:
            Report.objects.filter(pk=report.pk).update(done=len(records))
            if not work.beat(report):
                return False
    labels = queries.label_names(report.corpus)
    made = figures.report(records, Choice.of_key(report.choice), labels, partial(work.beat, report))
    pages = sum(not record.later for record in records)
    written = work.finish(report, figures=made, pages=pages, done=pages)
    if written:
        older = Report.objects.filter(corpus=report.corpus, choice=report.choice, pk__lt=report.pk)
        older.delete()
    return written
