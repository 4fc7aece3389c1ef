"""Home, the overview of a corpus, what is stuck in it, and the health of the site."""

from collections.abc import Iterable
from math import inf
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotator import journey
from annotator.agreement.actions import request_report
from annotator.agreement.choice import BLIND, Choice
from annotator.agreement.queries import latest_report
from annotator.agreement.wording import MEASURES
from annotator.annotations.study.queries import standing
from annotator.common import health as vitals
from annotator.common import work
from annotator.common.axis import FEW_TICKS, axis_for
from annotator.corpora.models import Corpus
from annotator.exports.models import Export
from annotator.home import desk, queries
from annotator.home.actions import give_back
from annotator.home.forms import PagesFilter
from annotator.imports.models import Import, ImportProblem
from annotator.pages.models import Page
from annotator.releases import queries as releasing
from annotator.releases.tables import splits

SHOWN = 5
SHOWN_RELEASES = 3
SHOWN_STUCK = 50


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    desks = [desk.desk_of(request.user, corpus) for corpus in desk.corpora_of(request.user)]
    # One gold button a screen: in the first corpus in which something waits for her.
    first = next((each for each in desks if each.waiting), desks[0] if desks else None)
    context: dict[str, Any] = {"desks": desks, "first": first}
    if len(desks) == 1:
        # With one corpus the menu may as well lead into it.
        context |= {"corpus": desks[0].corpus, "my_roles": desks[0].roles}
    return render(request, "home/home.html", context)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """The page has sent and wiped what the browser kept; what waits for her goes back."""
    give_back(user=request.user)
    logout(request)
    return redirect("sign-in")


@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """For whatever watches the server: it answers, and so does the database."""
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    return HttpResponse("ok", content_type="text/plain")


@require_GET
def health(request: HttpRequest) -> HttpResponse:
    return render(request, "home/health.html", {"vitals": vitals.read()})


# ---- a corpus ----


@require_GET
def corpus(request: HttpRequest, slug: str) -> HttpResponse:
    found: Corpus = request.standing.corpus
    parts = queries.progress(found)
    context = {
        "parts": parts,
        "total": sum(part.pages for part in parts),
        "slots": standing(found).slots,
        "sites": Page.objects.filter(corpus=found).exclude(site="").values("site").distinct().count(),
        "imports": Import.objects.filter(corpus=found)[:SHOWN],
        "problems": ImportProblem.objects.filter(run__corpus=found).order_by("-pk")[:SHOWN],
        "exports": Export.objects.filter(corpus=found)[:SHOWN],
        **_releases(found),
        **_agreement(found),
        **_list(request),
    }
    return render(request, "home/corpus.html", context)


@require_GET
def corpus_pages(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of pages alone, for the screen that is open already."""
    return render(request, "home/pages.html", _list(request))


def _agreement(found: Corpus) -> dict[str, Any]:
    """The headline of the agreement page: pairs that were shown nothing."""
    choice = Choice()
    report = request_report(corpus=found, choice=choice)
    if report.finished_at is None:
        journey.report_requested(report)
    shown = report if report.figures else latest_report(found, choice)
    figures = shown.figures["pairs"][BLIND] if shown else {}
    rows = [(MEASURES[name], figures[name]) for name in ("krippendorff_alpha", "f1") if figures]
    values = [each[name] for _title, each in rows for name in ("value", "low", "high")]
    return {
        "agreement_pages": rows[0][1]["n"] if rows else 0,
        "agreement_rows": rows,
        # Two figures: neither is to be an arrow at the edge for the other's sake.
        "agreement_axis": axis_for(values, reach=inf, most=FEW_TICKS),
    }


def _releases(found: Corpus) -> dict[str, Any]:
    newest = releasing.newest_with_splits(found, SHOWN_RELEASES)
    return {
        "releases": [(release, splits(release.splits)) for release in newest],
        "gold_since": releasing.gold_since(newest[0]) if newest else None,
    }


def _list(request: HttpRequest) -> dict[str, Any]:
    asked = PagesFilter(request.GET).known()
    pages = queries.pages_of(request.standing.corpus, state=asked["state"], text=asked["q"])
    given = {name: asked[name] for name in ("state", "q") if asked[name]}
    sheet = queries.sheet(pages, before=asked["before"], after=asked["after"])
    return {
        "sheet": sheet,
        "can_open": any(page.scored_extractor for page in sheet.rows),
        "asked": asked,
        "states": queries.STATES,
        "titles": {state.name: state for state in queries.STATES},
        "filter": urlencode(given),
    }


# ---- stuck ----


@require_GET
def stuck(request: HttpRequest, slug: str) -> HttpResponse:
    found = request.standing.corpus
    context = {
        "unparseable": _some(queries.unparseable(found)),
        "without_taker": _some(queries.without_taker(found)),
        "without_adjudicator": _some(queries.without_adjudicator(found)),
        "failed_work": queries.failed_work(found),
    }
    return render(request, "home/stuck.html", context)


def _some(rows: Any) -> dict[str, Any]:
    """The first rows of a list that may be long, and how many there are."""
    return {"rows": list(rows[:SHOWN_STUCK]), "total": rows.count()}


@require_POST
def stuck_retry(request: HttpRequest, slug: str) -> HttpResponse:
    """Open failed work again: one row, or all failed rows of its kind."""
    kind = request.POST.get("kind", "")
    if kind not in queries.RETRIABLE:
        raise Http404
    rows = queries.failed_rows(request.standing.corpus, kind)
    if request.POST.get("row", "").isdecimal():
        rows = rows.filter(pk=request.POST["row"])
    retried = _retry(rows)
    said = ngettext("%(n)d is tried again.", "%(n)d are tried again.", retried) % {"n": retried}
    messages.success(request, said)
    return redirect("stuck", slug)


def _retry(rows: Iterable[work.Work]) -> int:
    retried = 0
    for row in rows:
        if work.retry(row):
            journey.hint(row)
            retried += 1
    return retried
