"""Opening hidden checks and repeats, and recording their results. Gold never changes by them."""

import random

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone

from annotator.agreement.comparison import spans_of
from annotator.annotations.actions import submitted_revision
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.study.models import StudyDesign
from annotator.annotations.study.queries import newest
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.quality.checks import queries
from annotator.quality.checks.models import QualityCheck
from extraction.agreement.character import confusion, f1
from extraction.spans import Span

VerdictAndSpans = tuple[str, list[Span]]


# ---- opening ----


def times_due(*, seed: int, annotator_id: int, purpose: str, rate: float, submitted: int) -> int:
    """How many are due after so many submitted pages: one in 1 / rate pages, at a drawn position."""
    due = 0
    while rate > 0:
        position = random.Random(f"{seed}:{purpose}:{annotator_id}:{due}").random()
        if (due + position) / rate > submitted:
            break
        due += 1
    return due


@transaction.atomic
def open_due(*, corpus: Corpus, annotator: User) -> list[Round]:
    """Open the check and the repeat that are due for the annotator, if there is a suitable page."""
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    design = newest(held)
    if design is None:
        return []
    rates = {Purpose.CHECK: design.check_rate, Purpose.REPEAT: design.repeat_rate}
    opened = (_open_due(design, held, annotator, purpose, rate) for purpose, rate in rates.items() if rate)
    return [round_ for round_ in opened if round_]


def _open_due(
    design: StudyDesign, corpus: Corpus, annotator: User, purpose: Purpose, rate: float
) -> Round | None:
    number = queries.opened_since(design, annotator, purpose)
    due = times_due(
        seed=design.seed,
        annotator_id=annotator.pk,
        purpose=purpose,
        rate=rate,
        submitted=queries.submitted_since(design, annotator),
    )
    if due <= number or queries.has_open(corpus, annotator, purpose):
        return None
    before = queries.weeks_ago(design.repeat_weeks, timezone.now())
    found = (
        queries.check_pages(corpus, annotator)
        if purpose == Purpose.CHECK
        else queries.repeat_pages(corpus, annotator, before)
    )
    pages = list(found.values_list("pk", flat=True))
    if not pages:
        return None
    chosen = random.Random(f"{design.seed}:{purpose}:{annotator.pk}:{number}:page").choice(pages)
    return _open(Page.objects.get(pk=chosen), design, annotator, purpose)


def _open(page: Page, design: StudyDesign, annotator: User, purpose: Purpose) -> Round:
    """A round of one slot without a suggestion, ranked in the queue like a page that others have begun."""
    rounds = Round.objects.filter(page=page)
    number = rounds.filter(purpose=purpose).aggregate(last=Max("number"))["last"] or 0
    begun = Slot.objects.filter(round__page=page).aggregate(at=Min("begun_at"))["at"]
    made = Round.objects.create(
        page=page, purpose=purpose, number=number + 1, design=design, blind=True, draw=number
    )
    Slot.objects.create(
        round=made,
        corpus_id=page.corpus_id,
        number=1,
        assigned_to=annotator,
        begun_at=begun or timezone.now(),
    )
    return made


# ---- results ----


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
        gold = (
            Gold.objects.filter(page=round_.page_id, document=annotation.document).order_by("-number").first()
        )
    else:
        first = _first_annotation(annotation)
    other = _of_gold(gold) if gold else _of_annotation(first) if first else None
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


def _of_gold(gold: Gold) -> VerdictAndSpans:
    return gold.verdict, [Span(start, end, label) for start, end, label, _source in gold.spans]


def _of_annotation(annotation: Annotation) -> VerdictAndSpans:
    revision = submitted_revision(annotation)
    return (revision.verdict if revision else ""), spans_of(annotation)


def _compare(own: VerdictAndSpans, other: VerdictAndSpans, text: str) -> dict[str, object]:
    marked = own[0] in WITH_SPANS and other[0] in WITH_SPANS
    matrix = confusion(own[1], other[1], text) if marked else None
    return {
        "same_verdict": own[0] == other[0],
        "confusion": matrix,
        "f1": f1(matrix) if matrix is not None else None,
    }
