"""Undoing an import: its pages are deleted, with all that was made of them, as long as nobody has used them.

The one case in which rows of history are deleted (invariant 7): nobody has annotated, released or taken down
any of these pages, so there is no history yet. All of them go in one transaction, or none.
"""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any

import pgtrigger
from django.db import connection, models, transaction
from django.db.models import Min, Q
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.errors import Conflict
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.pages.files import files_of, lock_removal, remove_files
from annotator.pages.imports.models import Import
from annotator.pages.imports.queries import pages_added_by
from annotator.pages.models import Page

# Rows by model, as primary keys.
Rows = dict[type[models.Model], set[int]]

# A claim, even one that was given back with a draft in it; and what hands the pages on to others.
_CLAIMED = (
    Q(rounds__slots__annotator__isnull=False)
    | Q(rounds__slots__annotations__isnull=False)
    | Q(rounds__skips__isnull=False)
)
_RELEASED = Q(gold__released_in__isnull=False)
_TAKEN_DOWN = Q(takedown__isnull=False)


def obstacle_to(run: Import) -> str:
    """Why the import cannot be undone, for people; empty if it can be."""
    pages = pages_added_by(run).order_by()
    obstacles = (
        (_CLAIMED, _("Somebody has begun to annotate one of its pages.")),
        (_RELEASED, _("Gold of its pages is in a release.")),
        (_TAKEN_DOWN, _("One of its pages was taken down.")),
    )
    return next((why for which, why in obstacles if pages.filter(which).exists()), "")


@transaction.atomic
def request_undo(*, run: Import, user: User | None = None) -> None:
    """Ask for the import to be undone, again where that has failed.

    Raises Conflict if it has not ended, or if that is too late.
    """
    ended = Import.objects.select_for_update(of=("self",)).get(pk=run.pk)
    is_undone = ended.undo_requested_at and not ended.error
    if not ended.ended_at or not ended.finished_at or is_undone:
        raise Conflict(_("Only an import that has ended can be undone."))
    why = obstacle_to(ended)
    if why:
        raise Conflict(_("This import cannot be undone any more: %(why)s") % {"why": why})
    work.reopen(ended, undo_requested_at=timezone.now())
    record(AuditAction.IMPORT_UNDONE, corpus=ended.corpus, by=user, item=ended.pk)


def undo(run: Import) -> bool:
    """Undo a claimed import; False if somebody has used a page meanwhile, or another worker took over.

    Its files are removed once its rows are: whoever is stopped in between goes on with them at the next
    attempt. Raises OSError while no file can be removed.
    """
    storage.check_removal()
    try:
        if run.undone_at is None and not _delete_rows(run):
            return False
    except Conflict as conflict:
        work.fail(run, error=conflict.message, undo_requested_at=None)
        return False
    # Whoever was stopped when its files were removed, or a backup from then, has left no list of them.
    with suppress(FileNotFoundError), storage.open_part(_digests_left(run)) as left:
        remove_files(left.read().decode().split())
    storage.remove_part(_digests_left(run))
    return work.finish(run)


@transaction.atomic
def _delete_rows(run: Import) -> bool:
    """Delete the pages of the import, and note which files are left; False if another worker took over."""
    lock_removal()
    files = _delete_pages(run)
    if not work.send_heartbeat(run, undone_at=timezone.now()):
        transaction.set_rollback(True)
        return False
    # Not earlier: the other worker may have noted them.
    storage.put_part(_digests_left(run), "\n".join(files).encode())
    return True


def _digests_left(run: Import) -> str:
    """Where the digests of its files are noted: no row says any more which they are."""
    return f"undone/{run.pk}"


