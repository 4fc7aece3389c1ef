"""The report of one page: its marked text before and after, and which words were lost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotator.reparsing.models import ReparseJob
from annotator.reparsing.projection import LOST, SAME

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
        pieces=[(shortened(text), lost) if not lost else (text, lost) for text, lost in pieces],
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
