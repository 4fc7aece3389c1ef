"""The danger zone of the settings: each of its forms asks for the corpus's name."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.administration.danger import actions
from annotator.common.errors import GoldpanError
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import ConfirmationForm


@require_GET
def danger_zone(request: CorpusRequest, slug: str) -> HttpResponse:
    return _show(request)


@require_POST
def archive(request: CorpusRequest, slug: str) -> HttpResponse:
    return _confirmed(
        request, "archive", actions.archive, _("The corpus is archived: it can be read, not changed.")
    )


@require_POST
def restore(request: CorpusRequest, slug: str) -> HttpResponse:
    return _confirmed(request, "restore", actions.restore, _("The corpus can be changed again."))


@require_POST
def delete(request: CorpusRequest, slug: str) -> HttpResponse:
    name = request.access.corpus.name
    answer = _confirmed(request, "delete", actions.delete, _("Deleted %(corpus)s.") % {"corpus": name})
    return redirect("home") if answer.status_code == 302 else answer


def _confirmed(request: CorpusRequest, what: str, act: Callable[..., None], done: str) -> HttpResponse:
    """Act if the corpus's name was typed; otherwise say so at the field."""
    corpus = request.access.corpus
    form = ConfirmationForm(corpus, request.POST, prefix=what)
    if not form.is_valid():
        return _show(request, status=422, **{what: form})
    try:
        act(corpus=corpus)
    except GoldpanError as error:
        form.add_error(None, error.message)
        return _show(request, status=error.status, **{what: form})
    messages.success(request, done)
    return redirect("danger-zone", corpus.slug)


def _show(request: CorpusRequest, *, status: int = 200, **forms: ConfirmationForm) -> HttpResponse:
    corpus = request.access.corpus
    context: dict[str, Any] = {
        **{what: ConfirmationForm(corpus, prefix=what) for what in ("archive", "restore", "delete")},
        **forms,
        "obstacles": actions.obstacles_to_deleting(corpus),
    }
    return render(request, "administration/danger_zone.html", context, status=status)
