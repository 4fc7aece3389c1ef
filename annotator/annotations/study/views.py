"""The study settings screen."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.annotations.rounds.arms import shares_of
from annotator.annotations.study import actions, cost, queries
from annotator.annotations.study.forms import DesignForm
from annotator.annotations.study.models import StudyDesign
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import base_on
from annotator.corpora.models import Corpus

SHARES = (0.2, 0.3, 0.5, 1.0)
WIDTHS = (0.05, 0.03, 0.02)


@require_http_methods(["GET", "POST"])
def design(request: CorpusRequest, slug: str) -> HttpResponse:
    """The settings for pages processed from now on, what they cost, and earlier versions."""
    corpus = request.access.corpus
    current = queries.current(corpus)
    if request.method == "GET":
        return _show(request, DesignForm.about(current, corpus), current)
    form = DesignForm(request.POST, corpus=corpus)
    if not form.is_valid():
        return _show(request, form, current, status=422)
    try:
        made = actions.change_design(corpus=corpus, made_by=request.user, **form.settings())
    except GoldpanError as error:
        if isinstance(error, Conflict):
            current = queries.current(corpus)
            base_on(form, current.number, request.POST)
        return _show(request, form, current, problem=error.message, status=error.status)
    messages.success(
        request,
        _("Version %(number)d applies to pages processed from now on.") % {"number": made.number},
    )
    return redirect("study", slug)


def _show(
    request: CorpusRequest, form: DesignForm, current: StudyDesign, *, problem: str = "", status: int = 200
) -> HttpResponse:
    corpus = request.access.corpus
    pages = corpus.pages.count()
    context: dict[str, Any] = {
        "form": form,
        "problem": problem,
        "versions": queries.versions(corpus),
        "pages": pages,
        "costs": [cost.of_share(share, pages) for share in sorted({*SHARES, current.blind_share})],
        "widths": [(width, cost.pages_until(width)) for width in WIDTHS],
        "unseen": _unseen(form, current, corpus),
    }
    return render(request, "annotations/study.html", context, status=status)


def _unseen(form: DesignForm, current: StudyDesign, corpus: Corpus) -> list[tuple[str, float]]:
    """Families of extractors with the share of pages that will be blind to each, the least first."""
    weights = actions.weights(current, corpus, form.extractors)
    shown = shares_of({each.pk: weight for each, weight in weights.items()}, current.slots)
    families: dict[str, set[int]] = {}
    for each in weights:
        families.setdefault(each.family, set()).add(each.pk)
    found = (
        (family, cost.unseen_share(shown, frozenset(keys), current.blind_share))
        for family, keys in families.items()
    )
    return sorted(found, key=lambda row: row[1])