def _delete_pages(run: Import) -> set[str]:
    """Delete the pages and what hangs on them; return the digests of their files.

    Raises Conflict if a row of history hangs on one of them.
    """
    _lock(run)
    why = obstacle_to(run)
    if why:
        raise Conflict(why)
    pages = set(pages_added_by(run).order_by().values_list("pk", flat=True))
    if not pages:
        return set()
    _leave_clusters(pages)
    rows = _all_that_hangs_on(pages)
    files = files_of(pages)
    refusals = _triggers_of(rows)
    # Without names, every trigger would be ignored.
    with pgtrigger.ignore(*refusals) if refusals else nullcontext():
        for model, keys in rows.items():
            _delete(model, keys)
    return files


def _lock(run: Import) -> None:
    """Lock slots, then pages, as `annotations.actions` does: a claim comes before, or finds nothing."""
    slots = Page._meta.apps.get_model("annotator", "Slot").objects
    list(
        slots.filter(round__page__in=pages_added_by(run).values("pk"))
        .order_by("pk")
        .select_for_update(of=("self",))
        .values_list("pk", flat=True)
    )
    list(pages_added_by(run).order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True))


def _leave_clusters(pages: set[int]) -> None:
    """Let the other pages of their clusters begin with the oldest of those that stay."""
    staying = Page.objects.filter(cluster__in=pages).exclude(pk__in=pages).order_by()
    for cluster, first in staying.values_list("cluster").annotate(first=Min("pk")):
        Page.objects.filter(cluster=cluster).exclude(pk__in=pages).update(cluster=first)


# ---- what hangs on the pages ----


def _all_that_hangs_on(pages: set[int]) -> Rows:
    """The pages and every row that refers to them, directly or not.

    A model whose rows may go says so with `derived_from_page`, or by cascading. Raises Conflict where a row
    of any other model refers to one of these.
    """
    rows: Rows = {Page: pages}
    new: list[tuple[type[models.Model], set[int]]] = [(Page, pages)]
    while new:
        model, keys = new.pop()
        _lock_rows(model, keys)
        for relation in _references_to(model):
            found = set(_referring(relation, keys).values_list("pk", flat=True))
            found -= rows.get(relation.related_model, set())
            if not found or relation.on_delete is models.SET_NULL:
                continue
            if not _may_go(relation):
                raise Conflict(_("Its pages are in use elsewhere, so they stay."))
            rows.setdefault(relation.related_model, set()).update(found)
            new.append((relation.related_model, found))
    return rows


def _lock_rows(model: type[models.Model], keys: set[int]) -> None:
    """Let no worker add what refers to them: a foreign key is checked by a lock of the row that it names."""
    rows = model._base_manager.filter(pk__in=keys).order_by("pk")
    list(rows.select_for_update(of=("self",)).values_list("pk"))


def _references_to(model: type[models.Model]) -> Iterator[ForeignObjectRel]:
    fields = model._meta.get_fields(include_hidden=True)
    return (each for each in fields if isinstance(each, ForeignObjectRel))


def _referring(relation: ForeignObjectRel, keys: set[int]) -> models.QuerySet[Any]:
    return relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": keys})


def _may_go(relation: ForeignObjectRel) -> bool:
    derived = getattr(relation.related_model, "derived_from_page", False)
    return derived or relation.on_delete is models.CASCADE


def _triggers_of(rows: Rows) -> list[str]:
    """The triggers that keep rows of these models from being deleted."""
    return [
        f"{model._meta.label}:{trigger.name}"
        for model in rows
        for trigger in getattr(model._meta, "triggers", ())
        if trigger.name == "no_delete"
    ]


def _delete(model: type[models.Model], keys: set[int]) -> None:
    """Delete rows; foreign keys are checked at the end of the transaction, so that no order matters."""
    for relation in _references_to(model):
        if relation.on_delete is models.SET_NULL:
            _referring(relation, keys).update(**{relation.field.name: None})
    table, key = model._meta.db_table, str(model._meta.pk.column)
    with connection.cursor() as cursor:
        quoted = connection.ops.quote_name
        cursor.execute(f"delete from {quoted(table)} where {quoted(key)} = any(%s)", [list(keys)])  # noqa: S608
