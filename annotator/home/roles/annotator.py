"""An annotator's home: the page in progress or the next one, their own pages, their day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotator.annotations import eligibility
from annotator.annotations import queries as annotations
from annotator.annotations.models import HIDDEN, Annotation, Purpose, Revision, Skip, Slot
from annotator.annotations.queries import progress_of
from annotator.annotations.slots.claiming import slots_in_order
from annotator.common.caching import cached_count
from annotator.corpora.models import Corpus, Guideline, User
from annotator.corpora.queries import label_numbers_of
from annotator.gold import queries as golds
from annotator.gold.models import Gold, GoldSource
from annotator.home.hours import Today, today_of
from annotator.pages.models import Page, StoredDocument
from annotator.practice import queries as practice
from annotator.practice.models import PracticeAttempt
from annotator.practice.queries import PracticeProgress

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

LAST_PAGES = 8
# Seconds for which annotators are shown the same number of gold pages.
GOLD_CACHED = 300
# For so long a new version of the guideline is news.
NEWS = timedelta(days=14)


class WithGold(TypedDict):
    has_gold: bool


@dataclass(frozen=True)
class OwnPage:
    """One of an annotator's pages, without whether others agreed."""

    annotation: Annotation
    page: Page
    spans: list[list[Any]]
    verdict: str
    state: str  # draft, lapsed, submitted, reopened, gold, taken_down

    @property
    def marks(self) -> int:
        return len(self.spans)

    @property
    def can_edit(self) -> bool:
        """Whether it is a draft, or submitted and its round is not final; a dispute does not show."""
        is_open = self.state in ("draft", "lapsed", "reopened")
        return is_open or self.annotation.slot.round.finalised_at is None


@dataclass(frozen=True)
class AnnotatorSummary:
    # The practice that comes before real pages, if any, and the last finished attempt: only there may
    # annotators learn how gold differs from their marks.
    practice: PracticeProgress | None
    practised: PracticeAttempt | None
    held: Slot | None
    # The page held, or else the one that would be claimed.
    next_page: Page | None
    # The blocks of the page shown, for its outline.
    blocks: list[list[int]]
    # How many pages the annotator may still come to submit.
    left: int
    # How many pages others hold now, which may become available, and how many are not built yet.
    in_progress: int
    processing: int
    last: list[OwnPage]
    has_more: bool
    today: Today
    numbers: dict[str, int]
    # Gold pages of the corpus, some minutes ago: beside a page of theirs that has just become final, an exact
    # number would tell whether gold was made of it or it was a check.
    gold: int
    news: Guideline | None

    @property
    def is_to_practise(self) -> bool:
        """Whether practice is what comes next."""
        return self.held is None and self.practice is not None and not self.practice.is_out_of_attempts

    @property
    def waits(self) -> bool:
        """Whether there is something to do."""
        return bool(self.next_page or self.is_to_practise)


def summary_of(user: User, corpus: Corpus) -> AnnotatorSummary:
    now = timezone.now()
    progress = practice.progress_of(corpus, user)
    held = annotations.active_slot(corpus, user)
    if progress.is_required and held and held.round.purpose == Purpose.PRACTICE:
        held = None
    candidate = held or (None if progress.is_required else _candidate(user, corpus, now))
    next_page = candidate.round.page if candidate else None
    last = list(own_pages(user, corpus)[: LAST_PAGES + 1])
    return AnnotatorSummary(
        practice=progress if progress.is_required else None,
        practised=_practised(progress),
        held=held,
        next_page=next_page,
        blocks=_blocks_of(next_page),
        left=progress_of(corpus, user, recount=True).left,
        in_progress=_in_progress(user, corpus, now),
        processing=Page.objects.filter(corpus=corpus).open().count(),
        last=described(last[:LAST_PAGES], now),
        has_more=len(last) > LAST_PAGES,
        today=today_of(user, corpus, now),
        numbers=label_numbers_of(corpus),
        gold=cached_count(f"gold:{corpus.pk}", golds.current_gold(corpus).count, seconds=GOLD_CACHED),
        news=_news(corpus, now),
    )


def _candidate(user: User, corpus: Corpus, now: datetime) -> Slot | None:
    """The slot that the annotator gets next, unless someone else claims it first."""
    return (
        annotations.reserve_of(corpus, user)
        or next(slots_in_order(corpus, user, now)).first()
        or eligibility.unopened_reserves(corpus, user).first()
    )


