"""What home tells each role of each corpus to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotator.annotations import queries as annotating
from annotator.annotations.models import Annotation, Purpose, Revision, Skip, Slot
from annotator.corpora.access import Standing
from annotator.corpora.models import Corpus, Membership, Role, User
from annotator.gold import queries as settling
from annotator.gold.models import Adjudication, Gold
from annotator.home import queries
from annotator.home.hours import Today, today_of
from annotator.imports.models import Import
from annotator.leaderboard.board import Board
from annotator.leaderboard.queries import board
from annotator.pages.models import Document, Page
from annotator.practice import queries as practising
from annotator.practice.queries import Progress

LAST_PAGES = 8


@dataclass(frozen=True)
class OwnPage:
    """One of an annotator's pages, as far as she may know: never whether others agreed with her."""

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
    def can_take_up(self) -> bool:
        """A draft, or what she handed in while its round is not settled; in dispute or not looks alike."""
        return self.is_open or self.annotation.slot.round.settled_at is None


@dataclass(frozen=True)
class AnnotatorDesk:
    # What stands between her and the pages, if anything.
    practice: Progress | None
    held: Slot | None
    next_page: Page | None
    # The blocks of the page at the head, for its outline.
    blocks: list[list[int]]
    # The pages that she may still take.
    left: int
    # Those that others hold now and may come back.
    being_marked: int
    last: list[OwnPage]
    today: Today
    numbers: dict[str, int]

    @property
    def waits(self) -> bool:
        """Whether she has something to do."""
        may_practise = self.practice is not None and not self.practice.is_stuck
        return bool(self.held or self.next_page or may_practise)


@dataclass(frozen=True)
class AdjudicatorDesk:
    first: Adjudication | None
    segments: int
    waiting: int
    settled_today: int


@dataclass(frozen=True)
class ResearcherDesk:
    board: Board


@dataclass(frozen=True)
class AdminDesk:
    failed: int
    stuck: int
    # Annotators who have no try of practice left.
    held_back: int
    running: Import | None
    refused: int
    people: int


@dataclass(frozen=True)
class Desk:
    """One corpus as its member finds it, a part for each of her roles."""

    corpus: Corpus
    roles: frozenset[str]
    gold: int
    pages: int
    annotator: AnnotatorDesk | None
    adjudicator: AdjudicatorDesk | None
    researcher: ResearcherDesk | None
    admin: AdminDesk | None

    @property
    def lead(self) -> str:
        """The role whose next thing to do comes first: of those for which something waits, if any."""
        return next((role for role in Role.values if role in (self.waiting or self.roles)), "")

    @property
    def waiting(self) -> frozenset[str]:
        """The roles for which something waits."""
        found = {
            Role.ANNOTATOR: self.annotator and self.annotator.waits,
            Role.ADJUDICATOR: self.adjudicator and self.adjudicator.first,
            Role.ADMIN: self.admin and (self.admin.failed or self.admin.stuck or self.admin.held_back),
        }
        return frozenset(role.value for role, waits in found.items() if waits)


def corpora_of(user: User) -> list[Corpus]:
    """The corpora in which she has a role now; all of them for the site's admin."""
    if user.is_superuser:
        return list(Corpus.objects.all())
    mine = Membership.objects.filter(user=user, ended_at=None, corpus=OuterRef("pk"))
    return list(Corpus.objects.filter(Exists(mine)))


def desk_of(user: User, corpus: Corpus) -> Desk:
    roles = Standing(user, corpus).roles
    return Desk(
        corpus=corpus,
        roles=roles,
        gold=settling.current_gold(corpus).count(),
        pages=Page.objects.filter(corpus=corpus).count(),
        annotator=_annotator(user, corpus) if Role.ANNOTATOR in roles else None,
        adjudicator=_adjudicator(user, corpus) if Role.ADJUDICATOR in roles else None,
        researcher=ResearcherDesk(board(corpus)) if Role.RESEARCHER in roles else None,
        admin=_admin(corpus) if Role.ADMIN in roles else None,
    )


# ---- annotator ----


