"""Archiving, restoring and deleting a corpus."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.annotations.models import Annotation
from annotator.common.errors import Conflict
from annotator.corpora.actions import revoke
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import SLUG_LENGTH, Corpus, Membership
from annotator.corpora.queries import open_invitations
from annotator.gold.models import Gold
from annotator.pages.imports.actions import pause_imports
from annotator.pages.models import Page
from annotator.releases.models import Release
from annotator.runs.models import CorpusExtractor


def obstacles_to_deleting(corpus: Corpus) -> list[str]:
    """In words, what is in the way; empty where the corpus can be deleted."""
    if Annotation.objects.filter(slot__corpus=corpus).exists():
        return [_("Somebody has annotated in it, so it can be archived only.")]
    if Release.objects.filter(corpus=corpus).exists() or Gold.objects.filter(page__corpus=corpus).exists():
        return [_("It has gold or releases, so it can be archived only.")]
    pages = Page.objects.filter(corpus=corpus).count()
    if not pages:
        return []
    return [
        ngettext(
            "It has %(n)d page. Undo its imports first.", "It has %(n)d pages. Undo its imports first.", pages
        )
        % {"n": pages}
    ]


@transaction.atomic
def archive(*, corpus: Corpus) -> None:
    """Make the corpus read-only, for everybody; its imports pause. Raises Conflict if it is so already."""
    if not Corpus.objects.filter(pk=corpus.pk, archived_at=None).update(archived_at=timezone.now()):
        raise Conflict(_("This corpus is archived already."))
    pause_imports(corpus=corpus)
    record(AuditAction.CORPUS_ARCHIVED, corpus=corpus, item=corpus.slug)


@transaction.atomic
def restore(*, corpus: Corpus) -> None:
    """Let an archived corpus be changed again. Raises Conflict if it is not archived."""
    if not Corpus.objects.filter(pk=corpus.pk, archived_at__isnull=False).update(archived_at=None):
        raise Conflict(_("This corpus is not archived."))
    record(AuditAction.CORPUS_RESTORED, corpus=corpus, item=corpus.slug)


@transaction.atomic
def delete(*, corpus: Corpus) -> None:
    """Delete a corpus in which nothing was ever annotated and no page is left.

    Its row stays for its history, such as the audit log (invariant 7): nobody has a role in it any more, no
    address leads to it, and its slug is free again. Raises Conflict with what is in the way.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    if obstacles := obstacles_to_deleting(held):
        raise Conflict(" ".join(obstacles))
    now = timezone.now()
    record(AuditAction.CORPUS_DELETED, corpus=held, item=held.slug)
    for invitation in open_invitations().filter(corpus=held):
        revoke(invitation=invitation)
    Membership.objects.filter(corpus=held, ended_at=None).update(ended_at=now)
    CorpusExtractor.objects.filter(corpus=held, ended_at=None).update(ended_at=now)
    suffix = f"-deleted-{held.pk}"
    slug = held.slug[: SLUG_LENGTH - len(suffix)] + suffix
    Corpus.objects.filter(pk=held.pk).update(slug=slug, deleted_at=now)
