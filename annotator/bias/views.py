"""What does showing a suggestion do to us?"""

import csv
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator import journey
from annotator.agreement.queries import extractors
from annotator.agreement.sheet import Echo, safe
from annotator.agreement.views import send_progress
from annotator.bias import actions, queries
from annotator.bias.figures import Report
from annotator.bias.models import BiasReport
from annotator.common.axis import FEW_TICKS, axis_for
from annotator.corpora.models import Corpus

COLUMNS = (
    "page", "weight", "annotation", "shown", "active_seconds", "changed_characters", "characters_of_either",
    "extractor", "both", "by_annotator", "by_extractor",
)  # fmt: skip


@require_GET
def bias(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "bias/bias.html", _context(request))


@require_GET
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the screen that changes while figures are worked out."""
    return render(request, "bias/tables.html", _context(request))


@require_GET
def report_state(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A name of how far a report is; the screen fetches its tables when it moves."""
    return send_progress(BiasReport, request.standing.corpus, pk)


def _context(request: HttpRequest) -> dict[str, object]:
    corpus = request.standing.corpus
    report = actions.request_report(corpus=corpus)
    if report.finished_at is None:
        journey.report_requested(report)
    shown = report if report.figures else queries.latest_report(corpus)
    found = Report.from_json(shown.figures) if shown and shown.figures else None
    pulls = [arm.pull for arm in found.arms if arm.pull] if found else []
    values = [value for each in pulls for value in (each.value, each.low, each.high)]
    axis = axis_for(values, most=FEW_TICKS)
    return {"report": report, "version": report.progress, "found": found, "axis": axis}


@require_GET
def observations(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """What the report is made of: a line for each annotation and extractor, nobody named."""
    response = StreamingHttpResponse(_lines(request.standing.corpus), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-shown.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def _lines(corpus: Corpus) -> Iterator[str]:
    writer = csv.writer(Echo(), lineterminator="\r\n")
    names = extractors(corpus)
    yield writer.writerow(COLUMNS)
    digests = queries.digests(corpus)
    for number, each in enumerate(queries.observations(corpus), start=1):
        shown = "nothing" if each.shown is None else names.get(str(each.shown), str(each.shown))
        facts = [
            digests[each.page],
            f"{each.weight:.6g}",
            number,
            shown,
            each.seconds,
            *(each.changed or ("", "")),
        ]
        for extractor, overlap in each.overlaps.items():
            line = [*facts, names.get(str(extractor), str(extractor)), *overlap]
            yield writer.writerow([safe(cell) for cell in line])
