"""Practice: an annotator's attempts and feedback; an admin's settings and list of annotators."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotator.annotations.qualification.models import PracticeSettings
from annotator.annotations.qualification.queries import newest
from annotator.annotations.workbench.forms import whole
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.http import answers_errors, json_body, refuse, shows_errors, trusted_types
from annotator.common.reasons import MAX_REASON
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import base_on
from annotator.corpora.models import User
from annotator.corpora.queries import label_numbers_of
from annotator.practice import actions, feedback, queries
from annotator.practice.forms import PracticeForm
from annotator.practice.measure import most_confused
from annotator.practice.models import PracticePage

MAX_CONFUSIONS = 4


def own_page_or_404(request: CorpusRequest, key: uuid.UUID) -> PracticePage:
    return get_object_or_404(queries.pages_of(request.access.corpus, request.user), slot__key=key)


# ---- an annotator's ----


@require_GET
def practice(request: CorpusRequest, slug: str) -> HttpResponse:
    """What is required, the annotator's progress, and their most frequent differences from gold."""
    corpus = request.access.corpus
    progress = queries.progress_of(corpus, request.user)
    matrices = [page.matrix for page in progress.last.evaluated_pages] if progress.last else []
    numbers = label_numbers_of(corpus)
    confusions = [
        (feedback.chip(own, numbers), feedback.chip(gold, numbers), n)
        for own, gold, n in most_confused(matrices, most=MAX_CONFUSIONS)
    ]
    context = {"progress": progress, "confusions": confusions}
    return render(request, "practice/practice.html", context)


@require_POST
@answers_errors
def next_page(request: CorpusRequest, slug: str) -> HttpResponse:
    """Open the active page, or the next practice page."""
    slot = actions.open_next(corpus=request.access.corpus, annotator=request.user)
    return redirect("annotate", slug, slot.key) if slot else redirect("practice", slug)


@require_POST
@answers_errors
def submit(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Submit a practice page; its feedback comes next."""
    page = own_page_or_404(request, key)
    actions.submit_page(page=page, annotator=request.user, based_on=whole(json_body(request), "based_on"))
    return JsonResponse({"next": reverse("practice-feedback", args=[slug, key])})


@require_GET
@trusted_types
def show_feedback(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """The annotator's marks against gold; nothing of gold before the page is submitted."""
    corpus, page = request.access.corpus, own_page_or_404(request, key)
    if page.evaluated_at is None:
        raise Http404
    if hasattr(page.slot.round.page, "takedown"):
        return refuse(request, 410, _("This page was taken down."))
    found = feedback.of_page(page, corpus)
    context = {
        "found": found,
        "payload": found.payload,
        "rules": found.rules,
        "progress": queries.progress_of(corpus, request.user),
    }
    return render(request, "practice/feedback.html", context)


# ---- an admin's ----


@require_http_methods(["GET", "POST"])
def setting(request: CorpusRequest, slug: str) -> HttpResponse:
    """The practice settings, the time they cost, and the annotators with their progress."""
    corpus = request.access.corpus
    current = newest(corpus) or PracticeSettings(corpus=corpus, number=0, seed=0)
    if request.method == "GET":
        return _show(request, PracticeForm.about(current, request.user), current)
    form = PracticeForm(request.POST, current=current, admin=request.user)
    if not form.is_valid():
        return _show(request, form, current, status=422)
    try:
        made = actions.set_practice(corpus=corpus, made_by=request.user, **form.settings())
    except GoldpanError as error:
        if isinstance(error, Conflict):
            current = newest(corpus) or current
            base_on(form, current.number, request.POST)
        return _show(request, form, current, problem=error.message, status=error.status)
    message = _("Practice is required from now on.") if made.source else _("Practice is no longer required.")
    messages.success(request, message)
    return redirect("practice-setting", slug)


@require_POST
@shows_errors("practice-setting")
def waive(request: CorpusRequest, slug: str, member: int) -> HttpResponse:
    corpus, person = request.access.corpus, get_object_or_404(User, pk=member)
    if person not in {row.person for row in queries.practice_by_annotator(corpus)}:
        raise Http404
    actions.waive_practice(
        corpus=corpus, annotator=person, by=request.user, reason=request.POST.get("reason", "")
    )
    messages.success(request, _("%(name)s can now annotate.") % {"name": person})
    return redirect("practice-setting", slug)


def _show(
    request: CorpusRequest,
    form: PracticeForm,
    current: PracticeSettings,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    corpus = request.access.corpus
    rows = queries.practice_by_annotator(corpus)
    seconds = queries.median_seconds([each for each in (current.source, corpus) if each])
    attempt_seconds = (seconds or 0) * current.pages
    context: dict[str, Any] = {
        "form": form,
        "current": current,
        "problem": problem,
        "rows": rows,
        "unqualified": sum(row.is_member and row.progress.is_required for row in rows),
        "versions": queries.versions(corpus),
        "seconds": seconds,
        "attempt_seconds": attempt_seconds,
        "all_seconds": attempt_seconds * current.max_attempts,
        "max_reason": MAX_REASON,
    }
    return render(request, "practice/setting.html", context, status=status)
