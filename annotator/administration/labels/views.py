"""The labels tab of the settings."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.administration.labels import actions, queries
from annotator.administration.labels.forms import AddLabelForm, LabelForms
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.corpora.queries import labels_of

# What a button of the form does beside saving: its name -> the verb.
VERBS = {
    "retire": actions.retire_label,
    "restore": actions.restore_label,
    "delete": actions.delete_label,
}


@require_http_methods(["GET", "POST"])
def labels(request: CorpusRequest, slug: str) -> HttpResponse:
    """The labels; one form saves them all, and may add, retire, restore or delete one besides."""
    corpus = request.access.corpus
    if request.method == "GET":
        return _show(request)
    rows = LabelForms.sent(request.POST, request.POST.getlist("label"))
    adding = AddLabelForm(request.POST)
    if not (rows.is_valid() and adding.is_valid()):
        return _show(request, rows=rows, adding=adding, status=422)
    try:
        _save(corpus, rows, adding, request)
    except Conflict as error:
        # Rows that build on older labels would hide what somebody else has changed.
        is_old = rows.based_on != Corpus.objects.get(pk=corpus.pk).labels_version
        shown = None if is_old else rows
        return _show(request, rows=shown, adding=adding, problem=error.message, status=error.status)
    except GoldpanError as error:
        adding.add_error("added", error.message)
        return _show(request, rows=rows, adding=adding, status=error.status)
    messages.success(request, _("Labels saved."))
    return redirect("labels", slug)


@transaction.atomic
def _save(corpus: Corpus, rows: LabelForms, adding: AddLabelForm, request: CorpusRequest) -> None:
    """Save all rows and add the label that was typed, then do what the button says."""
    version = actions.change_labels(corpus=corpus, based_on=rows.based_on, labels=rows.settings())
    added = adding.cleaned_data["added"]
    # Enter in its field presses the first button of the form, which is to save.
    if added or "add" in request.POST:
        version = actions.add_label(corpus=corpus, based_on=version, title=added)
    for name, verb in VERBS.items():
        if name in request.POST:
            verb(corpus=corpus, based_on=version, pk=read_id(request.POST[name]) or 0)


def _show(
    request: CorpusRequest,
    *,
    rows: LabelForms | None = None,
    adding: AddLabelForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    corpus = Corpus.objects.get(pk=request.access.corpus.pk)
    found = labels_of(corpus)
    uses = queries.uses_of(corpus, found)
    rows = rows or LabelForms.about(found, corpus.labels_version)
    by_key = {str(label.pk): label for label in found}
    shown = [(row, by_key[str(row["pk"].value())]) for row in rows.rows if str(row["pk"].value()) in by_key]
    context: dict[str, Any] = {
        "rows": [(row, label, uses[label.pk]) for row, label in shown],
        "based_on": rows.based_on,
        "retired": [(label, uses[label.pk]) for label in found if label.retired_at],
        "adding": adding or AddLabelForm(),
        "sets": queries.label_sets(corpus, found),
        "problem": problem,
        "themes": ("light", "dark"),
    }
    return render(request, "administration/labels.html", context, status=status)
