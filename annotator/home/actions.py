"""Writes across folders: a corpus is created; a member leaves it, and what they hold is free again."""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.annotations import actions as annotations
from annotator.annotations.study.actions import begin_design
from annotator.common.errors import Conflict
from annotator.common.roles import ADJUDICATOR, ANNOTATOR
from annotator.common.work import Work, WorkQuerySet
from annotator.corpora import actions as corpora
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.gold import actions as gold
from annotator.runs.actions import DEFAULT_EXTRACTORS, enable
from extraction.spans import LABELS


@transaction.atomic
def create_corpus(
    *,
    slug: str,
    name: str = "",
    languages: Iterable[str] = (),
    slots: int = 2,
    blind_share: float = 0.2,
    audit_share: float = 0,
    labels: Iterable[str] = LABELS,
    guideline: Mapping[str, str] | None = None,
    extractors: Iterable[str] = DEFAULT_EXTRACTORS,
    creator: User | None = None,
) -> Corpus:
    """Create a corpus with its study settings and extractors; its creator becomes admin.

    Raises Conflict if the slug is taken, GoldpanError for invalid settings or an unknown extractor.
    """
    corpus = corpora.create_corpus(
        slug=slug,
        name=name,
        languages=languages,
        audit_share=audit_share,
        labels=labels,
        guideline=guideline,
        creator=creator,
    )
    begin_design(corpus=corpus, slots=slots, blind_share=blind_share)
    for extractor in extractors:
        enable(corpus=corpus, name=extractor)
    return corpus


@transaction.atomic
def change_roles(
    *, corpus: Corpus, user: User, roles: Iterable[str], based_on: Collection[str] | None = None, by: User
) -> None:
    """Let the user hold exactly these roles; leases of ended roles are released, drafts and work are kept.

    Raises Conflict where they hold other roles than `based_on` by now.
    """
    wanted = set(roles)
    corpora.change_roles(corpus=corpus, user=user, roles=wanted, based_on=based_on, by=by)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR} - wanted)


@transaction.atomic
def remove_member(*, corpus: Corpus, user: User) -> None:
    """End all roles of the user in this corpus and release their leases; submitted and saved work stays."""
    corpora.leave(corpus=corpus, user=user)
    _release(corpus, user, {ANNOTATOR, ADJUDICATOR})


@transaction.atomic
def retry(*, corpus: Corpus, kind: str, rows: WorkQuerySet[Work]) -> int:
    """Have failed or overloaded work done again; return how many rows. Raises Conflict where none is left."""
    retried = rows.open_again()
    if not retried:
        raise Conflict(_("There is nothing left to retry: somebody has done so, or a worker is at it."))
    record(AuditAction.WORK_RETRIED, corpus=corpus, item=kind, changes={"rows": retried})
    return retried


def _release(corpus: Corpus, user: User, ended: set[str]) -> None:
    if ANNOTATOR in ended:
        annotations.release_all(corpus=corpus, user=user)
    if ADJUDICATOR in ended:
        gold.release_all(corpus=corpus, user=user)
