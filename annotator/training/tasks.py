"""Trains models, on the queue `bulk`."""

from celery import shared_task

from annotator.common import work
from annotator.runs.tasks import follow
from annotator.training import growth, training
from annotator.training.models import LearningCurve, TrainedModel


# No time limit: training takes long, and its heartbeat shows that it is alive.
@shared_task
def train_model(model_id: int) -> None:
    run = work.run(TrainedModel, model_id, training.train)
    if run:
        follow(run)


@shared_task
def measure_curve(curve_id: int) -> None:
    work.run(LearningCurve, curve_id, growth.measure)
