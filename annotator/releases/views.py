"""Releases: the list, one of them, what differs between two, the corpus report, a page taken down."""

import json

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotator import journey
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors
from annotator.corpora.models import Corpus
from annotator.gold.queries import current_gold
from annotator.pages.models import Page
from annotator.releases import actions, differences, queries, tables
from annotator.releases.datasheet import LANGUAGES, limits_of
from annotator.releases.models import Release

A_PAGE_OF_CHANGES = 20
A_PAGE_OF_SITES = 50


@require_GET
def releases(request: HttpRequest, slug: str) -> HttpResponse:
    corpus = request.standing.corpus
    context = {
        "releases": queries.releases_of(corpus),
        "gold_pages": current_gold(corpus).count(),
        "terms": queries.terms_of(corpus),
        "finished": queries.finished(corpus).count(),
    }
    return render(request, "releases/releases.html", context)


@require_POST
def make(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        asked = actions.request_release(
            corpus=request.standing.corpus, user=request.user, note=request.POST.get("note", "")
        )
        journey.release_requested(asked)
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("releases", slug)


@require_POST
@answers_errors
def stop(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    actions.stop(release=get_object_or_404(queries.releases_of(request.standing.corpus), number=number))
    return redirect("releases", slug)


@require_POST
def say_terms(request: HttpRequest, slug: str) -> HttpResponse:
    said = {name: request.POST.get(name, "") for name in ("licence", "collection", "limits")}
    actions.say_terms(corpus=request.standing.corpus, **said)
    messages.success(request, _("The next release will say so."))
    return redirect("releases", slug)


@require_GET
def state(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One line of the list, as it stands now; asked for by the screen while the release is made."""
    found = get_object_or_404(queries.releases_of(request.standing.corpus), number=number)
    return render(request, "releases/line.html", {"release": found})


@require_GET
def release(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = _release_or_404(request, number)
    manifest = json.loads(found.manifest)
    context = {
        "release": found,
        "manifest": manifest,
        "limits": limits_of(manifest),
        "splits": tables.splits(manifest["splits"]["pages"]),
        "agreement": tables.agreement(manifest["agreement"]),
        "compared": manifest["agreement"]["all"]["character"]["observed"]["n"],
        "report": tables.report(manifest["report"], _numbers(request.standing.corpus)),
        "errata": queries.errata_of(found),
        "tombstones": queries.tombstones_of(found),
        "before": queries.finished(found.corpus).filter(number__lt=number).first(),
    }
    return render(request, "releases/release.html", context)


@require_POST
def write_erratum(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    try:
        actions.write_erratum(
            release=_release_or_404(request, number),
            digest=request.POST.get("digest", ""),
            what=request.POST.get("what", ""),
            user=request.user,
        )
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("release", slug, number)


@require_GET
def datasheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """In the language of the screen, where there is one in it."""
    language = (get_language() or "en")[:2]
    found = _release_or_404(request, number).datasheets
    text = found[language if language in LANGUAGES else "en"]
    return _download(text, "text/markdown", f"{slug}-{number}-datasheet.md")


@require_GET
def manifest(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    text = _release_or_404(request, number).manifest
    return _download(text, "application/json", f"{slug}-{number}-manifest.json")


@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """The two newest, unless others are asked for."""
    finished = list(queries.finished(request.standing.corpus))
    if len(finished) < 2:
        return render(request, "releases/compare.html", {"finished": finished})
    by_number = {str(each.number): each for each in finished}
    older = by_number.get(request.GET.get("from", ""), finished[1])
    newer = by_number.get(request.GET.get("to", ""), finished[0])
    found = differences.between(older, newer)
    changed = Paginator(found.changed, A_PAGE_OF_CHANGES).get_page(request.GET.get("page"))
    context = {
        "finished": finished,
        "older": older,
        "newer": newer,
        "found": found,
        "added": differences.listed(newer, found.added[:A_PAGE_OF_SITES]),
        "removed": differences.listed(older, found.removed[:A_PAGE_OF_SITES]),
        "page": changed,
        "changes": list(differences.changes(found, list(changed.object_list))),
    }
    return render(request, "releases/compare.html", context)


@require_GET
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Of the gold that is current, as far as it is counted."""
    corpus = request.standing.corpus
    found = tables.report(queries.current_report(corpus), _numbers(corpus))
    sites = Paginator(found.sites, A_PAGE_OF_SITES).get_page(request.GET.get("page"))
    context = {"report": found, "sites": sites, "waiting": queries.uncounted(corpus).count()}
    return render(request, "releases/report.html", context)


@require_http_methods(["GET", "POST"])
def take_down(request: HttpRequest, slug: str) -> HttpResponse:
    """Look for the page by its digest or address; then say why it has to go."""
    corpus = request.standing.corpus
    sought = request.POST.get("digest") or request.GET.get("digest", "")
    page = queries.page_of(corpus, sought)
    if request.method == "POST" and page:
        try:
            journey.page_taken_down(_take_down(request, page))
            messages.success(request, _("The page is taken down; its digest stays."))
            return redirect("take-down", slug)
        except GoldpanError as error:
            messages.error(request, error.message)
    context = {
        "sought": sought,
        "page": page,
        "held_by": queries.releases_with(page) if page else [],
        "tombstones": queries.tombstones(corpus),
    }
    return render(request, "releases/take_down.html", context)


def _take_down(request: HttpRequest, page: Page) -> int:
    made = actions.take_down(page=page, reason=request.POST.get("reason", ""), user=request.user)
    return int(made.pk)


def _release_or_404(request: HttpRequest, number: int) -> Release:
    found = Release.objects.filter(corpus=request.standing.corpus).exclude(sha256="").select_related("corpus")
    made = found.filter(number=number).first()
    if made is None:
        raise Http404
    return made


def _numbers(corpus: Corpus) -> dict[str, int]:
    """The labels' numbers, which are their colours."""
    return dict(corpus.labels.values_list("name", "number"))


def _download(text: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
