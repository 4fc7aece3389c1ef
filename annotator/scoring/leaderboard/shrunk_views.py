"""The smallest page on which an extractor errs, requested from the error view."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common.errors import BadRequest
from annotator.common.http import answers_errors
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.runs.models import ShrunkPage
from annotator.runs.shrinking import request_shrunk_page
from annotator.scoring.leaderboard.queries import finished_scores
from extraction.spans import LABEL_SETS


@require_POST
@answers_errors
def shrink(request: CorpusRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    """Request the smallest page for one error: `kind` is missed or wrong, `start` and `end` its offsets."""
    labels = request.POST.get("labels", "")
    start, end = (read_id(request.POST.get(name, "")) for name in ("start", "end"))
    if labels not in LABEL_SETS or start is None or end is None:
        raise BadRequest("an error has labels, a start and an end")
    scores = finished_scores(request.access.corpus, labels).select_related("extraction__document")
    score = get_object_or_404(scores, gold__page=page, extraction__extractor=extractor)
    row, is_asked = request_shrunk_page(
        extraction=score.extraction,
        start=start,
        end=end,
        is_missing=request.POST.get("kind") == "missed",
        labels=labels,
    )
    if is_asked:
        pipeline.enqueue(row)
    return redirect("shrunk-page", slug, row.pk)


@require_GET
def shrunk_page(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """The reduced page as source text, or how far it is."""
    rows = ShrunkPage.objects.of_corpus(request.access.corpus)
    row = get_object_or_404(rows.select_related("extraction__document__page", "extraction__extractor"), pk=pk)
    document = row.extraction.document
    context = {
        "row": row,
        "extractor": row.extraction.extractor,
        "page": document.page,
        "words": document.text[row.start : row.end],
    }
    return render(request, "leaderboard/shrunk_page.html", context)
