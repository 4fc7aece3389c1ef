"""The agreement screen."""

from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator import __version__
from annotator.agreement import queries
from annotator.common.axis import axis_for
from annotator.corpora.models import Corpus, Label

PAGES_AT_ONCE = 25
KEPT_SECONDS = 3600


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    corpus = request.standing.corpus
    labels = list(corpus.labels.all())
    rounds = queries.pages_compared(corpus)
    context = {
        "labels": labels,
        "rounds": Paginator(rounds, PAGES_AT_ONCE).get_page(request.GET.get("page")),
    }
    return render(request, "agreement/agreement.html", context | _figures(corpus, labels))


def _figures(corpus: Corpus, labels: list[Label]) -> dict[str, object]:
    """The pooled figures with the rows by label; worked out once for as long as no round is added."""
    count = queries.compared_rounds(corpus).count()
    names = [label.name for label in labels]
    key = f"agreement:{__version__}:{corpus.pk}:{count}:{','.join(names)}"
    found = cache.get(key)
    if found is None:
        found = queries.pooled(corpus, names)
        cache.set(key, found, KEPT_SECONDS)
    numbers = {label.name: label.number for label in labels}
    by_label = [(name, numbers[name], figure) for name, figure in found.labels]
    shown = [value for _name, figure in found.labels for value in (figure.value, figure.low, figure.high)]
    return {"figures": found, "by_label": by_label, "axis": axis_for(shown, reach=1.0)}
