"""The jobs of a corpus as a CSV file."""

import csv
from collections.abc import Iterator

from annotator.administration.jobs import queries
from annotator.common.csv_files import Echo, safe_cell
from annotator.corpora.models import Corpus

HEADER = ("kind", "job", "requested_by", "requested_at", "finished_at", "result", "done", "total", "error")
# Jobs of one kind, the newest ones.
MOST = 10_000


def csv_lines(corpus: Corpus) -> Iterator[str]:
    """One line for each job, open or past, the newest first."""
    writer = csv.writer(Echo())
    yield writer.writerow(HEADER)
    for job in queries.open_jobs(corpus, most=MOST) + queries.past_jobs(corpus, most=MOST):
        yield writer.writerow(map(safe_cell, _cells(job)))


def _cells(job: queries.Job) -> Iterator[str | int]:
    yield from (type(job.row).__name__, job.label, str(job.by or ""))
    yield job.row.requested_at.isoformat()
    yield job.row.finished_at.isoformat() if job.row.finished_at else ""
    yield job.state
    yield "" if job.done is None else job.done
    yield "" if job.total is None else job.total
    yield job.row.error
