"""Reads of assets and looks."""

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.pages.assets.models import Look, PageAsset
from annotator.pages.models import Page, StoredDocument

_FILES = ("sha256", "served_sha256")


def files_of(page: Page) -> set[str]:
    """The digests of the files that hold the page's assets, as captured and as served, and its looks."""
    rows = PageAsset.objects.filter(page=page).values_list(*_FILES)
    looks = Look.objects.filter(document__page=page).values_list("view_sha256", flat=True)
    return {digest for row in (*rows, looks) for digest in row if digest}


def needed_elsewhere(page: Page, digests: Collection[str]) -> set[str]:
    """Those of the digests that are an asset or look of another page, or another page itself."""
    others = PageAsset.objects.exclude(page=page)
    needed = {
        digest
        for name in _FILES
        for digest in others.filter(**{f"{name}__in": digests}).values_list(name, flat=True)
    }
    looks = Look.objects.filter(view_sha256__in=digests).exclude(document__page=page)
    pages = Page.objects.filter(sha256__in=digests, takedown=None).exclude(pk=page.pk)
    return needed.union(looks.values_list("view_sha256", flat=True), pages.values_list("sha256", flat=True))


def without_look() -> QuerySet[StoredDocument]:
    """Current documents of pages with assets of which no look was requested."""
    has_assets = Exists(PageAsset.objects.filter(page=OuterRef("page")))
    is_current = Q(page__document=F("pk"))
    return StoredDocument.objects.filter(is_current, has_assets, look=None).order_by("pk")


def look_of(document: StoredDocument) -> str:
    """The digest of the document's view with its assets; "" if there is none."""
    found = Look.objects.filter(document=document).values_list("view_sha256", flat=True).first()
    return found or ""


def served_type(page_id: int, digest: str) -> str | None:
    """The media type of an image that is served for the page; None if the page has no such image."""
    images = PageAsset.objects.filter(page=page_id, served_sha256=digest)
    return images.values_list("served_type", flat=True).first()


class StylesCount(NamedTuple):
    """How many pages of a corpus have a document, and how many of these have all style sheets they name."""

    styled: int
    pages: int


def styles_of(corpus: Corpus) -> StylesCount:
    """Count the pages that look as they looked."""
    pages = Page.objects.filter(corpus=corpus, document__isnull=False, takedown=None)
    return StylesCount(pages.filter(HAS_STYLES).count(), pages.count())


HAS_STYLES = Q(document__external_sheets=0) | (
    Q(document__look__missing_sheets=[]) & ~Q(document__look__view_sha256="")
)
