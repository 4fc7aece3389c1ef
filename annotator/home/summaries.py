"""What the home screen shows of each corpus, with a part for each role, and what to do next.

Each corpus that is shown in full costs some twenty queries, so there are few of them: those in which the user
is likely to have something to do. The others have a line each, on pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.core.paginator import Page as ListPage
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotator.annotations.models import Slot
from annotator.common.display_names import ROLES
from annotator.common.roles import ADJUDICATOR, ADMIN, ANNOTATOR, READERS, RESEARCHER
from annotator.common.work import work_models
from annotator.corpora.access import CorpusAccess
from annotator.corpora.models import Corpus, User
from annotator.gold import queries as golds
from annotator.gold.models import Gold
from annotator.home.counts import counts_of, kept_counts
from annotator.home.roles import adjudicator, admin, annotator, researcher
from annotator.home.roles.adjudicator import AdjudicatorSummary
from annotator.home.roles.admin import AdminSummary
from annotator.home.roles.annotator import AnnotatorSummary
from annotator.home.roles.researcher import ResearcherSummary
from annotator.pages.models import Page

# So many corpora are shown in full at most, and so many of the others at once.
IN_FULL, LISTED = 3, 20


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
        return next(iter(self.order), "")

    @property
    def order(self) -> list[str]:
        """The roles in the order of the screen: those for which something waits come first."""
        return sorted(
            (role for role in ROLES if role in self.roles), key=lambda role: role not in self.waiting
        )

    @property
    def waiting(self) -> frozenset[str]:
        """The roles for which something waits."""
        found = {
            ANNOTATOR: self.annotator and self.annotator.waits,
            ADJUDICATOR: self.adjudicator and self.adjudicator.first,
            ADMIN: self.admin and (self.admin.needed or not self.pages),
        }
        return frozenset(role for role, waits in found.items() if waits)


@dataclass(frozen=True)
class CorpusLine:
    """One corpus of the list of the others."""

    access: CorpusAccess
    pages: int
    # None: the user annotates there, and an exact number may tell them what became of their page.
    gold: int | None


@dataclass(frozen=True)
class Home:
    """The corpora of a user: some in full, the others as one page of a list."""

    summaries: list[CorpusSummary]
    others: list[CorpusLine]
    page: ListPage[CorpusAccess]


def home_of(user: User, accesses: Sequence[CorpusAccess], *, chosen: str = "", number: str | int = 1) -> Home:
    """What home shows of the corpora that the user may see.

    `chosen` is the slug of one that is shown in full alone, `number` the page of the list of the others.
    """
    full = [each for each in accesses if each.corpus.slug == chosen and not each.corpus.archived_at]
    full = full or _in_full(user, accesses)
    page = Paginator([each for each in accesses if each not in full], LISTED).get_page(number)
    return Home([summary_of(each) for each in full], _lines(page), page)


def _in_full(user: User, accesses: Sequence[CorpusAccess]) -> list[CorpusAccess]:
    """All, where they are few; otherwise the first in which something may wait for the user."""
    found = [each for each in accesses if not each.corpus.archived_at]
    if len(found) > IN_FULL:
        wanted = _may_wait(user, found)
        found = [each for each in found if each.corpus.pk in wanted]
    return found[:IN_FULL]


def _may_wait(user: User, accesses: Iterable[CorpusAccess]) -> set[int]:
    """The corpora in which something may wait for one of the user's roles: seen from afar, in one query."""
    slots = Slot.objects.filter(corpus=OuterRef("pk"), submitted_at=None)
    free = slots.filter(Q(annotator=None) | Q(annotator=user), Q(assigned_to=None) | Q(assigned_to=user))
    disputes = golds.open_adjudications().filter(round__page__corpus=OuterRef("pk"))
    pages = Page.objects.filter(corpus=OuterRef("pk"))
    now = timezone.now()
    failed = [
        Exists(model.objects.filter(model.kind.needs_attention(now), **{model.kind.corpus: OuterRef("pk")}))
        for model in work_models()
        if model.kind.is_requested
    ]
    waits = {
        ANNOTATOR: Exists(free),
        ADJUDICATOR: Exists(disputes),
        ADMIN: reduce(or_, failed, Exists(pages.failed()) | ~Exists(pages)),
    }
    by_role = (
        Q(condition, pk__in=[each.corpus.pk for each in accesses if role in each.roles])
        for role, condition in waits.items()
    )
    return set(Corpus.objects.filter(reduce(or_, by_role)).values_list("pk", flat=True))


def _lines(accesses: Iterable[CorpusAccess]) -> list[CorpusLine]:
    listed = list(accesses)
    if not listed:
        return []
    kept = kept_counts(each.corpus for each in listed)
    corpora = [each.corpus.pk for each in listed if each.corpus.pk not in kept]
    pages = {pk: counts.pages for pk, counts in kept.items()}
    pages |= _by_corpus(Page.objects.filter(corpus__in=corpora), "corpus")
    gold = {pk: counts.gold for pk, counts in kept.items()}
    gold |= _by_corpus(Gold.objects.filter(page__corpus__in=corpora, current=True), "page__corpus")
    return [
        CorpusLine(
            access=each,
            pages=pages.get(each.corpus.pk, 0),
            gold=gold.get(each.corpus.pk, 0) if each.roles & READERS else None,
        )
        for each in listed
    ]


def _by_corpus(rows: QuerySet[Any], path: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(path).annotate(n=Count("pk")))


def summary_of(access: CorpusAccess) -> CorpusSummary:
    user, corpus, roles = access.user, access.corpus, access.roles
    counts = counts_of(corpus)
    own = annotator.summary_of(user, corpus) if ANNOTATOR in roles else None
    return CorpusSummary(
        corpus=corpus,
        roles=roles,
        # An annotator who adjudicates too is told no more exact a number than annotators are.
        gold=own.gold if own else counts.gold,
        pages=counts.pages,
        annotator=own,
        adjudicator=adjudicator.summary_of(user, corpus) if ADJUDICATOR in roles else None,
        researcher=researcher.summary_of(corpus, counts) if RESEARCHER in roles else None,
        admin=admin.summary_of(corpus, counts) if ADMIN in roles else None,
    )
