"""Writes that touch several folders: a member's roles end, and what they hold returns to the queue."""

from collections.abc import Iterable

from django.db import transaction

from annotator.annotations import actions as annotations
from annotator.common.roles import ADJUDICATOR, ANNOTATOR
from annotator.corpora import actions as corpora
from annotator.corpora.models import Corpus, User
from annotator.gold import actions as gold


@transaction.atomic
def change_roles(*, corpus: Corpus, user: User, roles: Iterable[str], by: User) -> None:
    """Let the user hold exactly these roles; leases of ended roles are released, drafts and work are kept."""
    wanted = set(roles)
    corpora.change_roles(corpus=corpus, user=user, roles=wanted, by=by)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR} - wanted)


@transaction.atomic
def remove_member(*, corpus: Corpus, user: User) -> None:
    """End all roles of the user in this corpus and release their leases; submitted and saved work stays."""
    corpora.leave(corpus=corpus, user=user)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR})


def release_reserves(*, user: User) -> None:
    """On signing out, return reserved pages to the queue; pages in progress stay until their lease lapses."""
    annotations.release_reserves(user=user)


def _release(corpus: Corpus, user: User, ended: set[str]) -> None:
    if ANNOTATOR in ended:
        annotations.release_all(corpus=corpus, user=user)
    if ADJUDICATOR in ended:
        gold.release_all(corpus=corpus, user=user)