def _blocks_of(page: Page | None) -> list[list[int]]:
    """The blocks of the page's document."""
    documents = StoredDocument.objects.filter(current_of=page)
    return documents.values_list("blocks", flat=True).first() or [] if page else []


def _in_progress(user: User, corpus: Corpus, now: datetime) -> int:
    """How many slots others hold on pages where the annotator has none."""
    own = Slot.objects.filter(round=OuterRef("round"), annotator=user)
    # A slot that is assigned to one person becomes available to nobody else.
    unassigned = Slot.objects.filter(corpus=corpus, assigned_to=None, submitted_at=None, reserved_at=None)
    held = unassigned.filter(lease_until__gte=now)
    return held.exclude(Exists(own)).count()


def _practised(progress: PracticeProgress) -> PracticeAttempt | None:
    finished = [attempt for attempt in progress.attempts if attempt.finished_at]
    return finished[-1] if finished else None


def _news(corpus: Corpus, now: datetime) -> Guideline | None:
    """The current version of the guideline, while it is new; the first one is no news."""
    current = corpus.guidelines.filter(number=corpus.guideline_version, number__gt=1)
    return current.filter(made_at__gte=now - NEWS).defer("texts").first()


# ---- the annotator's own pages ----


def own_pages(
    user: User, corpus: Corpus, *, text: str = ""
) -> "QuerySet[WithAnnotations[Annotation, WithGold]]":
    """The annotator's pages, the latest first, without drafts on pages that they skipped.

    Of a page that they have been given again, only the open annotation: the earlier one would tell that it is
    a repeat, and what they marked then.
    """
    skipped = Skip.objects.filter(round=OuterRef("slot__round"), annotator=user)
    again = Slot.objects.filter(
        round__page=OuterRef("slot__round__page"),
        round__purpose__in=HIDDEN,
        round__finalised_at=None,
        annotator=user,
    ).exclude(round=OuterRef("slot__round"))
    gold = Gold.objects.filter(page=OuterRef("slot__round__page"), current=True).exclude(
        source=GoldSource.IMPORTED
    )
    found = annotations.annotations_of(corpus, user).exclude(Exists(skipped), submitted_at=None)
    if text:
        lookups = ("title__folded__contains", "site__icontains", "url__icontains")
        found = found.filter(Q.create([(f"slot__round__page__{lookup}", text) for lookup in lookups], Q.OR))
    return (
        found.exclude(Exists(again))
        .select_related("slot__round__page__takedown", "document")
        .annotate(has_gold=Exists(gold))
        .defer("document__text")
    )


def described(found: "Sequence[WithAnnotations[Annotation, WithGold]]", now: datetime) -> list[OwnPage]:
    """The pages with their newest marks and their state."""
    newest = _newest_revisions(found)
    return [_own_page(each, newest.get(each.pk), _state_of(each, each.has_gold, now)) for each in found]


def _newest_revisions(annotations: Sequence[Annotation]) -> dict[int, Revision]:
    revisions = Revision.objects.filter(annotation__in=annotations).order_by("annotation", "-number")
    return {revision.annotation_id: revision for revision in revisions.distinct("annotation")}


def _own_page(annotation: Annotation, revision: Revision | None, state: str) -> OwnPage:
    return OwnPage(
        annotation=annotation,
        page=annotation.slot.round.page,
        spans=revision.spans if revision else [],
        verdict=revision.get_verdict_display() if revision and revision.verdict else "",
        state=state,
    )


def _state_of(annotation: Annotation, has_gold: bool, now: datetime) -> str:
    if hasattr(annotation.slot.round.page, "takedown"):
        return "taken_down"
    if annotation.submitted_at:
        if annotation.reopened_at and not annotation.slot.round.finalised_at:
            return "reopened"
        # A check is of a page that has gold already.
        is_open_check = annotation.slot.round.purpose in HIDDEN and not annotation.slot.round.finalised_at
        return "gold" if has_gold and not is_open_check else "submitted"
    slot = annotation.slot
    is_held = slot.annotator_id == annotation.annotator_id and slot.lease_until and slot.lease_until > now
    return "draft" if is_held else "lapsed"