def _annotator(user: User, corpus: Corpus) -> AnnotatorDesk:
    now = timezone.now()
    progress = practising.progress_of(corpus, user)
    held = annotating.active_slot(corpus, user)
    if progress.is_asked and held and held.round.purpose == Purpose.PRACTICE:
        held = None
    candidate = held or (None if progress.is_asked else _candidate(user, corpus, now))
    next_page = candidate.round.page if candidate else None
    return AnnotatorDesk(
        practice=progress if progress.is_asked else None,
        held=held,
        next_page=next_page,
        blocks=_blocks_of(next_page),
        left=annotating.rounds_left(corpus, user),
        being_marked=_being_marked(user, corpus, now),
        last=last_pages(user, corpus, now),
        today=today_of(user, corpus, now),
        numbers=dict(corpus.labels.values_list("name", "number")),
    )


def _candidate(user: User, corpus: Corpus, now: datetime) -> Slot | None:
    """The slot that she is given next, if nobody is quicker."""
    return (
        annotating.reserve_of(corpus, user)
        or annotating.claimable_slots(corpus, user, now).first()
        or annotating.unopened_reserves(corpus, user).first()
    )


def _blocks_of(page: Page | None) -> list[list[int]]:
    """The blocks of the page's document."""
    documents = Document.objects.filter(current_of=page)
    return documents.values_list("blocks", flat=True).first() or [] if page else []


def _being_marked(user: User, corpus: Corpus, now: datetime) -> int:
    """Slots that others hold, on pages where she has none: they may come back."""
    hers = Slot.objects.filter(round=OuterRef("round"), annotator=user)
    # What is meant for one person comes back to nobody else.
    anybodys = Slot.objects.filter(corpus=corpus, meant_for=None, submitted_at=None, reserved_at=None)
    held = anybodys.filter(lease_until__gte=now)
    return held.exclude(Exists(hers)).count()


def last_pages(user: User, corpus: Corpus, now: datetime) -> list[OwnPage]:
    """Her last pages; drafts on pages that she left to others are not among them."""
    left = Skip.objects.filter(round=OuterRef("slot__round"), annotator=user)
    gold = Gold.objects.filter(page=OuterRef("slot__round__page"), current=True).exclude(source="imported")
    found = list(
        annotating.annotations_of(corpus, user)
        .exclude(Exists(left), submitted_at=None)
        .select_related("slot__round__page", "document")
        .annotate(has_gold=Exists(gold))
        .defer("document__text")[:LAST_PAGES]
    )
    newest = _newest_revisions(found)
    return [_own_page(annotation, newest.get(annotation.pk), now) for annotation in found]


def _newest_revisions(annotations: Sequence[Annotation]) -> dict[int, Revision]:
    revisions = Revision.objects.filter(annotation__in=annotations).order_by("annotation", "-number")
    return {revision.annotation_id: revision for revision in revisions.distinct("annotation")}


def _own_page(annotation: Annotation, revision: Revision | None, now: datetime) -> OwnPage:
    return OwnPage(
        annotation=annotation,
        page=annotation.slot.round.page,
        spans=revision.spans if revision else [],
        verdict=revision.get_verdict_display() if revision and revision.verdict else "",
        state=_state_of(annotation, now),
    )


def _state_of(annotation: Annotation, now: datetime) -> str:
    if annotation.submitted_at:
        settled = "gold" if annotation.has_gold else "submitted"
        return "reopened" if annotation.reopened_at and not annotation.slot.round.settled_at else settled
    slot = annotation.slot
    is_hers = slot.annotator_id == annotation.annotator_id and slot.lease_until > now
    return "draft" if is_hers else "lapsed"


# ---- the others ----


def _adjudicator(user: User, corpus: Corpus) -> AdjudicatorDesk:
    waiting = settling.claimable(corpus, user, timezone.now())
    first = waiting.select_related("round__page").first()
    return AdjudicatorDesk(
        first=first,
        segments=first.segments.count() if first else 0,
        waiting=waiting.count(),
        settled_today=settling.settled_today(corpus, user),
    )


def _admin(corpus: Corpus) -> AdminDesk:
    newest = Import.objects.filter(corpus=corpus).first()
    return AdminDesk(
        failed=queries.unparseable(corpus).count(),
        stuck=queries.without_taker(corpus).count() + queries.without_adjudicator(corpus).count(),
        held_back=len(practising.stuck(corpus)),
        running=newest if newest and newest.finished_at is None else None,
        refused=newest.refused if newest else 0,
        people=Membership.objects.filter(corpus=corpus, ended_at=None).values("user").distinct().count(),
    )
