"""Opening hidden checks and repeats, and recording their results. Gold never changes by them."""

import random
from datetime import timedelta

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from annotator.agreement.comparison import marks_of
from annotator.annotations.actions import submitted_revision
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.study import check_intervals
from annotator.annotations.study.models import StudyDesign
from annotator.annotations.study.queries import newest
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus, User
from annotator.gold.queries import newest_on
from annotator.quality.checks import queries
from annotator.quality.checks.models import QualityCheck
from extraction.agreement.character import f1
from extraction.metrics.character_labels import confusion
from extraction.spans import Span

VerdictAndSpans = tuple[str, list[Span]]


# ---- opening ----


@transaction.atomic
def open_due(*, corpus: Corpus, annotator: User) -> list[Round]:
    """Open the check and the repeat that are due for the annotator, if there is a suitable page."""
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    design = newest(held)
    if design is None:
        return []
    opened = (_open_due(design, held, annotator, purpose) for purpose in check_intervals.rates(design))
    return [round_ for round_ in opened if round_]


def _open_due(design: StudyDesign, corpus: Corpus, annotator: User, purpose: Purpose) -> Round | None:
    interval = check_intervals.due_interval(design, annotator, purpose)
    last = queries.last_submitted(corpus, annotator)
    if interval is None or last is None or queries.has_open(corpus, annotator, purpose):
        return None
    weeks = timedelta(weeks=design.repeat_weeks)
    found = (
        queries.check_pages(corpus, annotator)
        if purpose == Purpose.CHECK
        else queries.repeat_pages(corpus, annotator, timezone.now() - weeks)
    )
    arms = queries.arms_like(last)
    pages = queries.nearest_in_queue(queries.able_to_show(found, arms), last)
    if not pages:
        return None
    draw = random.Random(f"{design.seed}:{purpose}:{annotator.pk}:{interval}:page")
    (arm,) = draw.choices(list(arms), list(arms.values()))
    page = draw.choice(pages)
    delays = queries.delays_to_gold(page)
    made = Round.objects.create(
        page=page,
        purpose=purpose,
        number=page.rounds.filter(purpose=purpose).count() + 1,
        design=design,
        blind=arm is None,
        draw=interval,
        final_after=draw.choice(delays) if delays else timedelta(),
    )
    # It ranks in the queue like a page that others have begun.
    begun = Slot.objects.filter(round__page=page).aggregate(at=Min("begun_at"))["at"]
    Slot.objects.create(
        round=made,
        corpus=corpus,
        number=1,
        arm_id=arm,
        assigned_to=annotator,
        begun_at=begun or timezone.now(),
    )
    return made


# ---- results ----


@transaction.atomic
def finalise_check(*, round_: Round) -> QualityCheck | None:
    """Make a submitted check or repeat final, as if gold had been made, and record its result."""
    held = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if held.finalised_at is None:
        held.finalised_at = timezone.now()
        held.save(update_fields=["finalised_at"])
    return record_check(round_=held)


@transaction.atomic
def record_check(*, round_: Round) -> QualityCheck | None:
    """Compare the submitted annotation with gold or, for a repeat, with the first; once."""
    annotation = (
        Annotation.objects.select_related("document")
        .filter(slot__round=round_, submitted_at__isnull=False)
        .first()
    )
    if annotation is None:
        return None
    if found := QualityCheck.objects.filter(annotation=annotation).first():
        return found
    gold, first = None, None
    if round_.purpose == Purpose.CHECK:
        gold = newest_on(annotation.document)
    else:
        first = _first_annotation(annotation)
    other = (gold.verdict, gold.marks) if gold else _of_annotation(first) if first else None
    if other is None:
        return None
    compared = _compare(_of_annotation(annotation), other, annotation.document.text)
    return QualityCheck.objects.get_or_create(
        annotation=annotation, defaults={"gold": gold, "first_annotation": first, **compared}
    )[0]


def _first_annotation(annotation: Annotation) -> Annotation | None:
    earlier = Annotation.objects.filter(
        slot__round__page=annotation.slot.round.page_id,
        slot__round__purpose=Purpose.MAIN,
        annotator=annotation.annotator_id,
        document=annotation.document_id,
        submitted_at__isnull=False,
    )
    return earlier.first()


def _of_annotation(annotation: Annotation) -> VerdictAndSpans:
    revision = submitted_revision(annotation)
    return (revision.verdict if revision else ""), marks_of(revision)


def _compare(own: VerdictAndSpans, other: VerdictAndSpans, text: str) -> dict[str, object]:
    marked = own[0] in WITH_SPANS and other[0] in WITH_SPANS
    matrix = confusion(own[1], other[1], text) if marked else None
    return {
        "same_verdict": own[0] == other[0],
        "confusion": matrix,
        "f1": f1(matrix) if matrix is not None else None,
    }
