"""What the home screen shows of each corpus, with a part for each role, and what to do next."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotator.corpora.access import CorpusAccess
from annotator.corpora.models import Corpus, Membership, Role, User
from annotator.gold import queries as golds
from annotator.home.roles import adjudicator, admin, annotator, researcher
from annotator.home.roles.adjudicator import AdjudicatorSummary
from annotator.home.roles.admin import AdminSummary
from annotator.home.roles.annotator import AnnotatorSummary
from annotator.home.roles.researcher import ResearcherSummary
from annotator.pages.models import Page


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
            (role for role in Role.values if role in self.roles), key=lambda role: role not in self.waiting
        )

    @property
    def waiting(self) -> frozenset[str]:
        """The roles for which something waits."""
        found = {
            Role.ANNOTATOR: self.annotator and self.annotator.waits,
            Role.ADJUDICATOR: self.adjudicator and self.adjudicator.first,
            Role.ADMIN: self.admin and self.admin.needed,
        }
        return frozenset(role.value for role, waits in found.items() if waits)


def corpora_of(user: User) -> list[Corpus]:
    """The corpora in which the user has a role now; all of them for a site admin."""
    if user.is_superuser:
        return list(Corpus.objects.filter(deleted_at=None))
    mine = Membership.objects.filter(user=user, ended_at=None, corpus=OuterRef("pk"))
    return list(Corpus.objects.filter(Exists(mine)))


def summary_of(user: User, corpus: Corpus) -> CorpusSummary:
    roles = CorpusAccess(user, corpus).roles
    return CorpusSummary(
        corpus=corpus,
        roles=roles,
        gold=golds.current_gold(corpus).count(),
        pages=Page.objects.filter(corpus=corpus).count(),
        annotator=annotator.summary_of(user, corpus) if Role.ANNOTATOR in roles else None,
        adjudicator=adjudicator.summary_of(user, corpus) if Role.ADJUDICATOR in roles else None,
        researcher=researcher.summary_of(corpus) if Role.RESEARCHER in roles else None,
        admin=admin.summary_of(corpus) if Role.ADMIN in roles else None,
    )
