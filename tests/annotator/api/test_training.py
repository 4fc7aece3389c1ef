"""Models asked for, followed, stopped and resumed by a program."""

from hashlib import sha256
from types import SimpleNamespace

import pytest

from annotator.common import work
from annotator.common.roles import Scope
from annotator.corpora.models import Corpus
from annotator.training import training
from annotator.training.models import TrainedModel
from tests.annotator.api.client import Api
from tests.annotator.training.made import released
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

MODELS = "/corpora/dailies/models"


def test_a_model_is_trained_through_the_api(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    source = released(corpus, make_page)
    api = Api(cast.hanne)
    wanted = {"architecture": "mss-supervised", "release": source.number, "seed": 7}
    asked = api.post(MODELS, wanted)
    assert (asked.status_code, asked.json()["stage"]) == (202, "queued")
    assert api.post(f"{MODELS}/1/stop").json()["stage"] == "stopped"
    assert api.post(f"{MODELS}/1/stop").status_code == 409
    assert api.get(f"{MODELS}/1/file").status_code == 404
    assert api.post(f"{MODELS}/1/resume").json()["stage"] == "queued"
    work.run(TrainedModel, TrainedModel.objects.get().pk, training.train)
    found = Api(cast.rhea, Scope.READ).get(f"{MODELS}/1").json()
    assert (found["stage"], found["seed"], found["extractor"]["name"]) == ("done", 7, "mss-supervised-own")
    assert found["unseen"]["pages"] > 0
    file = Api(cast.rhea, Scope.READ).get(f"{MODELS}/1/file")
    assert sha256(file.getvalue()).hexdigest() == found["file_sha256"]
    assert file["Content-Disposition"] == 'attachment; filename="dailies-mss-supervised-1.safetensors"'
    assert Api(cast.rhea).get(MODELS).json()["items"] == [found]


def test_what_cannot_be_trained_is_refused_with_the_reason(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    api = Api(cast.hanne)
    missing = api.post(MODELS, {"release": 1})
    assert (missing.status_code, missing.json()["detail"]) == (422, "There is no finished release 1.")
    source = released(corpus, make_page, pages=1)
    alone = api.post(MODELS, {"release": source.number})
    assert alone.status_code == 422
    assert "at least one of both" in alone.json()["detail"]
    assert api.post(MODELS, {"release": source.number, "rounds": 0}).status_code == 422
    assert not TrainedModel.objects.exists()


def test_researchers_train_none_and_annotators_see_none(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    source = released(corpus, make_page)
    Api(cast.hanne).post(MODELS, {"architecture": "mss-supervised", "release": source.number})
    assert Api(cast.rhea).post(MODELS, {"release": source.number}).status_code == 403
    assert Api(cast.rhea).post(f"{MODELS}/1/stop").status_code == 403
    assert Api(cast.hanne, Scope.READ).post(f"{MODELS}/1/stop").status_code == 403
    assert Api(cast.ada).get(MODELS).status_code == 403
    assert Api(cast.dov).get(f"{MODELS}/1").status_code == 404
    assert TrainedModel.objects.get().stopped_at is None
