"""What the home screen shows each role in each corpus, and what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotator.annotations import eligibility
from annotator.annotations import queries as annotations
from annotator.annotations.models import HIDDEN, Annotation, Purpose, Revision, Skip, Slot
from annotator.annotations.progress import progress_of
from annotator.common.caching import cached_count
from annotator.corpora.access import CorpusAccess
from annotator.corpora.models import Corpus, Membership, Role, User
from annotator.gold import queries as golds
from annotator.gold.models import Adjudication, Gold
from annotator.home import queries
from annotator.home.hours import Today, today_of
from annotator.pages.imports.models import Import
from annotator.pages.models import Page, StoredDocument
from annotator.practice import queries as practice
from annotator.practice.queries import PracticeProgress
from annotator.scoring.leaderboard.actions import leaderboard_of, request_leaderboard
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.leaderboard import Leaderboard

LAST_PAGES = 8
# Seconds for which annotators are shown the same number of gold pages.
GOLD_CACHED = 300


@dataclass(frozen=True)
class OwnPage:
    """One of an annotator's pages, without whether others agreed."""

    annotation: Annotation
    page: Page
    spans: list[list[Any]]
    verdict: str
    state: str  # draft, lapsed, submitted, reopened, gold

    @property
    def marks(self) -> int:
        return len(self.spans)

    @property
    def is_open(self) -> bool:
        return self.state in ("draft", "lapsed", "reopened")

    @property
    def can_edit(self) -> bool:
        """Whether it is a draft, or submitted and its round is not final; a dispute does not show."""
        return self.is_open or self.annotation.slot.round.finalised_at is None


@dataclass(frozen=True)
class AnnotatorSummary:
    # The practice that comes before real pages, if any.
    practice: PracticeProgress | None
    held: Slot | None
    next_page: Page | None
    # The blocks of the page shown, for its outline.
    blocks: list[list[int]]
    # How many pages the annotator may still come to submit.
    left: int
    # How many pages others hold now, which may become available.
    in_progress: int
    last: list[OwnPage]
    today: Today
    numbers: dict[str, int]
    # Gold pages of the corpus, some minutes ago: beside a page of theirs that has just become final, an exact
    # number would tell whether gold was made of it or it was a check.
    gold: int

    @property
    def waits(self) -> bool:
        """Whether there is something to do."""
        may_practise = self.practice is not None and not self.practice.is_out_of_attempts
        return bool(self.held or self.next_page or may_practise)


@dataclass(frozen=True)
class AdjudicatorSummary:
    first: Adjudication | None
    segments: int
    waiting: int
    adjudicated_today: int


@dataclass(frozen=True)
class ResearcherSummary:
    board: Leaderboard | None


@dataclass(frozen=True)
class AdminSummary:
    failed: int
    unassignable: int
    # Annotators without practice attempts left.
    held_back: int
    running: Import | None
    refused: int
    people: int


@dataclass(frozen=True)
class CorpusSummary:
    """One corpus as its member sees it, with a part for each role of theirs."""

    corpus: Corpus
    roles: frozenset[str]
    gold: int
    pages: int
    annotator: AnnotatorSummary | None
    adjudicator: AdjudicatorSummary | None
    researcher: ResearcherSummary | None
    admin: AdminSummary | None

    @property
    def lead(self) -> str:
        """The first role for which something waits; the first role if nothing does."""
        return next((role for role in Role.values if role in (self.waiting or self.roles)), "")

    @property
    def waiting(self) -> frozenset[str]:
        """The roles for which something waits."""
        found = {
            Role.ANNOTATOR: self.annotator and self.annotator.waits,
            Role.ADJUDICATOR: self.adjudicator and self.adjudicator.first,
            Role.ADMIN: self.admin and (self.admin.failed or self.admin.unassignable or self.admin.held_back),
        }
        return frozenset(role.value for role, waits in found.items() if waits)


def corpora_of(user: User) -> list[Corpus]:
    """The corpora in which the user has a role now; all of them for a site admin."""
    if user.is_superuser:
        return list(Corpus.objects.all())
    mine = Membership.objects.filter(user=user, ended_at=None, corpus=OuterRef("pk"))
    return list(Corpus.objects.filter(Exists(mine)))


