"""Parser versions of current documents, outdated pages, pages in work, and the progress of a run."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypedDict

from django.db.models import Count, Q, QuerySet, Sum

from annotator.annotations.models import TO_GOLD, Annotation, Round, Slot
from annotator.common.work_kinds import IS_DONE, IS_FAILED
from annotator.corpora.models import Corpus
from annotator.gold.queries import open_adjudications
from annotator.pages.models import Page, StoredDocument
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.reparsing.projection import LOST, SAME


class ParserVersion(TypedDict):
    version: str
    pages: int


def versions(corpus: Corpus) -> list[ParserVersion]:
    """Parser versions of the current documents with their numbers of pages, most first."""
    current = StoredDocument.objects.filter(current_of__corpus=corpus, current_of__takedown=None)
    return list(current.values("version").annotate(pages=Count("pk")).order_by("-pages", "version"))


def outdated_pages(corpus: Corpus, version: str) -> QuerySet[Page]:
    """Pages whose document was made by another parser version."""
    parsed = Page.objects.filter(corpus=corpus, document__isnull=False, takedown=None)
    return parsed.exclude(document__version=version)


def last_run(corpus: Corpus, version: str) -> Reparse | None:
    """The re-parse with this parser version; without one, the last that was started."""
    runs = Reparse.objects.filter(corpus=corpus)
    return runs.filter(version=version).first() or runs.first()


def is_in_work(page: Page) -> bool:
    """Whether the page is claimed, has unfinalised marks or an open adjudication: its document must stay."""
    unfinalised = Round.objects.filter(page=page, finalised_at=None)
    held = Slot.objects.filter(round__in=unfinalised, annotator__isnull=False, submitted_at=None)
    marked = Annotation.objects.filter(slot__round__in=unfinalised.filter(purpose__in=TO_GOLD))
    return held.exists() or marked.exists() or open_adjudications().filter(round__page=page).exists()


def is_active(pk: int) -> bool:
    """Whether the job's run was not stopped."""
    return ReparseJob.objects.filter(pk=pk, run__stopped_at=None).exists()


def open_jobs(run: Reparse) -> QuerySet[ReparseJob]:
    return ReparseJob.objects.filter(run=run, finished_at=None)


def progress_of(run: Reparse) -> dict[str, int]:
    """Numbers of pages by state, and of intervals and characters of gold by outcome."""
    waits = Q(finished_at=None, waiting_since__isnull=False)
    return run.jobs.aggregate(
        pages=Count("pk"),
        left=Count("pk", filter=Q(finished_at=None)),
        done=Count("pk", filter=IS_DONE),
        failed=Count("pk", filter=IS_FAILED),
        waiting=Count("pk", filter=waits),
        with_gold=Count("gold"),
        lossless=Count("gold", filter=Q(lost_intervals=0)),
        in_adjudication=Count("adjudication"),
        same=Sum("same_intervals", default=0),
        changed=Sum("changed_intervals", default=0),
        lost=Sum("lost_intervals", default=0),
        lost_characters=Sum("lost_characters", default=0),
    )


def worst_first(run: Reparse) -> QuerySet[ReparseJob]:
    """Jobs by result: failures, then where most was lost or changed; waiting ones last."""
    jobs = run.jobs.select_related("page", "gold", "document_before", "document", "adjudication")
    tried = jobs.filter(Q(finished_at__isnull=False) | Q(waiting_since__isnull=False))
    return tried.annotate(failed=IS_FAILED).order_by(
        "-failed", "-lost_characters", "-lost_intervals", "-changed_intervals", "waiting_since", "id"
    )


# Characters quoted from each end of a long interval.
QUOTED = 160


@dataclass(frozen=True, slots=True)
class IntervalReport:
    """One interval of the earlier gold; `pieces` are (text, whether it was lost) of the old text."""

    label: str
    source: str
    outcome: str
    characters: int
    start: int
    went_to: list[tuple[int, int]]
    pieces: list[tuple[str, bool]]
    now: str


def rows_of(job: ReparseJob) -> list[IntervalReport]:
    """Worst first; empty texts where the page was taken down."""
    rank = {LOST: 0, SAME: 2}
    rows = sorted(
        job.intervals, key=lambda row: (rank.get(row["outcome"], 1), -row["characters"], row["start"])
    )
    return [_interval_report(job, row) for row in rows]


def _interval_report(job: ReparseJob, row: dict[str, Any]) -> IntervalReport:
    old, new = job.document_before.text, job.document.text if job.document else ""
    pieces = list(_pieces(old, row["start"], row["end"], row["missing"]))
    now = " … ".join(new[start:end] for start, end in row["pieces"])
    return IntervalReport(
        label=row["label"],
        source=row["source"],
        outcome=row["outcome"],
        characters=row["characters"],
        start=row["start"],
        went_to=[tuple(piece) for piece in row["pieces"]],
        pieces=[(text if lost else shortened(text), lost) for text, lost in pieces],
        now=shortened(now),
    )


def _pieces(text: str, start: int, end: int, missing: list[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The interval's text, cut at what is missing of it."""
    at = start
    for low, high in sorted(missing):
        if at < low:
            yield text[at:low], False
        yield text[max(at, low) : high], True
        at = max(at, high)
    if at < end:
        yield text[at:end], False


def shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 2 * QUOTED else f"{text[:QUOTED]} … {text[-QUOTED:]}"
