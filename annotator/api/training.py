"""Models that are trained on releases."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema, Status
from pydantic import Field

from annotator import pipeline
from annotator.api.fields import Digest, Key, Listed, RequestFields, Text, Window, listed
from annotator.api.routing import operation
from annotator.api.runs import ExtractorOut
from annotator.common.errors import GoldpanError
from annotator.corpora.access import CorpusRequest
from annotator.releases.queries import finished
from annotator.training import actions, queries, views
from annotator.training.models import TrainedModel, TrainingStage

router = Router(tags=["models"])
MODEL = "/corpora/{slug:slug}/models/{id:number}"
Rounds = Annotated[int, Field(ge=1, le=actions.MOST_ROUNDS)]


class ModelOut(Schema):
    """An architecture that learns from a release; trained, it is an extractor, whose run has started."""

    number: int
    architecture: str
    release: int
    labels: str = Field(description="The label set whose labels are content")
    seed: int
    stage: TrainingStage
    error: str
    rounds_done: int
    rounds_at_most: int
    requested_at: datetime
    finished_at: datetime | None
    unseen: dict[str, Any] | None = Field(description="Figures on the pages of the split test, by blocks")
    data_sha256: Digest | None = Field(description="Of the pages that it learned from, with their gold")
    file_sha256: Digest | None
    extractor: ExtractorOut | None

    @staticmethod
    def resolve_release(model: TrainedModel) -> int:
        return model.release.number

    @staticmethod
    def resolve_data_sha256(model: TrainedModel) -> str | None:
        return model.data_sha256 or None

    @staticmethod
    def resolve_file_sha256(model: TrainedModel) -> str | None:
        return model.file_sha256 or None


class NewModel(RequestFields):
    architecture: Text = Field("goldpan", max_length=60)
    release: int = Field(ge=1, le=2**31 - 1, description="The number of the release to learn from")
    labels: Text = Field("main", max_length=20)
    seed: int = Field(1, ge=0, le=2**31 - 1, description="The same seed and release give the same model")
    rounds: Rounds | None = Field(None, description="At most; null: as the architecture's authors chose")
    patience: Rounds | None = Field(None, description="Rounds without a better one after which it ends")


@operation(router, "GET", "/corpora/{slug:slug}/models", "list-models", response=Listed[ModelOut])
def list_models(request: CorpusRequest, slug: str, window: Query[Window]) -> dict[str, Any]:
    return listed(queries.models_of(request.access.corpus), window)


@operation(router, "POST", "/corpora/{slug:slug}/models", "train-model", response=ModelOut, status=202)
def train(request: CorpusRequest, slug: str, new: NewModel) -> Status[Any]:
    """Ask for a model; a worker trains it, and then runs its extractor over all pages."""
    release = finished(request.access.corpus).filter(number=new.release).first()
    if release is None:
        raise GoldpanError(_("There is no finished release %(number)s.") % {"number": new.release})
    made = actions.request_model(**new.dict() | {"release": release}, user=request.user)
    pipeline.enqueue(made)
    return Status(202, views.model_or_404(request, made.number))


@operation(router, "GET", MODEL, "get-model", response=ModelOut)
def get_model(request: CorpusRequest, slug: str, number: Key) -> TrainedModel:
    return views.model_or_404(request, number)


@operation(router, "GET", f"{MODEL}/file", "get-model-file", content="application/octet-stream")
def get_model_file(request: CorpusRequest, slug: str, number: Key) -> HttpResponseBase:
    """The file of a trained model, which `goldpan extract --with FILE` runs."""
    return views.file(request, slug, number)


@operation(router, "POST", f"{MODEL}/stop", "stop-model", response=ModelOut)
def stop(request: CorpusRequest, slug: str, number: Key) -> TrainedModel:
    """Stop after the round that is being trained; it can be resumed."""
    return _do(request, number, lambda model: actions.stop_model(model=model, user=request.user))


@operation(router, "POST", f"{MODEL}/resume", "resume-model", response=ModelOut)
def resume(request: CorpusRequest, slug: str, number: Key) -> TrainedModel:
    """Go on after the last round that was done, of a model that was stopped or has failed."""

    def go_on(model: TrainedModel) -> None:
        actions.resume_model(model=model, user=request.user)
        pipeline.enqueue(model)

    return _do(request, number, go_on)


def _do(request: CorpusRequest, number: int, act: Callable[[TrainedModel], None]) -> TrainedModel:
    model = views.model_or_404(request, number)
    request.access.check_may_change(model)
    act(model)
    return views.model_or_404(request, number)