def summary_of(user: User, corpus: Corpus) -> CorpusSummary:
    roles = CorpusAccess(user, corpus).roles
    return CorpusSummary(
        corpus=corpus,
        roles=roles,
        gold=golds.current_gold(corpus).count(),
        pages=Page.objects.filter(corpus=corpus).count(),
        annotator=_annotator(user, corpus) if Role.ANNOTATOR in roles else None,
        adjudicator=_adjudicator(user, corpus) if Role.ADJUDICATOR in roles else None,
        researcher=_researcher(corpus) if Role.RESEARCHER in roles else None,
        admin=_admin(corpus) if Role.ADMIN in roles else None,
    )


def _researcher(corpus: Corpus) -> ResearcherSummary:
    # Where a worker has to compute it, the sweeper tells it.
    stored, _is_asked = request_leaderboard(corpus=corpus, filters=LeaderboardFilters())
    return ResearcherSummary(leaderboard_of(stored))


# ---- annotator ----


def _annotator(user: User, corpus: Corpus) -> AnnotatorSummary:
    now = timezone.now()
    progress = practice.progress_of(corpus, user)
    held = annotations.active_slot(corpus, user)
    if progress.is_required and held and held.round.purpose == Purpose.PRACTICE:
        held = None
    candidate = held or (None if progress.is_required else _candidate(user, corpus, now))
    next_page = candidate.round.page if candidate else None
    return AnnotatorSummary(
        practice=progress if progress.is_required else None,
        held=held,
        next_page=next_page,
        blocks=_blocks_of(next_page),
        left=progress_of(corpus, user, recount=True).left,
        in_progress=_in_progress(user, corpus, now),
        last=last_pages(user, corpus, now),
        today=today_of(user, corpus, now),
        numbers=dict(corpus.labels.values_list("name", "number")),
        gold=cached_count(f"gold:{corpus.pk}", golds.current_gold(corpus).count, seconds=GOLD_CACHED),
    )


def _candidate(user: User, corpus: Corpus, now: datetime) -> Slot | None:
    """The slot that the annotator gets next, unless someone else claims it first."""
    return (
        annotations.reserve_of(corpus, user)
        or eligibility.claimable_slots(corpus, user, now).first()
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


def last_pages(user: User, corpus: Corpus, now: datetime) -> list[OwnPage]:
    """The annotator's last pages, without drafts on pages that they skipped."""
    skipped = Skip.objects.filter(round=OuterRef("slot__round"), annotator=user)
    gold = Gold.objects.filter(page=OuterRef("slot__round__page"), current=True).exclude(source="imported")
    found = list(
        annotations.annotations_of(corpus, user)
        .exclude(Exists(skipped), submitted_at=None)
        .select_related("slot__round__page", "document")
        .annotate(has_gold=Exists(gold))
        .defer("document__text")[:LAST_PAGES]
    )
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
    if annotation.submitted_at:
        if annotation.reopened_at and not annotation.slot.round.finalised_at:
            return "reopened"
        # A check is of a page that has gold already.
        is_open_check = annotation.slot.round.purpose in HIDDEN and not annotation.slot.round.finalised_at
        return "gold" if has_gold and not is_open_check else "submitted"
    slot = annotation.slot
    is_held = slot.annotator_id == annotation.annotator_id and slot.lease_until and slot.lease_until > now
    return "draft" if is_held else "lapsed"


# ---- other roles ----


def _adjudicator(user: User, corpus: Corpus) -> AdjudicatorSummary:
    waiting = golds.claimable(corpus, user, timezone.now())
    first = waiting.select_related("round__page").first()
    return AdjudicatorSummary(
        first=first,
        segments=first.segments.count() if first else 0,
        waiting=waiting.count(),
        adjudicated_today=golds.adjudicated_today(corpus, user),
    )


def _admin(corpus: Corpus) -> AdminSummary:
    newest = Import.objects.filter(corpus=corpus).first()
    return AdminSummary(
        failed=queries.unparseable(corpus).count(),
        unassignable=queries.without_taker(corpus).count() + queries.without_adjudicator(corpus).count(),
        held_back=len(practice.out_of_attempts(corpus)),
        running=newest if newest and newest.is_moving else None,
        refused=newest.refused if newest else 0,
        people=Membership.objects.filter(corpus=corpus, ended_at=None).values("user").distinct().count(),
    )
