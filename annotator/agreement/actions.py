"""Comparing the submitted annotations of a round, and writing the reports of a corpus."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist

from annotator.agreement import comparison, figures, queries
from annotator.agreement.models import Agreement, AgreementReport, CachedReport
from annotator.agreement.selection import ReportSelection
from annotator.annotations.models import Round
from annotator.annotations.queries import complete_rounds, submissions
from annotator.common import work
from annotator.corpora.models import Corpus

# A report of so many pages is written in the request; a larger one by a worker, with progress.
AT_ONCE = 200

ReportT = TypeVar("ReportT", bound=CachedReport)


def request_comparison(*, round_: Round) -> Agreement | None:
    """The open comparison of a round's current edition; None while slots are open, or once it is finished.

    Resubmitting an annotation makes another edition of the round, with a comparison of its own.
    """
    if not complete_rounds().filter(pk=round_.pk).exists():
        return None
    row, _ = Agreement.objects.get_or_create(round=round_, edition=round_.edition)
    return row if row.finished_at is None else None


def compare(agreement: Agreement) -> bool:
    """Compare the annotations of a claimed comparison; False if another worker was faster."""
    return work.finish(agreement, **comparison.compared(submissions(agreement.round)))


# ---- reports ----


def request_report(*, corpus: Corpus, selection: ReportSelection) -> AgreementReport:
    """The report of the corpus's current state; a small one is written at once."""
    report, _ = AgreementReport.objects.get_or_create(
        corpus=corpus, selection=selection.key, version=queries.state_of(corpus), defaults=new_report(corpus)
    )
    is_written = write_if_small(report, write_report)
    return report if is_written else request_report(corpus=corpus, selection=selection)


def write_if_small(row: ReportT, write: Callable[[ReportT], bool]) -> bool:
    """Write a report of at most AT_ONCE pages in the request, unless a worker has it.

    False where the report of a later state was written first, and has replaced it.
    """
    if row.finished_at is None and row.pages <= AT_ONCE:
        claimed = work.claim(type(row), row.pk)
        if claimed:
            work.attempt(claimed, write)
            try:
                row.refresh_from_db()
            except ObjectDoesNotExist:
                return False
    return True


def new_report(corpus: Corpus) -> dict[str, Any]:
    """The fields of a new report. Its pages are only counted as far as decides on who writes it."""
    return {"pages": partial(queries.compared_up_to, corpus, AT_ONCE + 1)}


def count_pages(row: CachedReport, corpus: Corpus) -> None:
    """Say of how many pages a report is that a worker begins."""
    if row.pages > AT_ONCE:
        type(row).objects.filter(pk=row.pk).update(pages=queries.finished(corpus).count())


def write_report(report: AgreementReport) -> bool:
    """Write a claimed report and delete those of earlier states; False if the claim was lost."""
    count_pages(report, report.corpus)
    records = []
    for record in queries.compared_pages(report.corpus):
        records.append(record)
        if len(records) % AT_ONCE == 0 and not work.send_heartbeat(report, done=len(records)):
            return False
    labels = queries.label_names(report.corpus)
    made = figures.report(
        records, ReportSelection.from_key(report.selection), labels, partial(work.send_heartbeat, report)
    )
    pages = sum(not record.later for record in records)
    written = work.finish(report, figures=made, pages=pages, done=pages)
    if written:
        older = AgreementReport.objects.filter(
            corpus=report.corpus, selection=report.selection, pk__lt=report.pk
        )
        older.delete()
    return written
