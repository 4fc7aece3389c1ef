"""The suggestion bias screen, and its observations as CSV."""

from collections.abc import Iterable, Iterator
from math import inf

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.agreement.queries import extractor_titles
from annotator.agreement.views import send_progress
from annotator.common.axis import Axis, axis_for
from annotator.common.csv_files import csv_response
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.quality.bias import actions, queries
from annotator.quality.bias.figures import BiasFigures
from annotator.quality.bias.models import BiasReport

# For a narrow column.
MOST_TICKS = 4
COLUMNS = (
    "page", "weight", "annotation", "shown", "active_seconds", "changed_characters", "characters_of_either",
    "extractor", "both", "by_annotator", "by_extractor",
)  # fmt: skip


@require_GET
def bias(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "bias/bias.html", _context(request))


@require_GET
def tables_fragment(request: CorpusRequest, slug: str) -> HttpResponse:
    """The part of the screen that changes while a report is written."""
    return render(request, "bias/tables.html", _context(request))


@require_GET
def report_state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """The progress of a report; the screen fetches its tables when it changes."""
    return send_progress(BiasReport, request.access.corpus, pk)


def _context(request: CorpusRequest) -> dict[str, object]:
    corpus = request.access.corpus
    report = actions.request_report(corpus=corpus)
    if report.finished_at is None:
        pipeline.enqueue(report)
    shown = report if report.figures else queries.latest_report(corpus)
    found = BiasFigures.from_json(shown.figures) if shown and shown.figures else None
    biases = [arm.bias for arm in found.arms if arm.bias] if found else []
    values = [value for each in biases for value in (each.value, each.low, each.high)]
    return {"report": report, "version": report.progress, "found": found, "axis": axis_of(values)}


def axis_of(values: Iterable[float | None]) -> Axis:
    """An axis on which all values lie, and 0, which a bias is looked at against."""
    return axis_for([*values, 0.0], reach=inf, most=MOST_TICKS)


@require_GET
def observations(request: CorpusRequest, slug: str) -> StreamingHttpResponse:
    """The data of the report: a line for each annotation and extractor, without names."""
    return csv_response(_rows(request.access.corpus), f"{slug}-suggestion-bias.csv")


def _rows(corpus: Corpus) -> Iterator[Iterable[str | int]]:
    names = extractor_titles(corpus)
    yield COLUMNS
    for number, each in enumerate(queries.observations(corpus), start=1):
        shown = "nothing" if each.shown is None else names.get(str(each.shown), str(each.shown))
        columns = [
            each.digest,
            f"{each.weight:.6g}",
            number,
            shown,
            each.seconds,
            *(each.changed or ("", "")),
        ]
        for extractor, overlap in each.overlaps.items():
            yield [*columns, names.get(str(extractor), str(extractor)), *overlap]
