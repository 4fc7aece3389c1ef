"""Releases, the differences between two, the corpus report, and taking pages down."""

import json

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotator import pipeline
from annotator.common.csv_files import download
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors, shows_errors
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import ConfirmationForm
from annotator.corpora.queries import label_numbers_of
from annotator.gold.queries import current_gold
from annotator.pages.near_duplicates import MIN_JACCARD, SHINGLE_WORDS
from annotator.releases import actions, differences, presentation, queries
from annotator.releases import duplicate_clusters as clusters
from annotator.releases.datasheet import LANGUAGES, known_limitations
from annotator.releases.models import Release

CHANGES_PER_PAGE = 20
SITES_PER_PAGE = 50


@require_GET
def releases(request: CorpusRequest, slug: str) -> HttpResponse:
    corpus = request.access.corpus
    newest = queries.finished(corpus).first()
    context = {
        "releases": queries.releases_of(corpus),
        "newest": newest,
        "changes": queries.changes_since(newest) if newest else None,
        "gold_pages": current_gold(corpus).count(),
        "under_way": len(queries.under_way(corpus)),
        "terms": queries.terms_of(corpus),
        "finished": queries.finished(corpus).count(),
    }
    return render(request, "releases/releases.html", context)


@require_POST
@shows_errors("releases")
def create(request: CorpusRequest, slug: str) -> HttpResponse:
    release = actions.request_release(
        corpus=request.access.corpus,
        user=request.user,
        note=request.POST.get("note", ""),
        after=read_id(request.POST.get("after", "")),
    )
    pipeline.enqueue(release)
    return redirect("releases", slug)


@require_POST
@answers_errors
def stop(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    actions.stop_release(release=get_object_or_404(queries.releases_of(request.access.corpus), number=number))
    return redirect("releases", slug)


@require_POST
def save_terms(request: CorpusRequest, slug: str) -> HttpResponse:
    fields = ("licence", "collection", "limitations")
    stated = {name: request.POST.get(name, "") for name in fields}
    actions.save_terms(corpus=request.access.corpus, **stated)
    messages.success(request, _("Saved for the next release."))
    return redirect("releases", slug)


@require_GET
def state(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    """One line of the list; polled by the screen while the release is built."""
    found = get_object_or_404(queries.releases_of(request.access.corpus), number=number)
    return render(request, "releases/line.html", {"release": found})


@require_GET
def release(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    found = _release_or_404(request, number)
    manifest = json.loads(found.manifest)
    context = {
        "release": found,
        "manifest": manifest,
        "limitations": known_limitations(manifest),
        "splits": presentation.splits(manifest["splits"]["pages"]),
        "agreement": presentation.agreement(manifest["agreement"]),
        "compared": manifest["agreement"]["all"]["character"]["observed"]["n"],
        "report": presentation.report(manifest["report"], label_numbers_of(request.access.corpus)),
        "errata": [(each, presentation.erratum(each.description)) for each in queries.errata_of(found)],
        "tombstones": queries.tombstones_of(found),
        "before": queries.finished(found.corpus).filter(number__lt=number).first(),
    }
    return render(request, "releases/release.html", context)


@require_POST
@shows_errors("release", "number")
def add_erratum(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    actions.add_erratum(
        release=_release_or_404(request, number),
        digest=request.POST.get("digest", ""),
        description=request.POST.get("description", ""),
        user=request.user,
    )
    return redirect("release", slug, number)


@require_GET
def datasheet(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    """The datasheet in the language of the screen if there is one, else in English."""
    language = (get_language() or "en")[:2]
    found = _release_or_404(request, number).datasheets
    text = found[language if language in LANGUAGES else "en"]
    return _text_file(text, "text/markdown", f"{slug}-{number}-datasheet.md")


@require_GET
def manifest(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    text = _release_or_404(request, number).manifest
    return _text_file(text, "application/json", f"{slug}-{number}-manifest.json")


@require_GET
def compare(request: CorpusRequest, slug: str) -> HttpResponse:
    """Compare two releases, by default the two newest."""
    finished = list(queries.finished(request.access.corpus))
    if len(finished) < 2:
        return render(request, "releases/compare.html", {"finished": finished})
    by_number = {str(each.number): each for each in finished}
    older = by_number.get(request.GET.get("from", ""), finished[1])
    newer = by_number.get(request.GET.get("to", ""), finished[0])
    found = differences.between(older, newer)
    changed = Paginator(found.changed, CHANGES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "finished": finished,
        "older": older,
        "newer": newer,
        "found": found,
        "added": differences.listed(newer, found.added[:SITES_PER_PAGE]),
        "removed": differences.listed(older, found.removed[:SITES_PER_PAGE]),
        "page": changed,
        "changes": list(differences.changes(older, newer, list(changed.object_list))),
    }
    return render(request, "releases/compare.html", context)


@require_GET
def report(request: CorpusRequest, slug: str) -> HttpResponse:
    """The corpus report of the current gold, as far as it is counted."""
    corpus = request.access.corpus
    found = presentation.report(queries.current_report(corpus), label_numbers_of(corpus))
    sites = Paginator(found.sites, SITES_PER_PAGE).get_page(request.GET.get("page"))
    context = {"report": found, "sites": sites, "waiting": queries.uncounted(corpus=corpus).count()}
    return render(request, "releases/report.html", context)


@require_http_methods(["GET", "POST"])
def take_down(request: CorpusRequest, slug: str) -> HttpResponse:
    """Find a page by its digest or URL, and take it down."""
    corpus = request.access.corpus
    sought = request.POST.get("digest") or request.GET.get("digest", "")
    found = queries.pages_sought(corpus, sought)
    page = found[0] if len(found) == 1 else None
    form = ConfirmationForm(corpus, request.POST if request.method == "POST" else None)
    if request.method == "POST" and page and form.is_valid():
        try:
            reason = request.POST.get("reason", "")
            actions.take_down(page=page, reason=reason, user=request.user)
            messages.success(request, _("The page has been taken down."))
            return redirect("take-down", slug)
        except GoldpanError as error:
            messages.error(request, error.message)
    context = {
        "sought": sought,
        "found": found,
        "page": page,
        "form": form,
        "in_releases": queries.releases_with(page) if page else [],
        "tombstones": queries.tombstones(corpus),
    }
    status = 422 if form.is_bound else 200
    return render(request, "releases/take_down.html", context, status=status)


def _release_or_404(request: CorpusRequest, number: int) -> Release:
    found = Release.objects.filter(corpus=request.access.corpus).exclude(sha256="").select_related("corpus")
    return get_object_or_404(found, number=number)


def _text_file(text: str, kind: str, name: str) -> HttpResponse:
    return download(HttpResponse(text, content_type=f"{kind}; charset=utf-8"), name)


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
