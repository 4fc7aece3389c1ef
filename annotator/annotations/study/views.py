"""The screen of the study design."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.annotations.arms import shares_of
from annotator.annotations.study import actions, cost, queries
from annotator.annotations.study.forms import DesignForm
from annotator.annotations.study.models import StudyDesign
from annotator.common.errors import Conflict, GoldpanError

SHARES = (0.2, 0.3, 0.5, 1.0)
WIDTHS = (0.05, 0.03, 0.02)


@require_http_methods(["GET", "POST"])
def design(request: HttpRequest, slug: str) -> HttpResponse:
    """How pages are given out from now on, what that costs, and how it was before."""
    corpus = request.standing.corpus
    stands = queries.standing(corpus)
    if request.method == "GET":
        return _show(request, DesignForm.about(stands, corpus), stands)
    form = DesignForm(request.POST, corpus=corpus)
    if not form.is_valid():
        return _show(request, form, stands, status=422)
    try:
        made = actions.change_design(corpus=corpus, made_by=request.user, **form.settings())
    except GoldpanError as error:
        if isinstance(error, Conflict):
            stands = queries.standing(corpus)
            form.data = {**form.data.dict(), "based_on": stands.number}
        return _show(request, form, stands, problem=error.message, status=error.status)
    messages.success(
        request,
        _("Design %(number)d stands for pages that are opened from now on.") % {"number": made.number},
    )
    return redirect("study", slug)


def _show(
    request: HttpRequest, form: DesignForm, stands: StudyDesign, *, problem: str = "", status: int = 200
) -> HttpResponse:
    corpus = request.standing.corpus
    pages = corpus.pages.count()
    context: dict[str, Any] = {
        "form": form,
        "stands": stands,
        "problem": problem,
        "versions": queries.versions(corpus),
        "pages": pages,
        "costs": [cost.of_share(share, pages) for share in sorted({*SHARES, stands.blind_share})],
        "widths": [(width, cost.pages_until(width)) for width in WIDTHS],
        "unseen": _unseen(form, stands),
    }
    return render(request, "annotations/study.html", context, status=status)


def _unseen(form: DesignForm, stands: StudyDesign) -> list[tuple[str, float]]:
    """Family of extractors -> the share of pages that will be blind to it, the least first."""
    weights = {
        each.pk: float(stands.shares.get(str(each.pk), 0)) if stands.shares else 1.0
        for each in form.extractors
    }
    shown = shares_of(weights, stands.slots)
    families: dict[str, set[int]] = {}
    for each in form.extractors:
        families.setdefault(each.family, set()).add(each.pk)
    found = (
        (family, cost.unseen_share(shown, frozenset(keys), stands.blind_share))
        for family, keys in families.items()
    )
    return sorted(found, key=lambda row: row[1])
