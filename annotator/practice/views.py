"""Practice: an annotator's own tries, with gold of what she handed in; an admin's setting and people."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotator.annotations.forms import whole
from annotator.annotations.practice.models import Practice
from annotator.annotations.practice.queries import newest
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.http import answers_errors, json_body, trusted_types
from annotator.corpora.guideline.queries import numbers_of
from annotator.corpora.models import User
from annotator.practice import actions, feedback, queries
from annotator.practice.forms import PracticeForm
from annotator.practice.measure import unlike
from annotator.practice.models import PracticePage

MOST_TO_LOOK_AT = 4


def own_page_or_404(request: HttpRequest, slot: int) -> PracticePage:
    page = queries.page_in(request.standing.corpus, request.user, slot)
    if page is None:
        raise Http404
    return page


# ---- an annotator's ----


@require_GET
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """What is asked of her, how far she is, and what to look at."""
    corpus = request.standing.corpus
    progress = queries.progress_of(corpus, request.user)
    matrices = [page.confusion for page in progress.last.handed_in] if progress.last else []
    numbers = numbers_of(corpus)
    look_at = [
        (feedback.chip(hers, numbers), feedback.chip(gold, numbers), n)
        for hers, gold, n in unlike(matrices, most=MOST_TO_LOOK_AT)
    ]
    context = {"progress": progress, "look_at": look_at}
    return render(request, "practice/practice.html", context)


@require_POST
@answers_errors
def next_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the page in her hands, or her next one of practice."""
    slot = actions.open_next(corpus=request.standing.corpus, annotator=request.user)
    return redirect("annotate", slug, slot.pk) if slot else redirect("practice", slug)


@require_POST
@answers_errors
def submit(request: HttpRequest, slug: str, practised: int) -> HttpResponse:
    """Hand in a page of practice; what comes next is its feedback."""
    page = own_page_or_404(request, practised)
    actions.hand_in(page=page, annotator=request.user, based_on=whole(json_body(request), "based_on"))
    return JsonResponse({"next": reverse("practice-feedback", args=[slug, practised])})


@require_GET
@trusted_types
def show_feedback(request: HttpRequest, slug: str, practised: int) -> HttpResponse:
    """Her marks against gold; nothing of gold before she has handed the page in."""
    corpus, page = request.standing.corpus, own_page_or_404(request, practised)
    if page.looked_at is None:
        raise Http404
    found = feedback.of_page(page, corpus)
    context = {
        "found": found,
        "bench": found.bench,
        "rules": found.rules,
        "progress": queries.progress_of(corpus, request.user),
    }
    return render(request, "practice/feedback.html", context)


# ---- an admin's ----


@require_http_methods(["GET", "POST"])
def setting(request: HttpRequest, slug: str) -> HttpResponse:
    """What is asked from now on and what that costs; who is through and who is not."""
    corpus = request.standing.corpus
    stands = newest(corpus) or Practice(corpus=corpus, number=0, seed=0)
    if request.method == "GET":
        return _show(request, PracticeForm.about(stands, request.user), stands)
    form = PracticeForm(request.POST, stands=stands, admin=request.user)
    if not form.is_valid():
        return _show(request, form, stands, status=422)
    try:
        made = actions.set_practice(corpus=corpus, made_by=request.user, **form.settings())
    except GoldpanError as error:
        if isinstance(error, Conflict):
            stands = newest(corpus) or stands
            form.data = {**form.data.dict(), "based_on": stands.number}
        return _show(request, form, stands, problem=error.message, status=error.status)
    said = _("Practice is asked from now on.") if made.source else _("No practice is asked any more.")
    messages.success(request, said)
    return redirect("practice-setting", slug)


@require_POST
def let_through(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    corpus, person = request.standing.corpus, get_object_or_404(User, pk=member)
    if person not in {row.person for row in queries.rows(corpus)}:
        raise Http404
    try:
        actions.let_through(corpus=corpus, annotator=person, by=request.user, why=request.POST.get("why", ""))
    except GoldpanError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("%(name)s may take pages now.") % {"name": person})
    return redirect("practice-setting", slug)


def _show(
    request: HttpRequest, form: PracticeForm, stands: Practice, *, problem: str = "", status: int = 200
) -> HttpResponse:
    corpus = request.standing.corpus
    rows = queries.rows(corpus)
    seconds = queries.seconds_a_page([each for each in (stands.source, corpus) if each])
    a_try = (seconds or 0) * stands.pages
    context: dict[str, Any] = {
        "form": form,
        "stands": stands,
        "problem": problem,
        "rows": rows,
        "held_back": sum(row.is_here and row.progress.is_asked for row in rows),
        "versions": queries.versions(corpus),
        "seconds": seconds,
        "try_seconds": a_try,
        "all_seconds": a_try * stands.tries,
        "most_why": actions.MOST_WHY,
    }
    return render(request, "practice/setting.html", context, status=status)
