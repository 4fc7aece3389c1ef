"""What does showing a suggestion do to us?"""

import csv
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.agreement.queries import extractors
from annotator.agreement.sheet import Echo, safe
from annotator.bias import queries
from annotator.common.axis import FEW_TICKS, axis_for
from annotator.corpora.models import Corpus

COLUMNS = (
    "page", "annotation", "shown", "active_seconds", "changed_characters", "characters_of_either",
    "extractor", "both", "by_annotator", "by_extractor",
)  # fmt: skip


@require_GET
def bias(request: HttpRequest, slug: str) -> HttpResponse:
    found = queries.bias_report(request.standing.corpus)
    pulls = [arm.pull for arm in found.arms if arm.pull]
    shown = [value for each in pulls for value in (each.value, each.low, each.high)]
    return render(request, "bias/bias.html", {"found": found, "axis": axis_for(shown, most=FEW_TICKS)})


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
        facts = [digests[each.page], number, shown, each.seconds, *(each.changed or ("", ""))]
        for extractor, overlap in each.overlaps.items():
            line = [*facts, names.get(str(extractor), str(extractor)), *overlap]
            yield writer.writerow([safe(cell) for cell in line])
