"""Reads of assets."""

from collections.abc import Collection

from annotator.pages.assets.models import PageAsset
from annotator.pages.models import Page

_FILES = ("sha256", "served_sha256")


def files_of(page: Page) -> set[str]:
    """The digests of the files that hold the page's assets, as captured and as served."""
    rows = PageAsset.objects.filter(page=page).values_list(*_FILES)
    return {digest for row in rows for digest in row if digest}


def needed_elsewhere(page: Page, digests: Collection[str]) -> set[str]:
    """Those of the digests that are an asset of another page, or another page itself."""
    others = PageAsset.objects.exclude(page=page)
    needed = {
        digest
        for name in _FILES
        for digest in others.filter(**{f"{name}__in": digests}).values_list(name, flat=True)
    }
    pages = Page.objects.filter(sha256__in=digests, takedown=None).exclude(pk=page.pk)
    return needed | set(pages.values_list("sha256", flat=True))
