"""What hidden checks found, for admins."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.annotations.study.queries import newest
from annotator.control import queries


@require_GET
def control(request: HttpRequest, slug: str) -> HttpResponse:
    """Checks, second readings and haste, by annotator."""
    corpus = request.standing.corpus
    context = {
        "rows": queries.rows(corpus),
        "too_fast": queries.too_fast(corpus),
        "design": newest(corpus),
        "fastest": queries.FASTEST,
    }
    return render(request, "control/control.html", context)
