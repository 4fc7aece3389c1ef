"""Writes of practice: what a corpus asks, pages given and handed in, tries judged, people let through."""

import secrets
from statistics import fmean

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.actions import spans_of
from annotator.annotations import actions as annotating
from annotator.annotations.models import WITH_SPANS, Annotation, Purpose, Round, Slot
from annotator.annotations.practice.models import Admission, How, Practice
from annotator.annotations.practice.queries import must_practise, newest
from annotator.annotations.queries import active_slot
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.roles import ANNOTATOR
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import roles_of
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.practice import queries
from annotator.practice.measure import Measure, is_passed
from annotator.practice.models import PracticePage, PracticeTry
from extraction.agreement.character import confusion
from extraction.spans import Span

MOST_PAGES, MOST_TRIES, MOST_WHY = 20, 5, 500


# ---- what is asked ----


@transaction.atomic
def set_practice(
    *,
    corpus: Corpus,
    made_by: User,
    based_on: int,
    source: Corpus | None,
    pages: int = 5,
    least_f1: float = 0.9,
    least_verdicts: int = 4,
    tries: int = 2,
) -> Practice:
    """Ask for practice from now on, in another way, or (`source` None) no more.

    Whoever has handed in a page here is through. What others have in reserve goes back; a page that somebody
    works on she may finish.
    Raises Conflict when another version was made meanwhile, GoldpanError for what cannot be.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    last = newest(held)
    if (last.number if last else 0) != based_on:
        raise Conflict(_("Somebody else changed practice meanwhile. Look at it, and change it again."))
    if source:
        _check(held, made_by, source, pages=pages, least_verdicts=least_verdicts, tries=tries)
    made: Practice = Practice.objects.create(
        corpus=held,
        number=based_on + 1,
        source=source,
        pages=pages,
        least_f1=least_f1,
        least_verdicts=least_verdicts,
        tries=tries,
        seed=secrets.randbits(62),
        made_by=made_by,
    )
    _admit_who_worked_before(held)
    if source:
        through = Admission.objects.filter(corpus=held).values("annotator")
        waiting = Slot.objects.filter(corpus=held, reserved_at__isnull=False)
        annotating.release(waiting.exclude(annotator__in=through))
    return made


def _check(
    corpus: Corpus, admin: User, source: Corpus, *, pages: int, least_verdicts: int, tries: int
) -> None:
    if not (1 <= pages <= MOST_PAGES and 1 <= tries <= MOST_TRIES and 0 <= least_verdicts <= pages):
        raise GoldpanError(_("Not more right verdicts can be asked for than there are pages."))
    there = dict(queries.sources(corpus, admin))
    if source not in there:
        raise GoldpanError(_("Practise on a corpus that you administer, with gold in this one's labels."))
    if there[source] < pages * tries:
        raise GoldpanError(
            _("%(corpus)s has %(n)d pages to practise on; so many pages and tries ask for %(wanted)d.")
            % {"corpus": source, "n": there[source], "wanted": pages * tries}
        )


def _admit_who_worked_before(corpus: Corpus) -> None:
    handed_in = queries.handed_in_for_real(corpus)
    through = Admission.objects.filter(corpus=corpus).values("annotator")
    people = handed_in.exclude(annotator__in=through).values_list("annotator", flat=True).distinct()
    rows = [Admission(corpus=corpus, annotator_id=person, how=How.BEFORE) for person in people]
    Admission.objects.bulk_create(rows, ignore_conflicts=True)


@transaction.atomic
def let_through(*, corpus: Corpus, annotator: User, by: User, why: str) -> Admission:
    """By hand, with a reason; Conflict when she is through already."""
    why = why.strip()
    if not why or len(why) > MOST_WHY:
        raise GoldpanError(_("Say why, in at most %(n)d characters.") % {"n": MOST_WHY})
    if ANNOTATOR not in roles_of(annotator, corpus):
        raise GoldpanError(_("%(name)s is no annotator of this corpus.") % {"name": annotator})
    made, is_new = Admission.objects.get_or_create(
        corpus=corpus, annotator=annotator, defaults={"how": How.BY_HAND, "by": by, "why": why}
    )
    if not is_new:
        raise Conflict(_("%(name)s is through already.") % {"name": annotator})
    return made


# ---- a page, and the next ----


@transaction.atomic
def open_next(*, corpus: Corpus, annotator: User) -> Slot | None:
    """The page in her hands, or her next one of practice; None when none is asked, or none is left to her."""
    # Her own windows come one after the other.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=annotator.pk)
    if active := active_slot(corpus, annotator):
        return active
    if not must_practise(corpus, annotator):
        return None
    attempt = _try_of(corpus, annotator)
    slot = attempt and (_begun(attempt) or _give_page(attempt, annotator))
    return annotating.claim_practice(slot=slot, annotator=annotator) if slot else None


def _try_of(corpus: Corpus, annotator: User) -> PracticeTry | None:
    progress = queries.progress_of(corpus, annotator)
    if progress.open_try or not progress.tries_left:
        return progress.open_try
    return PracticeTry.objects.create(
        practice=progress.practice, corpus=corpus, annotator=annotator, number=len(progress.tries) + 1
    )


def _begun(attempt: PracticeTry) -> Slot | None:
    """The page of the try that she has left without handing it in or skipping it."""
    mine = Slot.objects.filter(practice_page__attempt=attempt, submitted_at=None, round__settled_at=None)
    left = mine.exclude(round__skips__annotator=attempt.annotator_id)
    return left.select_related("corpus", "round").first()


def _give_page(attempt: PracticeTry, annotator: User) -> Slot | None:
    """The next page of the order; where there is none any more, the try is over."""
    # Numbers of rounds are given one after the other.
    Corpus.objects.select_for_update(no_key=True).get(pk=attempt.practice.source_id)
    page = queries.pages_for(attempt.practice, annotator).first()
    if page is None:
        _judge(attempt, ran_out=True)
        return None
    slot = _open_round(page, attempt.corpus, annotator)
    place = attempt.pages.aggregate(last=Max("place"))["last"] or 0
    PracticePage.objects.create(attempt=attempt, place=place + 1, slot=slot)
    return slot


def _open_round(page: Page, corpus: Corpus, annotator: User) -> Slot:
    purpose = Purpose.PRACTICE
    last = page.rounds.filter(purpose=purpose).aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(page=page, purpose=purpose, number=last + 1, blind=True, draw=last)
    return Slot.objects.create(round=made, corpus=corpus, number=1, meant_for=annotator)


# ---- handing in ----


@transaction.atomic
def hand_in(*, page: PracticePage, annotator: User, based_on: int) -> PracticePage:
    """Hand in a page of practice and hold it against gold at once; with the last one the try is judged.

    Raises what `annotations.actions.submit` raises. Handing in twice is handing in once.
    """
    annotation = annotating.submit(slot=page.slot, annotator=annotator, based_on=based_on, in_practice=True)
    attempt = PracticeTry.objects.select_for_update(no_key=True).get(pk=page.attempt_id)
    page.refresh_from_db(fields=["looked_at"])
    if page.looked_at is None:
        _look_at(page, annotation)
        if attempt.finished_at is None and _looked_at(attempt).count() >= attempt.practice.pages:
            _judge(attempt)
    return page


def _look_at(page: PracticePage, annotation: Annotation) -> None:
    there = Gold.objects.filter(page=page.slot.round.page_id, document=annotation.document_id)
    gold = there.select_related("document").order_by("-number").first()
    if gold is None:
        raise Conflict(_("This page was taken away meanwhile. Go on with the next one."))
    revision = annotating.handed_in(annotation)
    verdict = revision.verdict if revision else ""
    hers = spans_of(annotation) if verdict in WITH_SPANS else []
    page.gold, page.same_verdict = gold, verdict == gold.verdict
    page.confusion = confusion(hers, gold_spans(gold), gold.document.text)
    page.f1 = Measure.of(page.confusion).f1
    page.looked_at = timezone.now()
    page.save(update_fields=["gold", "same_verdict", "confusion", "f1", "looked_at"])


def gold_spans(gold: Gold) -> list[Span]:
    """What counts of its spans: nothing where the page has no text to mark."""
    if gold.verdict not in WITH_SPANS:
        return []
    return [Span(start, end, label) for start, end, label, _source in gold.spans]


def _looked_at(attempt: PracticeTry) -> QuerySet[PracticePage]:
    return PracticePage.objects.filter(attempt=attempt, looked_at__isnull=False)


def _judge(attempt: PracticeTry, *, ran_out: bool = False) -> None:
    rules, pages = attempt.practice, list(_looked_at(attempt))
    measured = [page.f1 for page in pages if page.f1 is not None]
    attempt.f1 = fmean(measured) if measured else None
    attempt.verdicts = sum(bool(page.same_verdict) for page in pages)
    attempt.ran_out = ran_out
    attempt.passed = not ran_out and is_passed(
        f1=attempt.f1,
        verdicts=attempt.verdicts,
        least_f1=rules.least_f1,
        least_verdicts=rules.least_verdicts,
    )
    attempt.finished_at = timezone.now()
    attempt.save(update_fields=["f1", "verdicts", "ran_out", "passed", "finished_at"])
    if attempt.passed:
        Admission.objects.get_or_create(
            corpus_id=attempt.corpus_id, annotator_id=attempt.annotator_id, defaults={"how": How.PASSED}
        )
