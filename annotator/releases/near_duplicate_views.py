"""The screens of near duplicates."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.corpora.access import CorpusRequest
from annotator.pages.near_duplicates import MIN_JACCARD, SHINGLE_WORDS
from annotator.releases import duplicate_clusters as clusters

CLUSTERS_AT_ONCE = 12
PAGES_AT_ONCE = 50


@require_GET
def near_duplicates(request: CorpusRequest, slug: str) -> HttpResponse:
    """The clusters of the corpus, largest first, each with its first pages."""
    corpus = request.access.corpus
    totals = clusters.totals(corpus)
    found = Paginator(clusters.clusters_of(corpus), CLUSTERS_AT_ONCE)
    found.count = totals.clusters  # saves a query
    page = found.get_page(request.GET.get("page"))
    context = {
        "totals": totals,
        "page": page,
        "clusters": clusters.described(corpus, page.object_list),
        "min_jaccard": MIN_JACCARD,
        "shingle_words": SHINGLE_WORDS,
    }
    return render(request, "releases/near_duplicates.html", context)


@require_GET
def cluster(request: CorpusRequest, slug: str, page: int) -> HttpResponse:
    """All pages of a cluster; `page` is the key of its first page."""
    corpus = request.access.corpus
    row = clusters.clusters_of(corpus).filter(cluster=page).first()
    if row is None:
        raise Http404
    paginator = Paginator(clusters.pages_of(corpus, page), PAGES_AT_ONCE)
    paginator.count = row["size"]
    listed = paginator.get_page(request.GET.get("page"))
    assert isinstance(listed.object_list, QuerySet)
    (found,) = clusters.described(corpus, [row], shown=1)
    context = {
        "cluster": found,
        "page": listed,
        "pages": clusters.with_details(corpus, listed.object_list),
    }
    return render(request, "releases/cluster.html", context)
