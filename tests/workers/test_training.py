"""Real workers: a model that was killed twice ends as if it had not been, and is run and scored."""

import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotator import pipeline
from annotator.corpora.models import Corpus
from annotator.runs.models import CorpusExtractor, Run
from annotator.runs.tuned_on import tuned_on
from annotator.scoring.models import Score
from annotator.training.actions import request_model
from annotator.training.models import TrainedModel, TrainingRound
from annotator.training.training import one_at_a_time
from tests.annotator.training.made import released, trained
from tests.factories import MakePage
from tests.held import settings
from tests.processes import connections, periodic, purge_queues, wait_for, wait_until_gone, worker

pytestmark = pytest.mark.django_db(transaction=True)

# Enough that a process can be killed in their midst.
ROUNDS = 150


def test_a_model_killed_twice_is_the_same_and_its_run_starts(
    corpus: Corpus, make_page: MakePage, tmp_path: Path
) -> None:
    CorpusExtractor.objects.exclude(extractor__name="everything").delete()
    source = released(corpus, make_page)
    model = request_model(release=source, architecture="goldpan", rounds=ROUNDS)
    held = settings("annotator.training.training:_Watch.round_is_done", after=ROUNDS // 3)
    for kill, least in enumerate((3, 20)):
        before = connections()
        pipeline.enqueue(model)
        with worker(tmp_path, name=f"victim{kill}", concurrency=1, app="tests.held", settings=held) as victim:
            wait_for(lambda least=least: rounds(model) >= least, "some rounds")  # type: ignore[misc]
            os.killpg(victim.pid, signal.SIGKILL)
            # A heartbeat that it has just sent would keep the row for it, and a process that ends its lock.
            wait_until_gone(besides=before)
            wait_for(nothing_is_learned, "the end of the worker")
        assert least <= rounds(model) < ROUNDS
        # As if it had been long ago.
        long_ago = timezone.now() - timedelta(minutes=5)
        assert TrainedModel.objects.filter(pk=model.pk, extractor=None).update(heartbeat_at=long_ago)
        purge_queues()
    with periodic(tmp_path), worker(tmp_path, name="last"):
        pipeline.enqueue(model)
        wait_for(
            lambda: Run.objects.filter(extractor__model=model, completed_at__isnull=False).exists(),
            "its run",
        )
    model.refresh_from_db()
    assert model.extractor
    assert rounds(model) == ROUNDS
    scores = Score.objects.filter(extraction__extractor=model.extractor, finished_at__isnull=False)
    seen = tuned_on(model.corpus_id, [model.extractor.pk])[model.extractor.pk]
    assert {score.gold.page in seen for score in scores.select_related("gold__page")} == {True, False}
    again = trained(source, "goldpan", rounds=ROUNDS)
    assert again.file_sha256 == model.file_sha256


def nothing_is_learned() -> bool:
    with one_at_a_time() as is_free:
        return is_free


def rounds(model: TrainedModel) -> int:
    return TrainingRound.objects.filter(model=model).count()
