"""Trains a model, claimed, and makes an extractor of it.

Checkpoints lie in the data folder of the machine. Another machine begins again, and ends with the same model.
"""

import fcntl
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotator import __version__
from annotator.common import storage, work
from annotator.runs.models import MODEL, Extractor, Run, own_name
from annotator.runs.running import start_run
from annotator.runs.tuned_on import write_tuned_on
from annotator.training.models import TrainedModel, TrainingRound
from annotator.training.pages import TaughtPages, split_of, taught_pages
from extraction import extractors
from extraction.documents.document import PARSER_VERSION
from extraction.extractors.learned.trained import seen_by
from extraction.learning.architectures import architecture
from extraction.learning.runs import LICENCE_NOTE, Trained
from extraction.learning.runs import run as learn
from extraction.learning.training import Control, LearningError, Progress, Settings, Stopped

# Seconds between two looks whether somebody stopped it.
INTERVAL = 1.0

# Hears what is done now, how much of it is done, and how much there is at most.
Step = Callable[[str, int, int], object]


def train(model: TrainedModel, step: Step = lambda _what, _done, _of: None) -> Run | None:
    """Train a claimed model, and start a run of its extractor, which is returned.

    None if it was stopped, failed, taken over, or has to wait for another one on this machine.
    `step` is called after each page that is read and each round.
    """
    with one_at_a_time() as is_free:
        if not is_free:
            work.requeue(model, until=timezone.now())
            return None
        try:
            return _train(model, step)
        except LearningError as error:
            work.fail(model, error=str(error))
        except Stopped:
            _rest(model)
    return None


@contextmanager
def one_at_a_time() -> Iterator[bool]:
    """Whether nothing else is being learned on this machine; nothing is meanwhile."""
    with (settings.GOLDPAN_HOME / "training.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _rest(model: TrainedModel) -> None:
    """Finish as work what somebody stopped, unless they have resumed it meanwhile."""
    rests = TrainedModel.objects.filter(pk=model.pk, token=model.token, finished_at=None)
    if not rests.filter(stopped_at__isnull=False).update(finished_at=timezone.now()):
        work.requeue(model, until=timezone.now())


def _train(model: TrainedModel, step: Step) -> Run | None:
    taught = taught_pages(model.release, model.labels)
    _begin(model, taught)
    folder = settings.GOLDPAN_HOME / "training" / f"{model.pk}-{model.data_sha256[:16]}"
    watch = _Watch(model, len(taught.pages), step)
    trained = learn(
        architecture(model.architecture),
        split_of(taught, watch.page_is_ready),
        settings=Settings(seed=model.seed, **model.hyper_parameters),
        folder=folder,
        control=Control(watch.round_is_done, watch.should_stop),
    )
    run = _finish(model, trained)
    shutil.rmtree(folder, ignore_errors=True)
    return run


def _begin(model: TrainedModel, taught: TaughtPages) -> None:
    """Note what is trained on; curves of other pages, one of which was taken down, start over."""
    if model.data_sha256 not in ("", taught.data_sha256):
        TrainingRound.objects.filter(model=model).delete()
    model.data_sha256, model.splits_sha256 = taught.data_sha256, taught.splits_sha256
    held = work.send_heartbeat(
        model,
        data_sha256=model.data_sha256,
        splits_sha256=model.splits_sha256,
        pages=len(taught.pages),
        pages_ready=0,
    )
    if not held:
        raise Stopped("another worker has taken it over")


class _Watch:
    """Writes down how far a model is, and looks whether it is to go on."""

    def __init__(self, model: TrainedModel, pages: int, step: Step) -> None:
        self._model = model
        self._pages = pages
        self._step = step
        self._ready = 0
        self._looked = monotonic()

    def page_is_ready(self) -> None:
        """Another page has been read. Raises Stopped if it is not to go on."""
        self._ready += 1
        self._step("reading pages", self._ready, self._pages)
        if monotonic() - self._looked >= INTERVAL and self.should_stop():
            raise Stopped("stopped while pages are read")

    def round_is_done(self, heard: Progress) -> None:
        """Store a point of the curves. A round that was done again has the same."""
        TrainingRound.objects.bulk_create(
            [
                TrainingRound(
                    model=self._model, part=heard.part, number=heard.round, loss=heard.loss, score=heard.score
                )
            ],
            ignore_conflicts=True,
        )
        # Whoever gets so far may be killed as often again.
        work.send_heartbeat(
            self._model,
            rounds_done=heard.round,
            rounds_at_most=heard.rounds,
            pages_ready=self._ready,
            attempts=1,
        )
        self._step(f"training {heard.part}", heard.round, heard.rounds)

    def should_stop(self) -> bool:
        """Whether somebody stopped it, or another worker has it."""
        self._looked = monotonic()
        return not work.may_go_on(self._model, pages_ready=self._ready)


@transaction.atomic
def _finish(model: TrainedModel, trained: Trained) -> Run | None:
    """Store the model, make an extractor of it, and start its run; None if another worker was faster."""
    data = trained.model.to_bytes()
    digest = storage.put(data)
    base = extractors.get(model.architecture)
    with transaction.atomic():
        extractor = Extractor.objects.create(
            name=own_name(model.architecture),
            version=f"{base.version}{MODEL}{model.number}-{digest[:8]}",
            family=base.family,
            can_be_arm=base.can_be_arm,
            trained_in=model.corpus,
            architecture=model.architecture,
            model_sha256=digest,
        )
        write_tuned_on(extractor, seen_by(model.architecture, trained.model))
        held = work.finish(
            model,
            extractor=extractor,
            file_sha256=digest,
            file_size=len(data),
            metrics={"unseen": trained.unseen.to_json() if trained.unseen.pages else None},
            code_version=f"{__version__}, {model.architecture} {base.version}, parser {PARSER_VERSION}"[:120],
            licence_note=LICENCE_NOTE,
            stopped_at=None,
        )
        if not held:
            transaction.set_rollback(True)
    return start_run(corpus=model.corpus, extractor=extractor, user=model.requested_by) if held else None
