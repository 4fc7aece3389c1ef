"""The screens of models: who may do what, what they say, how many queries they take."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.training.curves import curves_of
from annotator.training.models import TrainedModel, TrainingRound
from extraction.learning import architectures
from tests.annotator.training.made import models_in_every_state, released
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

SENT = {
    "architecture": "mss-supervised",
    "release": "1",
    "labels": "main",
    "seed": "3",
    "rounds": "",
    "patience": "",
}


def address(name: str, corpus: Corpus, *keys: int) -> str:
    return reverse(name, args=[corpus.slug, *keys])


def test_an_admin_trains_a_model_and_a_researcher_looks_on(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    released(corpus, make_page)
    admin, researcher = signed_in(cast.hanne), signed_in(cast.rhea)
    assert researcher.post(address("model-start", corpus), SENT).status_code == 403
    answer = admin.post(address("model-start", corpus), SENT)
    model = TrainedModel.objects.get()
    assert answer["Location"] == address("model", corpus, model.number)
    assert (model.requested_by, model.seed, model.release.number) == (cast.hanne, 3, 1)
    assert model.hyper_parameters == {"rounds": None, "patience": None}
    for name in ("stop", "resume"):
        assert researcher.post(address(f"model-{name}", corpus, 1)).status_code == 403
    page = researcher.get(address("models", corpus)).content.decode()
    assert "mss-supervised" in page
    assert address("model-start", corpus) not in page
    assert admin.post(address("model-stop", corpus, 1)).status_code == 302
    model.refresh_from_db()
    assert model.stage == "stopped"
    assert admin.post(address("model-resume", corpus, 1)).status_code == 302
    model.refresh_from_db()
    assert model.stage == "queued"
    actions = AuditEvent.objects.filter(action__startswith="training").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "training_started",
        "training_stopped",
        "training_resumed",
    ]


def test_label_sets_are_called_as_on_the_leaderboard(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    released(corpus, make_page)
    hanne.post(address("model-start", corpus), SENT)
    form = hanne.get(address("models", corpus)).content.decode().partition("Labels that are content")[2]
    assert '<option value="main" selected>headline and body</option>' in form
    assert "<dd>headline and body</dd>" in hanne.get(address("model", corpus, 1)).content.decode()


def test_a_form_that_is_not_right_says_so(
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "make" in hanne.get(address("models", corpus)).content.decode()
    released(corpus, make_page)
    for name, value in (("architecture", "oracle"), ("release", "9"), ("rounds", "0"), ("seed", "-1")):
        answer = hanne.post(address("model-start", corpus), {**SENT, name: value})
        assert answer.status_code == 422
        assert f'id="id_{name}_error"' in answer.content.decode()
    monkeypatch.setattr(architectures, "find_spec", lambda _: None)
    assert "pip install -r requirements-learned.txt" in hanne.get(address("models", corpus)).content.decode()
    answer = hanne.post(address("model-start", corpus), {**SENT, "architecture": "boilernet"})
    assert answer.status_code == 422
    assert not TrainedModel.objects.exists()


def test_the_screens_use_a_fixed_number_of_queries(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    hanne: Client,
    django_assert_num_queries: Any,
) -> None:
    released(corpus, make_page, pages=4)
    models = models_in_every_state(corpus, cast.hanne)
    with django_assert_num_queries(9):
        hanne.get(address("models", corpus))
    with django_assert_num_queries(5):
        hanne.get(address("models-now", corpus))
    with django_assert_num_queries(6):
        page = hanne.get(address("model", corpus, models["done"].number)).content.decode()
    with django_assert_num_queries(5):
        hanne.get(address("model-state", corpus, models["running"].number))
    table = re.findall(r'<tr><th scope="row" class="n">(\d+)</th>', page)
    assert table == [str(number) for number in range(1, 21)]
    assert page.count("data-chart=") == 2


def test_a_curve_goes_up_where_the_score_does() -> None:
    rounds = [TrainingRound(part="body", number=n, loss=1 / n, score=0.5 + n / 10) for n in (1, 2, 3)]
    (found,) = curves_of(rounds)
    assert found.best.number == 3
    assert found.loss
    assert found.score
    for curve, order in ((found.loss, 1), (found.score, -1)):
        heights = [float(point.y) for point in curve.points]
        assert heights == sorted(heights, reverse=order < 0)
        assert all(curve.frame.top <= height <= curve.frame.bottom for height in heights)
        assert [float(point.x) for point in curve.points] == sorted(float(point.x) for point in curve.points)
    assert curves_of(rounds[:1])[0].loss is None
