"""Writes about models: ask for one, stop it, resume it."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import label_sets_of
from annotator.releases.models import Release
from annotator.releases.splits import DEV, TRAIN
from annotator.training.models import STOPPED, UNDER_WAY, TrainedModel
from annotator.training.pages import taught_pages
from extraction.learning.architectures import NAMES, missing_library

MOST_ROUNDS = 1000


@transaction.atomic
def request_model(
    *,
    release: Release,
    architecture: str,
    labels: str = "main",
    seed: int = 1,
    rounds: int | None = None,
    patience: int | None = None,
    user: User | None = None,
) -> TrainedModel:
    """Create a model for a worker to train; without `rounds` or `patience` as its authors chose.

    Raises GoldpanError for an unknown architecture or label set, for one that cannot be learned here, for
    numbers out of range, and where the release has no page to learn from or to choose the best round by.
    """
    check_can_learn(architecture)
    check_labels(release.corpus, labels)
    for value in (rounds, patience):
        if value is not None and not 1 <= value <= MOST_ROUNDS:
            raise GoldpanError(_("Rounds are a number from 1 to %(most)s.") % {"most": MOST_ROUNDS})
    if not 0 <= seed < 2**31:
        raise GoldpanError(_("The seed is a whole number, 0 or larger."))
    _check_pages(release, labels)
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=release.corpus_id)
    last = TrainedModel.objects.filter(corpus=corpus).aggregate(number=Max("number"))["number"] or 0
    made = TrainedModel.objects.create(
        corpus=corpus,
        number=last + 1,
        architecture=architecture,
        labels=labels,
        seed=seed,
        hyper_parameters={"rounds": rounds, "patience": patience},
        release=release,
        requested_by=user,
    )
    _record(AuditAction.TRAINING_STARTED, made, by=user)
    return made


def check_can_learn(name: str) -> None:
    """Raises GoldpanError for an architecture that is unknown, or whose library is not installed."""
    if name not in NAMES:
        message = _("Unknown architecture “%(name)s”. Known: %(known)s.")
        raise GoldpanError(message % {"name": name, "known": ", ".join(NAMES)})
    if why := missing_library(name):
        raise GoldpanError(why)


def check_labels(corpus: Corpus, name: str) -> None:
    """Raises GoldpanError for an unknown label set."""
    known = label_sets_of(corpus)
    if name not in known:
        message = _("Unknown label set “%(name)s”. Known: %(known)s.")
        raise GoldpanError(message % {"name": name, "known": ", ".join(known)})


def _check_pages(release: Release, labels: str) -> None:
    taught = taught_pages(release, labels)
    if not taught.of(TRAIN) or not taught.of(DEV):
        message = _(
            "Pages of release %(number)s whose gold tells the labels “%(labels)s”: %(train)s to train on, and"
            " %(dev)s to choose the best round by. It takes at least one of both, of different sites."
        )
        numbers = {"train": len(taught.of(TRAIN)), "dev": len(taught.of(DEV))}
        raise GoldpanError(message % {"number": release.number, "labels": labels, **numbers})


@transaction.atomic
def stop_model(*, model: TrainedModel, user: User | None = None) -> None:
    """Stop after the round that is being trained. Raises Conflict if it is not under way."""
    if not TrainedModel.objects.filter(UNDER_WAY, pk=model.pk).update(stopped_at=timezone.now()):
        raise Conflict(_("This model is not being trained."))
    TrainedModel.objects.filter(pk=model.pk).end_unclaimed()
    _record(AuditAction.TRAINING_STOPPED, model, by=user)


@transaction.atomic
def resume_model(*, model: TrainedModel, user: User | None = None) -> None:
    """Go on after the last round that was done. Raises Conflict if it is neither stopped nor failed."""
    found = TrainedModel.objects.filter(STOPPED, pk=model.pk).select_for_update().first()
    if not found:
        raise Conflict(_("This model is neither stopped nor failed."))
    check_can_learn(found.architecture)
    TrainedModel.objects.filter(pk=model.pk).update(stopped_at=None)
    # Where the worker has not noticed yet that it was stopped, it just goes on.
    work.reopen(found)
    _record(AuditAction.TRAINING_RESUMED, found, by=user)


def _record(action: AuditAction, model: TrainedModel, *, by: User | None) -> None:
    facts = {"architecture": model.architecture, "release": model.release.number, "seed": model.seed}
    record(action, corpus=model.corpus, by=by, item=model.number, changes=facts)
