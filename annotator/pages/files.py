"""The files of pages, by the digests in their rows: captured bytes, documents, assets and looks."""

from collections.abc import Collection

from django.db import connection, models

from annotator.pages.assets.models import Look, PageAsset
from annotator.pages.models import Page, StoredDocument

# By model: the lookup path from a row to its page, and the fields with digests.
_DIGESTS: tuple[tuple[type[models.Model], str, tuple[str, ...]], ...] = (
    (Page, "pk", ("sha256",)),
    (StoredDocument, "page", ("packed_sha256", "view_sha256")),
    (PageAsset, "page", ("sha256", "served_sha256")),
    (Look, "document__page", ("view_sha256",)),
)


def lock_removal() -> None:
    """Let nobody else remove pages until the end of the transaction; to be called before rows are locked.

    Of two who remove the same bytes the second sees what the first did, and so does who names pages for good.
    """
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtextextended('removal of pages', 0))")


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
