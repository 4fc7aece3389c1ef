"""The screens of near duplicates."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.pages.neighbours import ALIKE, SHINGLE
from annotator.releases import clusters

CLUSTERS_AT_ONCE = 12
PAGES_AT_ONCE = 50


@require_GET
def near_duplicates(request: HttpRequest, slug: str) -> HttpResponse:
    """The clusters of the corpus, the largest first, each with its first pages."""
    corpus = request.standing.corpus
    held = clusters.held(corpus)
    found = Paginator(clusters.clusters_of(corpus), CLUSTERS_AT_ONCE)
    found.count = held.clusters  # counted already
    page = found.get_page(request.GET.get("page"))
    context = {
        "held": held,
        "page": page,
        "clusters": clusters.described(corpus, page.object_list),
        "alike": ALIKE,
        "words": SHINGLE,
    }
    return render(request, "releases/near_duplicates.html", context)


@require_GET
def cluster(request: HttpRequest, slug: str, page: int) -> HttpResponse:
    """The cluster that began with this page, with all its pages."""
    corpus = request.standing.corpus
    row = clusters.clusters_of(corpus).filter(cluster=page).first()
    if row is None:
        raise Http404
    paginator = Paginator(clusters.pages_of(corpus, page), PAGES_AT_ONCE)
    paginator.count = row["size"]
    sheet = paginator.get_page(request.GET.get("page"))
    (found,) = clusters.described(corpus, [row], shown=1)
    context = {
        "cluster": found,
        "page": sheet,
        "pages": clusters.with_facts(corpus, sheet.object_list),
    }
    return render(request, "releases/cluster.html", context)
