"""Home, the overview of a corpus, what needs attention in it, and the health of the site."""

from collections.abc import Iterable
from math import inf
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.agreement.actions import request_report
from annotator.agreement.queries import latest_report
from annotator.agreement.selection import BLIND, usual_selection
from annotator.agreement.titles import MEASURES
from annotator.annotations.actions import release_reserves
from annotator.annotations.study.queries import current as current_settings
from annotator.common import health as vitals
from annotator.common.axis import FEW_TICKS, axis_for
from annotator.common.http import shows_errors, trusted_types
from annotator.common.ids import read_id
from annotator.common.key_slice import key_slice
from annotator.common.reasons import MAX_REASON
from annotator.common.roles import ADMIN, ANNOTATOR
from annotator.corpora.access import CorpusAccess, CorpusRequest
from annotator.corpora.models import Corpus
from annotator.corpora.queries import has_members, label_numbers_of, labels_of
from annotator.home import page_screen, queries
from annotator.home.actions import retry
from annotator.home.counts import PageCounts, StateShare, counts_of, gold_since, progress
from annotator.home.forms import FindForm, PagesFilter
from annotator.home.queries import PAGES_AT_ONCE
from annotator.home.roles import annotator as annotating
from annotator.home.roles.admin import machine_state, queues_of_all
from annotator.home.states import STATES, unparseable, with_file, with_state
from annotator.home.summaries import home_of
from annotator.pages.imports.queries import imports_of, refused_in
from annotator.pages.models import Page
from annotator.pages.views import send_view
from annotator.releases import queries as releasing
from annotator.releases.exports.models import Export
from annotator.releases.presentation import splits

SHOWN = 5
SHOWN_RELEASES = 3
SHOWN_ATTENTION = 50


@require_GET
def home(request: CorpusRequest) -> HttpResponse:
    accesses = CorpusAccess.all_of(request.user)
    chosen = request.GET.get("corpus", "")
    shown = home_of(request.user, accesses, chosen=chosen, number=request.GET.get("page", "1"))
    summaries = shown.summaries
    # There is one primary button: in the first corpus in which something waits for the user.
    first = next((each for each in summaries if each.waiting), summaries[0] if summaries else None)
    context: dict[str, Any] = {
        "summaries": summaries,
        "others": shown.others,
        "others_page": shown.page,
        "is_alone": len(summaries) == 1 and (len(accesses) == 1 or summaries[0].corpus.slug == chosen),
        "first": first,
        "may_create": request.user.is_superuser or any(ADMIN in each.roles for each in accesses),
        "is_wide": any(each.researcher or each.admin for each in summaries),
        "my_corpora": accesses,
    }
    admins = [each.admin for each in summaries if each.admin]
    if admins:
        context |= {"machine": machine_state(), "queues": queues_of_all(admins)}
    if context["is_alone"]:
        # The menu shows the screens of the one corpus.
        context |= {"corpus": summaries[0].corpus, "my_roles": summaries[0].roles}
    return render(request, "home/home.html", context)


@require_POST
def sign_out(request: CorpusRequest) -> HttpResponse:
    """Sign out; the page has sent and deleted what the browser stored."""
    # Reserved pages go back to the queue; pages in progress stay until their lease lapses.
    release_reserves(user=request.user)
    logout(request)
    return redirect("sign-in")


@require_GET
def health(request: CorpusRequest) -> HttpResponse:
    return render(request, "home/health.html", {"vitals": vitals.read()})


# ---- an annotator's own pages ----


@require_GET
def own_pages(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "home/own_pages.html", _own_pages(request))


@require_GET
def own_pages_list(request: CorpusRequest, slug: str) -> HttpResponse:
    """The list alone, for the open screen."""
    return render(request, "home/own_list.html", _own_pages(request))


def _own_pages(request: CorpusRequest) -> dict[str, Any]:
    found, filters = request.access.corpus, FindForm(request.GET).known()
    rows = annotating.own_pages(request.user, found, text=filters["q"]).order_by("-pk")
    page_slice = key_slice(rows, size=PAGES_AT_ONCE, before=filters["before"], after=filters["after"])
    return {
        "corpus": found,
        "pages": annotating.described(page_slice.rows, timezone.now()),
        "page_slice": page_slice,
        "numbers": label_numbers_of(found),
        "text": filters["q"],
    }


# ---- a corpus ----


@require_GET
def corpus(request: CorpusRequest, slug: str) -> HttpResponse:
    found: Corpus = request.access.corpus
    counts = counts_of(found)
    parts = progress(counts)
    context = {
        "parts": parts,
        "counts": counts,
        "next_step": _next_step(found, parts),
        "slots": current_settings(found).slots,
        "imports": imports_of(found)[:SHOWN],
        "problems": refused_in(found)[:SHOWN],
        "exports": Export.objects.filter(corpus=found)[:SHOWN],
        **_releases(found, counts),
        **_agreement(found),
        **_list(request),
    }
    return render(request, "home/corpus.html", context)


def _next_step(found: Corpus, parts: Iterable[StateShare]) -> str:
    """What an admin most likely does next: import, people, or release; "" while others work."""
    pages = {part.state.name: part.pages for part in parts}
    if not any(pages.values()):
        return "import"
    if pages["gold"]:
        return "release"
    return "" if has_members(found, ANNOTATOR) else "people"


