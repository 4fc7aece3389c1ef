"""Writes of practice: settings, pages opened and submitted, attempts judged, practice waived."""

import secrets
from statistics import fmean

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.comparison import marks_of
from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.qualification.models import PracticeSettings, Qualification, QualificationBasis
from annotator.annotations.qualification.queries import must_practise, newest
from annotator.annotations.queries import active_slot
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.reasons import checked_reason
from annotator.common.roles import ANNOTATOR
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.audit.actions import differences, record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import roles_of
from annotator.gold.models import Gold
from annotator.gold.queries import newest_on
from annotator.pages.models import Page
from annotator.practice import queries
from annotator.practice.measure import Measure, is_passed
from annotator.practice.models import PracticeAttempt, PracticePage
from extraction.metrics.character_labels import confusion
from extraction.spans import Span

MAX_PAGES, MAX_ATTEMPTS = 20, 5


# ---- settings ----


@transaction.atomic
def set_practice(
    *,
    corpus: Corpus,
    made_by: User,
    based_on: int,
    source: Corpus | None,
    pages: int = 5,
    min_f1: float = 0.9,
    min_verdicts: int = 4,
    max_attempts: int = 2,
) -> PracticeSettings:
    """Make the next version of the practice settings; with `source` None no practice is required.

    Everybody who has submitted a page of the corpus is qualified. Reserves of others are released; active
    slots can be finished.
    Raises Conflict when another version was made meanwhile, GoldpanError for invalid settings.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    last = newest(held)
    if (last.number if last else 0) != based_on:
        raise Conflict(_("Somebody else has changed the practice settings. Review them and save again."))
    if source:
        _check(held, made_by, source, pages=pages, min_verdicts=min_verdicts, max_attempts=max_attempts)
    made: PracticeSettings = PracticeSettings.objects.create(
        corpus=held,
        number=based_on + 1,
        source=source,
        pages=pages,
        min_f1=min_f1,
        min_verdicts=min_verdicts,
        max_attempts=max_attempts,
        seed=secrets.randbits(62),
        made_by=made_by,
    )
    record(
        AuditAction.PRACTICE_SETTINGS_CHANGED,
        corpus=held,
        by=made_by,
        item=made.number,
        changes=differences(_settings(last), _settings(made)),
    )
    _qualify_former_annotators(held)
    if source:
        qualified = Qualification.objects.filter(corpus=held).values("annotator")
        waiting = Slot.objects.filter(corpus=held, reserved_at__isnull=False)
        annotating.release(waiting.exclude(annotator__in=qualified))
    return made


def _settings(version: PracticeSettings | None) -> dict[str, object]:
    if version is None:
        return {}
    return {"source": version.source.slug if version.source else None, **version.rules}


def _check(
    corpus: Corpus, admin: User, source: Corpus, *, pages: int, min_verdicts: int, max_attempts: int
) -> None:
    if not (1 <= pages <= MAX_PAGES and 1 <= max_attempts <= MAX_ATTEMPTS and 0 <= min_verdicts <= pages):
        raise GoldpanError(_("There can't be more correct verdicts than pages."))
    possible = dict(queries.sources(corpus, admin))
    if source not in possible:
        raise GoldpanError(_("Choose a corpus that you administer, with gold for this corpus's labels."))
    if possible[source] < pages * max_attempts:
        raise GoldpanError(
            _("These settings need %(wanted)d pages to practise on; %(corpus)s has %(n)d.")
            % {"corpus": source, "n": possible[source], "wanted": pages * max_attempts}
        )


def _qualify_former_annotators(corpus: Corpus) -> None:
    submitted = Slot.objects.filter(corpus=corpus, submitted_at__isnull=False, round__purpose=Purpose.MAIN)
    qualified = Qualification.objects.filter(corpus=corpus).values("annotator")
    others = submitted.exclude(annotator__in=qualified).order_by()
    people = others.values_list("annotator", flat=True).distinct()
    rows = [
        Qualification(corpus=corpus, annotator_id=person, basis=QualificationBasis.BEFORE)
        for person in people
    ]
    Qualification.objects.bulk_create(rows, ignore_conflicts=True)


@transaction.atomic
def waive_practice(*, corpus: Corpus, annotator: User, by: User, reason: str) -> Qualification:
    """Qualify an annotator without practice. Raises Conflict when they are qualified already."""
    reason = checked_reason(reason)
    if ANNOTATOR not in roles_of(annotator, corpus):
        raise GoldpanError(_("%(name)s is not an annotator of this corpus.") % {"name": annotator})
    made, is_new = Qualification.objects.get_or_create(
        corpus=corpus,
        annotator=annotator,
        defaults={"basis": QualificationBasis.WAIVED, "waived_by": by, "reason": reason},
    )
    if not is_new:
        raise Conflict(_("%(name)s is already qualified.") % {"name": annotator})
    record(AuditAction.PRACTICE_WAIVED, corpus=corpus, by=by, about=annotator)
    return made


# ---- pages ----


@transaction.atomic
def open_next(*, corpus: Corpus, annotator: User) -> Slot | None:
    """The active slot, or the next practice slot; None when practice is not required, or none is left."""
    # Windows of the same annotator come one after the other.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=annotator.pk)
    if active := active_slot(corpus, annotator):
        return active
    if not must_practise(corpus.pk, annotator.pk):
        return None
    attempt = _open_attempt(corpus, annotator)
    slot = attempt and (_begun_slot(attempt) or _next_slot(attempt, annotator))
    return annotating.claim_practice(slot=slot, annotator=annotator) if slot else None


def _open_attempt(corpus: Corpus, annotator: User) -> PracticeAttempt | None:
    progress = queries.progress_of(corpus, annotator)
    if progress.open_attempt or not progress.attempts_left:
        return progress.open_attempt
    assert progress.practice is not None
    return PracticeAttempt.objects.create(
        practice=progress.practice, corpus=corpus, annotator=annotator, number=len(progress.attempts) + 1
    )


def _begun_slot(attempt: PracticeAttempt) -> Slot | None:
    """The slot of the attempt that was opened, and neither submitted nor skipped."""
    opened = Slot.objects.filter(practice_page__attempt=attempt, submitted_at=None, round__finalised_at=None)
    left = opened.exclude(round__skips__annotator=attempt.annotator_id)
    return left.select_related("corpus", "round").first()


def _next_slot(attempt: PracticeAttempt, annotator: User) -> Slot | None:
    """A slot on the next page; where there is none, the attempt is over."""
    # Round numbers are assigned one after the other.
    source = attempt.practice.source_id
    assert source is not None
    Corpus.objects.select_for_update(no_key=True).get(pk=source)
    page = queries.pages_for(attempt.practice, annotator).first()
    if page is None:
        _judge(attempt, ran_out=True)
        return None
    slot = _open_round(page, attempt.corpus, annotator)
    position = attempt.pages.aggregate(last=Max("position"))["last"] or 0
    PracticePage.objects.create(attempt=attempt, position=position + 1, slot=slot)
    return slot


def _open_round(page: Page, corpus: Corpus, annotator: User) -> Slot:
    purpose = Purpose.PRACTICE
    last = page.rounds.filter(purpose=purpose).aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(page=page, purpose=purpose, number=last + 1, blind=True, draw=last)
    return Slot.objects.create(round=made, corpus=corpus, number=1, assigned_to=annotator)


# ---- submitting ----


@transaction.atomic
def submit_page(*, page: PracticePage, annotator: User, based_on: int) -> PracticePage:
    """Submit a practice page and evaluate it against gold; after the last page the attempt is judged.

    Raises what `annotations.actions.submit` raises. Submitting twice is submitting once.
    """
    annotation = annotating.submit(slot=page.slot, annotator=annotator, based_on=based_on, in_practice=True)
    attempt = PracticeAttempt.objects.select_for_update(no_key=True).get(pk=page.attempt_id)
    page.refresh_from_db(fields=["evaluated_at"])
    if page.evaluated_at is None:
        _evaluate(page, annotation)
        if attempt.finished_at is None and _evaluated(attempt).count() >= attempt.practice.pages:
            _judge(attempt)
    return page


def _evaluate(page: PracticePage, annotation: Annotation) -> None:
    gold = newest_on(annotation.document)
    if gold is None:
        raise Conflict(_("This page has been removed. Continue with the next one."))
    revision = annotating.submitted_revision(annotation)
    verdict = revision.verdict if revision else ""
    page.gold, page.same_verdict = gold, verdict == gold.verdict
    page.confusion = confusion(marks_of(revision), gold_spans(gold), gold.document.text)
    page.f1 = Measure.of(page.confusion).f1
    page.evaluated_at = timezone.now()
    page.save(update_fields=["gold", "same_verdict", "confusion", "f1", "evaluated_at"])


def gold_spans(gold: Gold) -> list[Span]:
    """The gold's spans; none where the verdict has no text to mark."""
    return gold.marks if gold.verdict in WITH_SPANS else []


def _evaluated(attempt: PracticeAttempt) -> QuerySet[PracticePage]:
    return PracticePage.objects.filter(attempt=attempt, evaluated_at__isnull=False)


def _judge(attempt: PracticeAttempt, *, ran_out: bool = False) -> None:
    rules, pages = attempt.practice, list(_evaluated(attempt))
    measured = [page.f1 for page in pages if page.f1 is not None]
    attempt.f1 = fmean(measured) if measured else None
    attempt.verdicts = sum(bool(page.same_verdict) for page in pages)
    attempt.ran_out = ran_out
    attempt.passed = not ran_out and is_passed(
        f1=attempt.f1,
        verdicts=attempt.verdicts,
        min_f1=rules.min_f1,
        min_verdicts=rules.min_verdicts,
    )
    attempt.finished_at = timezone.now()
    attempt.save(update_fields=["f1", "verdicts", "ran_out", "passed", "finished_at"])
    if attempt.passed:
        Qualification.objects.get_or_create(
            corpus_id=attempt.corpus_id,
            annotator_id=attempt.annotator_id,
            defaults={"basis": QualificationBasis.PASSED},
        )
