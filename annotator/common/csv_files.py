"""Files that are downloaded, and what all CSV files have in common."""

import csv
from collections.abc import Iterable
from typing import TypeVar

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

# What a spreadsheet takes for the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")

Cell = str | int | None
_Response = TypeVar("_Response", bound=HttpResponseBase)


class Echo:
    """A file whose `write` returns the line, for the csv module to stream."""

    def write(self, line: str) -> str:
        return line


def safe_cell(value: str | int) -> str | int:
    """The value, escaped if a spreadsheet would run it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def csv_response(rows: Iterable[Iterable[Cell]], name: str) -> StreamingHttpResponse:
    """Stream the rows, the header first, as a CSV file of this name; None is an empty cell."""
    writer = csv.writer(Echo())
    lines = (writer.writerow(["" if cell is None else safe_cell(cell) for cell in row]) for row in rows)
    return download(StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8"), name)


def download(response: _Response, name: str) -> _Response:
    """Let the browser save the response as a file of this name, and nobody else keep it."""
    shown = "".join(char if char.isprintable() else " " for char in name)
    response["Content-Disposition"] = content_disposition_header(True, shown) or "attachment"
    response["Cache-Control"] = "private, no-store"
    return response
