"""The jobs of a corpus and its other background work, from what each kind of work declares."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from annotator.common.progress import WorkProgress, progress_by_kind
from annotator.common.work import Work, work_models
from annotator.common.work_kinds import WorkControls
from annotator.corpora.models import Corpus

SHOWN = 30
_AT_WORK = Q(finished_at=None, heartbeat_at__isnull=False)


@dataclass(frozen=True)
class Action:
    """A button: its title, and where it posts to."""

    title: Promise
    address: str


@dataclass(frozen=True)
class Job:
    """A row that a person asked for, such as an export."""

    model: type[Work]
    row: Any
    label: str
    actions: list[Action]
    address: str

    @property
    def title(self) -> Promise:
        return self.model.kind.title

    @property
    def state(self) -> str:
        return str(self.row.state)

    @property
    def stopped_at(self) -> datetime | None:
        found: datetime | None = getattr(self.row, "stopped_at", None)
        return found

    @property
    def by(self) -> object:
        return self.row.requested_by

    @property
    def done(self) -> int | None:
        return self._progress(0)

    @property
    def total(self) -> int | None:
        return self._progress(1)

    def _progress(self, which: int) -> int | None:
        fields = self.model.kind.progress
        return getattr(self.row, fields[which]) if fields else None

    @property
    def took(self) -> timedelta | None:
        ended_at = self.row.finished_at or self.stopped_at
        return ended_at - self.row.requested_at if ended_at else None

    @property
    def per_minute(self) -> float:
        """The rate since it was asked for."""
        minutes = (timezone.now() - self.row.requested_at) / timedelta(minutes=1)
        return (self.done or 0) / minutes if minutes > 0 else 0

    @property
    def minutes_left(self) -> int | None:
        left = (self.total or 0) - (self.done or 0)
        return ceil(left / self.per_minute) if left > 0 and self.per_minute > 0 else None


@dataclass(frozen=True)
class Background:
    """The work of a kind whose rows come by themselves, such as scores."""

    model: type[Work]
    progress: WorkProgress
    actions: list[Action]
    address: str

    @property
    def title(self) -> Promise:
        return self.model.kind.title

    @property
    def name(self) -> str:
        return self.model.__name__

    @property
    def can_retry(self) -> bool:
        return bool(self.progress.overloaded or (self.progress.failed and self.model.kind.can_retry))


def open_jobs(corpus: Corpus, *, most: int = SHOWN) -> list[Job]:
    """Jobs that are waiting or running, or stand still until somebody goes on: at most so many of each kind.

    Those that are worked on come first, else the newest.
    """
    found = (job for model in _jobs() for job in _jobs_of(corpus, model, _is_open(model), most, _AT_WORK))
    return sorted(_newest(found), key=lambda job: job.row.finished_at is not None or not job.row.heartbeat_at)


def past_jobs(corpus: Corpus, *, most: int = SHOWN) -> list[Job]:
    """Jobs that are done, failed or stopped, the newest first; at most so many of each kind."""
    return _newest(job for model in _jobs() for job in _jobs_of(corpus, model, ~_is_open(model), most))


def background(corpus: Corpus) -> list[Background]:
    """All other work of the corpus that is not done, in the order of the pipeline."""
    counted = progress_by_kind(corpus)
    return [
        Background(model, counted[model], _actions_of_all(corpus, model), _screen(corpus, model))
        for model in work_models()
        if model in counted and not model.kind.is_job
    ]


def _is_open(model: type[Work]) -> Q:
    found = Q(finished_at=None)
    if model.kind.undecided:
        found |= model.kind.undecided
    for control in model.kind.controls:
        if control.is_resuming:
            found |= control.when
    return found


def _jobs() -> Iterator[type[Work]]:
    return (model for model in work_models() if model.kind.is_job)


def _newest(jobs: Iterator[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: (job.row.requested_at, job.row.pk), reverse=True)


def _jobs_of(
    corpus: Corpus, model: type[Work], wanted: Q, most: int, first: Q | None = None
) -> Iterator[Job]:
    """Those of a kind that are as wanted, in one query: which are to come `first`, then the newest."""
    kind = model.kind
    could = {
        _flag(control): ExpressionWrapper(control.when, output_field=BooleanField())
        for control in kind.controls
    }
    found = model.objects.of_corpus(corpus).filter(wanted).annotate(job_label=F(kind.label), **could)
    if kind.no_job_yet:
        found = found.exclude(kind.no_job_yet)
    rows = found.select_related("requested_by")  # type: ignore[misc]  # each kind that is a job has it
    order = [ExpressionWrapper(first, output_field=BooleanField()).desc()] if first else []
    for row in rows.order_by(*order, "-requested_at", "-pk")[:most]:
        actions = [_action(corpus, control, row) for control in kind.controls if getattr(row, _flag(control))]
        yield Job(model, row, str(row.job_label), actions, _screen(corpus, model))


def _flag(control: WorkControls) -> str:
    return f"can_{control.route.replace('-', '_')}"


def _action(corpus: Corpus, control: WorkControls, row: Any) -> Action:
    keys = [getattr(row, control.key)] if control.key else []
    return Action(control.title, reverse(control.route, args=[corpus.slug, *keys]))


def _actions_of_all(corpus: Corpus, model: type[Work]) -> list[Action]:
    rows = model.objects.of_corpus(corpus)
    return [
        _action(corpus, control, None)
        for control in model.kind.controls
        if not control.key and rows.filter(control.when).exists()
    ]


def _screen(corpus: Corpus, model: type[Work]) -> str:
    return reverse(model.kind.screen, args=[corpus.slug]) if model.kind.screen else ""
