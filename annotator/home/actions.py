"""Writes that touch several folders: somebody's roles end, and what she holds goes back."""

from collections.abc import Iterable

from django.db import transaction

from annotator.annotations import actions as annotating
from annotator.common.roles import ADJUDICATOR, ANNOTATOR
from annotator.corpora import actions as people
from annotator.corpora.models import Corpus, User
from annotator.gold import actions as settling


@transaction.atomic
def change_roles(*, corpus: Corpus, user: User, roles: Iterable[str]) -> None:
    """Let her hold just these roles; leases of a role that ends are released, drafts and work are kept."""
    wanted = set(roles)
    people.change_roles(corpus=corpus, user=user, roles=wanted)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR} - wanted)


@transaction.atomic
def let_leave(*, corpus: Corpus, user: User) -> None:
    """End all her roles in this corpus and give back what she holds; submitted and saved work stays."""
    people.leave(corpus=corpus, user=user)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR})


def give_back(*, user: User) -> None:
    """She goes away: what waits for her goes to others; what she works on stays hers until it lapses."""
    annotating.release_reserves(user=user)


def _release(corpus: Corpus, user: User, ended: set[str]) -> None:
    if ANNOTATOR in ended:
        annotating.release_all(corpus=corpus, user=user)
    if ADJUDICATOR in ended:
        settling.release_all(corpus=corpus, user=user)