@require_GET
def corpus_pages(request: CorpusRequest, slug: str) -> HttpResponse:
    """The list of pages alone, for the open screen."""
    return render(request, "home/pages.html", _list(request))


def _agreement(found: Corpus) -> dict[str, Any]:
    """The main figures of the agreement screen: those of pairs without a suggestion."""
    selection = usual_selection([label.name for label in labels_of(found)])
    report = request_report(corpus=found, selection=selection)
    if report.finished_at is None:
        pipeline.enqueue(report)
    shown = report if report.figures else latest_report(found, selection)
    figures = shown.figures["pairs"][BLIND] if shown and shown.figures else {}
    rows = [(MEASURES[name], figures[name]) for name in ("krippendorff_alpha", "f1") if figures]
    values = [each[name] for _title, each in rows for name in ("value", "low", "high")]
    return {
        "agreement_pages": rows[0][1]["n"] if rows else 0,
        "agreement_rows": rows,
        # With two figures, neither is to be an arrow at the edge for the sake of the other.
        "agreement_axis": axis_for(values, reach=inf, most=FEW_TICKS),
    }


def _releases(found: Corpus, counts: PageCounts) -> dict[str, Any]:
    newest = list(releasing.finished(found)[:SHOWN_RELEASES])
    return {
        "releases": [(release, splits(release.splits)) for release in newest],
        "gold_since": gold_since(newest[0], counts) if newest else None,
    }


def _list(request: CorpusRequest) -> dict[str, Any]:
    filters = PagesFilter(request.GET).known()
    pages = queries.pages_of(request.access.corpus, state=filters["state"], text=filters["q"])
    if filters["sort"]:
        ordered = queries.in_order(pages, filters["sort"])
        numbered = Paginator(ordered, PAGES_AT_ONCE).get_page(filters["page"])
        shown: dict[str, Any] = {"rows": list(numbered), "numbered": numbered}
    else:
        before, after = filters["before"], filters["after"]
        page_slice = key_slice(pages, size=PAGES_AT_ONCE, before=before, after=after)
        shown = {"rows": page_slice.rows, "page_slice": page_slice}
    return {**shown, "filters": filters, "states": STATES}


# ---- needs attention ----


@require_GET
def attention(request: CorpusRequest, slug: str) -> HttpResponse:
    found = request.access.corpus
    failed, overloaded = queries.troubled_work(found)
    pages = {
        "unparseable": _some(with_file(unparseable(found))),
        "without_taker": _some(queries.without_taker(found)),
        "without_adjudicator": _some(queries.without_adjudicator(found)),
    }
    context = {
        **pages,
        "failed_work": failed,
        "overloaded_work": overloaded,
        "is_clear": not (failed or overloaded or any(part["total"] for part in pages.values())),
    }
    return render(request, "home/attention.html", context)


def _some(rows: Any) -> dict[str, Any]:
    """The first rows of a list, and how many there are."""
    return {"rows": list(rows[:SHOWN_ATTENTION]), "total": rows.count()}


@require_POST
@shows_errors("attention")
def attention_retry(request: CorpusRequest, slug: str) -> HttpResponse:
    """Retry failed or overloaded work: one row, or all such rows of its kind."""
    rows = queries.to_retry(request.access.corpus, request.POST.get("kind", ""))
    if rows is None:
        raise Http404
    if "row" in request.POST:
        rows = rows.filter(pk=read_id(request.POST["row"]))
    first = list(rows.only("pk")[: pipeline.MESSAGES_PER_SWEEP])
    retried = retry(corpus=request.access.corpus, kind=request.POST["kind"], rows=rows)
    pipeline.enqueue_first(first)
    message = ngettext("Retrying %(n)d.", "Retrying %(n)d.", retried) % {"n": retried}
    messages.success(request, message)
    return redirect("attention", slug)


@require_GET
@trusted_types
def page_gold(request: CorpusRequest, slug: str, page: int) -> HttpResponse:
    """The page with a version of its gold, or without gold; in words where there is nothing to show."""
    corpus = request.access.corpus
    found = with_state(Page.objects.filter(corpus=corpus, pk=page)).first()
    if found is None:
        raise Http404
    if found.document is None or found.stage == "taken_down":
        return render(request, "home/page_unbuilt.html", {"page": found})
    number = read_id(request.GET.get("version", ""))
    screen = page_screen.of_page(corpus, found, number, request.user)
    if screen is None:
        raise Http404
    context = {
        "screen": screen,
        "page": found,
        "gold": screen.shown,
        "payload": screen.payload,
        "max_why": MAX_REASON,
        "why": request.GET.get("why", "")[:MAX_REASON],
    }
    return render(request, "home/page.html", context)


@require_GET
def page_gold_view(request: CorpusRequest, slug: str, page: int, number: int) -> HttpResponse:
    """The inert view of the document of a version of the gold; of the page's document where it is 0."""
    found = get_object_or_404(Page, corpus=request.access.corpus, pk=page)
    gold = get_object_or_404(found.gold.select_related("document"), number=number) if number else None
    document = page_screen.document_of(found, gold)
    if document is None:
        raise Http404
    return send_view(document)
