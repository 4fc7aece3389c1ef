"""Figures as files, CSV or JSON, which say what they are cited by."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse, JsonResponse

from annotator.common.csv_files import download, safe_cell
from annotator.scoring.leaderboard.citation import Citation

# Behind the columns of every CSV file.
CITED = ("source", "computed_at", "sha256")


def json_file(name: str, figures: Mapping[str, Any], citation: Citation) -> HttpResponse:
    """Return the figures, of which the citation has the digest, and what they are cited by."""
    return download(JsonResponse({**figures, **citation.fields()}), f"{name}.json")


def csv_file(
    name: str, head: Sequence[str], rows: Iterable[Sequence[object]], citation: Citation
) -> HttpResponse:
    """Return the rows. Figures have six decimals; what is unknown or withheld is empty."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    writer = csv.writer(response)
    writer.writerow([*head, *CITED])
    cited = citation.source, citation.time, citation.sha256
    writer.writerows([*map(_cell, row), *cited] for row in rows)
    return download(response, f"{name}.csv")


def _cell(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.6f}"
    return "" if value is None else safe_cell(value) if isinstance(value, str) else value
