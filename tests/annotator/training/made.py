"""A release to learn from: pages of a site each, half of whose blocks are content."""

from typing import Any

from django.utils import timezone

from annotator.common import storage, work
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from annotator.releases.models import Release
from annotator.runs.models import MODEL, Extractor
from annotator.training import training
from annotator.training.actions import request_model
from annotator.training.models import LearningCurve, TrainedModel, TrainingRound
from extraction.learning.runs import LICENCE_NOTE
from tests.annotator.releases.made import gold_on, release, story
from tests.factories import MakePage

PAGES = 12


def released(corpus: Corpus, make_page: MakePage, *, pages: int = PAGES) -> Release:
    """A release of pages that are no near duplicates, in all three splits."""
    for number in range(pages):
        gold_on(taught(make_page, number))
    return release(corpus)


def taught(make_page: MakePage, number: int) -> Page:
    """One of these pages, without gold."""
    return make_page(story(number), url=f"https://site{number}.example/story", opened=False)


def trained(source: Release, architecture: str = "mss-supervised", **chosen: Any) -> TrainedModel:
    """A model, trained at once."""
    model = request_model(release=source, architecture=architecture, **chosen)
    work.run(TrainedModel, model.pk, training.train)
    found = TrainedModel.objects.get(pk=model.pk)
    assert found.extractor, found.error
    return found


def models_in_every_state(corpus: Corpus, admin: User) -> dict[str, TrainedModel]:
    """Models that are trained, running, stopped, failed and queued, by these words; made, not trained."""
    source = Release.objects.filter(corpus=corpus).exclude(sha256="").earliest("number")
    now = timezone.now()
    file = bytes(61_440)
    digest = storage.put(file)
    extractor = Extractor.objects.create(
        name="goldpan-own",
        version=f"2{MODEL}1-0123abcd",
        family="goldpan",
        trained_in=corpus,
        architecture="goldpan",
        model_sha256=digest,
    )
    whole = {
        "finished_at": now,
        "extractor": extractor,
        "file_sha256": digest,
        "file_size": len(file),
        "data_sha256": "d" * 64,
        "splits_sha256": "5" * 64,
        "code_version": "0.1.0, goldpan 2, parser 1",
        "licence_note": LICENCE_NOTE,
        "metrics": {
            "unseen": {
                "pages": 31,
                "blocks": 4170,
                "accuracy": 0.97,
                "positive": {"precision": 0.95, "recall": 0.932, "f1": 0.941},
                "negative": {"precision": 0.982, "recall": 0.99, "f1": 0.986},
            }
        },
    }
    states: dict[str, dict[str, Any]] = {
        "done": {**whole, "rounds_done": 20},
        "running": {"heartbeat_at": now, "rounds_done": 12, "attempts": 1},
        "stopped": {"stopped_at": now, "finished_at": now, "rounds_done": 5},
        "failed": {"finished_at": now, "error": "the pages to learn from have no content"},
        "queued": {},
    }
    found = {}
    for number, (state, given) in enumerate(states.items(), start=1):
        found[state] = TrainedModel.objects.create(
            corpus=corpus,
            number=number,
            architecture="goldpan",
            hyper_parameters={"rounds": None, "patience": None},
            labels="main",
            release=source,
            requested_by=admin,
            rounds_at_most=20 if given.get("rounds_done") else 0,
            pages=120,
            **given,
        )
        TrainingRound.objects.bulk_create(
            TrainingRound(
                model=found[state],
                part="body",
                number=at,
                loss=0.6 / at**0.6,
                score=0.94 - 0.3 / at - 0.002 * at,
            )
            for at in range(1, given.get("rounds_done", 0) + 1)
        )
    return found


def measured_curve(corpus: Corpus, admin: User) -> LearningCurve:
    """A learning curve as it is once measured; made, not measured."""
    f1 = {15: (0.71, 0.66, 0.77), 30: (0.8, 0.76, 0.84), 60: (0.86, 0.83, 0.89), 120: (0.9, 0.88, 0.92)}
    figures = [dict(zip(("pages", "f1", "low", "high"), (n, *each), strict=True)) for n, each in f1.items()]
    return LearningCurve.objects.create(
        corpus=corpus,
        release=Release.objects.filter(corpus=corpus).exclude(sha256="").earliest("number"),
        labels="main",
        requested_by=admin,
        data_sha256="d" * 64,
        folds=5,
        folds_done=5,
        finished_at=timezone.now(),
        result={
            "parts": figures,
            "now": {"pages": 150, "f1": 0.911, "low": 0.89, "high": 0.93},
            "next": {"pages": 250, "f1": 0.928, "low": 0.9, "high": 0.95},
            "gain": {"pages": 100, "f1": 0.017, "low": 0.008, "high": 0.026},
        },
    )
