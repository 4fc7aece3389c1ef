"""Models: ask for one, follow its training, stop or resume it."""

from io import BytesIO
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common import storage
from annotator.common.errors import GoldpanError
from annotator.common.http import shows_errors
from annotator.common.ranges import file_response
from annotator.common.roles import ADMIN
from annotator.corpora.access import CorpusRequest
from annotator.releases.queries import finished
from annotator.training import actions, growth, queries
from annotator.training.curves import curves_of, growth_chart
from annotator.training.forms import ModelForm
from annotator.training.models import LearningCurve, TrainedModel
from extraction.extractors.learned.trained import SUFFIX
from extraction.learning.architectures import NAMES, missing_library
from extraction.spans import LABEL_SETS

LISTED = 50


# ---- screens ----


@require_GET
def models(request: CorpusRequest, slug: str) -> HttpResponse:
    """The models of the corpus, and the form to train one."""
    return _show(request, ModelForm(request.access.corpus))


def _show(request: CorpusRequest, form: ModelForm, *, status: int = 200) -> HttpResponse:
    missing = ((name, missing_library(name)) for name in sorted(NAMES))
    context = {
        **_list(request),
        "form": form,
        "has_release": finished(request.access.corpus).exists(),
        "missing": [(name, why) for name, why in missing if why],
    }
    return render(request, "models/models.html", context, status=status)


@require_GET
def now(request: CorpusRequest, slug: str) -> HttpResponse:
    """The list alone, fetched by the open screen."""
    return render(request, "models/list.html", _list(request))


def _list(request: CorpusRequest) -> dict[str, Any]:
    found = list(queries.models_of(request.access.corpus)[:LISTED])
    curves = list(queries.newest_curves(request.access.corpus))
    measured = next((curve for curve in curves if curve.result), None)
    is_moving = any(model.is_moving for model in found) or any(not curve.finished_at for curve in curves)
    return {
        "models": found,
        "is_moving": is_moving,
        "curve": curves[0] if curves else None,
        "measured": measured,
        "chart": growth_chart(measured.result) if measured and measured.result else None,
        "label_sets": list(LABEL_SETS),
        "is_admin": ADMIN in request.access.roles,
    }


@require_GET
def model(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    """One model: how far it is, its curves, what it learned from and what came of it."""
    return render(request, "models/model.html", _state(request, number))


@require_GET
def state(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    """How far a model is, fetched by its open screen."""
    return render(request, "models/state.html", _state(request, number))


def _state(request: CorpusRequest, number: int) -> dict[str, Any]:
    shown = model_or_404(request, number)
    return {
        "model": shown,
        "curves": curves_of(shown.rounds.all()),
        "is_admin": ADMIN in request.access.roles,
    }


@require_GET
def file(request: CorpusRequest, slug: str, number: int) -> HttpResponseBase:
    """Download a trained model, which `goldpan extract --with FILE` runs."""
    model = model_or_404(request, number)
    if not model.file_sha256:
        raise Http404
    try:
        data = storage.get(model.file_sha256)
    except FileNotFoundError as error:
        raise Http404 from error
    return file_response(
        request,
        BytesIO(data),
        name=f"{slug}-{model.architecture}-{model.number}{SUFFIX}",
        size=model.file_size,
        sha256=model.file_sha256,
    )


# ---- what a person asks for ----


@require_POST
def start(request: CorpusRequest, slug: str) -> HttpResponse:
    """Train a model, and follow it."""
    form = ModelForm(request.access.corpus, request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    release = finished(request.access.corpus).get(number=form.cleaned_data["release"])
    try:
        made = actions.request_model(**{**form.cleaned_data, "release": release}, user=request.user)
    except GoldpanError as error:
        form.add_error(None, error.message)
        return _show(request, form, status=error.status)
    pipeline.enqueue(made)
    return redirect("model", slug, made.number)


@require_POST
@shows_errors("models")
def start_curve(request: CorpusRequest, slug: str) -> HttpResponse:
    """Measure the learning curve of the newest release, by the label set that was chosen."""
    newest = finished(request.access.corpus).first()
    if newest is None:
        raise GoldpanError(_("A learning curve is measured on a release, of which there is none yet."))
    labels = request.POST.get("labels", "main")
    curve = growth.request_curve(release=newest, labels=labels, user=request.user)
    pipeline.enqueue(curve)
    return redirect("models", slug)


@require_POST
@shows_errors("models")
def stop_curve(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    curves = LearningCurve.objects.filter(corpus=request.access.corpus)
    growth.stop_curve(curve=get_object_or_404(curves, pk=pk), user=request.user)
    return redirect("models", slug)


@require_POST
@shows_errors("model", "number")
def stop(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    actions.stop_model(model=_own_model(request, number), user=request.user)
    return redirect("model", slug, number)


@require_POST
@shows_errors("model", "number")
def resume(request: CorpusRequest, slug: str, number: int) -> HttpResponse:
    resumed = _own_model(request, number)
    actions.resume_model(model=resumed, user=request.user)
    pipeline.enqueue(resumed)
    return redirect("model", slug, number)


def _own_model(request: CorpusRequest, number: int) -> TrainedModel:
    """A model that this person may change. Raises NotAllowed for one that somebody else has asked for."""
    found = model_or_404(request, number)
    request.access.check_may_change(found)
    return found


def model_or_404(request: CorpusRequest, number: int) -> TrainedModel:
    """A model of the corpus."""
    return get_object_or_404(queries.models_of(request.access.corpus), number=number)
