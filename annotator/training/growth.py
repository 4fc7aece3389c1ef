"""Measures learning curves: of the corpus's own extractor, cross-validated by site."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.work_kinds import STOPPED
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.releases.models import Release
from annotator.training.actions import check_labels
from annotator.training.models import CurveFold, LearningCurve
from annotator.training.pages import StoredSamples, TaughtPages, stored_page, taught_pages
from annotator.training.training import INTERVAL, one_at_a_time
from extraction.extractors.learned.trees import Trees
from extraction.learning import growth
from extraction.learning.goldpan import GoldpanArchitecture, GoldpanExample
from extraction.learning.growth import CurvePage, PageFigure
from extraction.learning.training import LearningError, Stopped

# An eighth of these is still something to learn from.
FEWEST_PAGES = 16


# ---- asking for it ----


@transaction.atomic
def request_curve(*, release: Release, labels: str = "main", user: User | None = None) -> LearningCurve:
    """Create a learning curve for a worker to measure.

    Raises GoldpanError for an unknown label set, and for too few pages or sites; Conflict if one is being
    measured already.
    """
    check_labels(release.corpus, labels)
    taught = taught_pages(release, labels)
    if len(taught.pages) < FEWEST_PAGES or len({page.group for page in taught.pages}) < growth.FOLDS:
        message = _(
            "A learning curve takes at least %(pages)s pages of %(sites)s sites, whose gold tells the labels"
            " “%(labels)s”."
        )
        wanted = {"pages": FEWEST_PAGES, "sites": growth.FOLDS, "labels": labels}
        raise GoldpanError(message % wanted)
    try:
        with transaction.atomic():
            curve = LearningCurve.objects.create(
                corpus=release.corpus,
                release=release,
                labels=labels,
                requested_by=user,
                folds=growth.FOLDS,
            )
    except IntegrityError as error:
        raise Conflict(_("A learning curve is being measured already.")) from error
    _record(AuditAction.CURVE_REQUESTED, curve, by=user)
    return curve


@transaction.atomic
def stop_curve(*, curve: LearningCurve, user: User | None = None) -> None:
    """Stop after the trees that are being grown. Raises Conflict if it has ended."""
    under_way = LearningCurve.objects.filter(pk=curve.pk, finished_at=None)
    if not under_way.filter(stopped_at=None).update(stopped_at=timezone.now()):
        raise Conflict(_("This learning curve is not being measured."))
    under_way.end_unclaimed(error=STOPPED)
    _record(AuditAction.CURVE_STOPPED, curve, by=user)


def _record(action: AuditAction, curve: LearningCurve, *, by: User | None) -> None:
    facts = {"release": curve.release.number, "labels": curve.labels}
    record(action, corpus=curve.corpus, by=by, item=curve.pk, changes=facts)


# ---- measuring it ----


def measure(curve: LearningCurve) -> bool:
    """Measure a claimed curve; False if it was stopped, failed, taken over, or has to wait for its turn."""
    with one_at_a_time() as is_free:
        if not is_free:
            work.requeue(curve, until=timezone.now())
            return False
        try:
            return _measure(curve)
        except Stopped:
            work.fail(curve, error=STOPPED)
        except LearningError as error:
            work.fail(curve, error=str(error))
    return False


def _measure(curve: LearningCurve) -> bool:
    taught = taught_pages(curve.release, curve.labels)
    pages = [CurvePage(page.sha256, page.group) for page in taught.pages]
    folds = growth.folds_of(pages)
    if curve.data_sha256 not in ("", taught.data_sha256):  # a page was taken down meanwhile
        CurveFold.objects.filter(curve=curve).delete()
    work.send_heartbeat(curve, data_sha256=taught.data_sha256, folds=len(folds))
    watch = _watcher(curve)
    open_folds = set(range(len(folds))) - set(curve.measured.values_list("number", flat=True))
    if open_folds:
        examples = [
            GoldpanArchitecture().example(sample)
            for sample in StoredSamples(taught.pages, taught.labels, watch)
        ]
        for number in sorted(open_folds):
            _measure_fold(curve, number, folds[number], _CurveData(taught, pages, examples), watch)
    rows = list(curve.measured.all())
    figures = [PageFigure(*row) for fold in rows for row in fold.figures]
    sizes = [sum(each) / len(rows) for each in zip(*(fold.sizes for fold in rows), strict=True)]
    return work.finish(curve, result=_as_json(growth.growth_of(figures, sizes)))


class _CurveData(NamedTuple):
    """The pages of a curve: where they lie, by what they are divided, and what is learned from them."""

    taught: TaughtPages
    pages: list[CurvePage]
    examples: list[GoldpanExample]


def _measure_fold(
    curve: LearningCurve, number: int, fold: list[int], data: _CurveData, watch: Callable[[], None]
) -> None:
    """Learn from each part of the other pages, look at those of the fold, and store what came of it."""
    parts = growth.parts_of(data.pages, fold)
    models = [growth.grow_part([data.examples[index] for index in part], should_stop=watch) for part in parts]
    CurveFold.objects.get_or_create(
        curve=curve,
        number=number,
        defaults={
            "sizes": [len(part) for part in parts],
            "figures": list(_looked_at(fold, data, models, watch)),
        },
    )
    # Whoever gets so far may be killed as often again.
    work.send_heartbeat(curve, folds_done=curve.measured.count(), attempts=1)


def _looked_at(
    fold: list[int], data: _CurveData, models: list[Trees | None], watch: Callable[[], None]
) -> Iterator[PageFigure]:
    for index in fold:
        document, gold = stored_page(data.taught.pages[index])
        yield growth.look_at(data.pages[index], document, gold, data.taught.labels, models)
        watch()


def _watcher(curve: LearningCurve) -> Callable[[], None]:
    """What looks, once a second at most, whether to go on, and raises Stopped if not."""
    looked = monotonic()

    def watch() -> None:
        nonlocal looked
        if monotonic() - looked < INTERVAL:
            return
        looked = monotonic()
        if not work.may_go_on(curve):
            raise Stopped("stopped")

    return watch


def _as_json(curve: growth.GrowthCurve) -> dict[str, object]:
    return {
        "parts": [each._asdict() for each in curve.parts],
        **{name: getattr(curve, name)._asdict() for name in ("now", "next", "gain")},
    }
