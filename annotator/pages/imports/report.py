"""The report of an import as a file."""

import csv
from collections.abc import Iterator

from annotator.common.csv_files import Echo, safe_cell
from annotator.common.templatetags.names import advice
from annotator.pages.imports.models import Import

HEADER = ("line", "location", "outcome", "address", "sha256", "gold", "reason", "what to do")


def csv_lines(run: Import) -> Iterator[str]:
    """A header, and a line for each record in the order of the source."""
    writer = csv.writer(Echo(), lineterminator="\r\n")
    yield writer.writerow(HEADER)
    for record in run.records.select_related("page").order_by("position").iterator(chunk_size=500):
        page = record.page
        yield writer.writerow(
            [
                record.position,
                safe_cell(record.location),
                record.outcome,
                safe_cell(page.url if page else ""),
                page.sha256 if page else "",
                "added" if record.gold else "",
                safe_cell(record.reason),
                safe_cell(advice(record.cause)),
            ]
        )
