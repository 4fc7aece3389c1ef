"""The files of pages, by the digests in their rows: captured bytes, documents, assets and looks."""

from collections.abc import Collection
from functools import partial

from django.db import connection, models, transaction

from annotator.common import storage
from annotator.common.batches import batched
from annotator.common.errors import Conflict
from annotator.pages.assets.models import Look, PageAsset
from annotator.pages.models import Page, StoredDocument

# By model: the lookup path from a row to its page, and the fields with digests.
_DIGESTS: tuple[tuple[type[models.Model], str, tuple[str, ...]], ...] = (
    (Page, "pk", ("sha256",)),
    (StoredDocument, "page", ("packed_sha256", "view_sha256")),
    (PageAsset, "page", ("sha256", "served_sha256")),
    (Look, "document__page", ("view_sha256",)),
)
# While so many are removed, none is stored.
_BATCH = 20


class PageGone(Conflict):
    """The page was taken down or deleted while somebody worked on it."""


def lock_removal() -> None:
    """Let nobody else remove pages until the end of the transaction; to be called before rows are locked.

    Of two who remove the same bytes the second sees what the first did, and so does who names pages for good.
    """
    _lock("pg_advisory_xact_lock", "removal of pages")


def keep_files() -> None:
    """Let no file be removed until the end of the transaction, which stores files and names them in rows.

    Else one that is there already might be removed in between, as no row names it any more.
    """
    _lock("pg_advisory_xact_lock_shared", "files")


def keep_files_of(page_id: int) -> None:
    """As `keep_files`, for files of a page, which is not taken down or deleted before the transaction ends.

    Raises PageGone if it was: no row would name its files, and so nothing remove them.
    """
    keep_files()
    with connection.cursor() as cursor:
        cursor.execute("select from annotator_page where id = %s for key share", [page_id])
    if not Page.objects.filter(pk=page_id, takedown=None).exists():
        raise PageGone("this page was taken down or deleted")


def remove_files(digests: Collection[str]) -> None:
    """Remove the files once the transaction is committed, but those that a page needs by then."""
    transaction.on_commit(partial(_remove_files, digests))


def _remove_files(digests: Collection[str]) -> None:
    for some in batched(digests, _BATCH):
        with transaction.atomic():
            _lock("pg_advisory_xact_lock", "files")
            storage.remove_all(set(some) - needed(some))


def _lock(function: str, name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"select {function}(hashtextextended(%s, 0))", [name])


def files_of(pages: Collection[int]) -> set[str]:
    """The digests of all files of these pages."""
    return {
        digest
        for model, page, names in _DIGESTS
        for row in model._base_manager.filter(**{f"{page}__in": pages}).values_list(*names)
        for digest in row
        if digest
    }


def needed(digests: Collection[str]) -> set[str]:
    """Those of the digests that are of files of a page which was not taken down."""
    pages = Page.objects.filter(takedown=None).order_by()
    return {
        digest
        for model, page, names in _DIGESTS
        for name in names
        for digest in model._base_manager.filter(
            **{f"{name}__in": digests, f"{page}__in": pages}
        ).values_list(name, flat=True)
    }
