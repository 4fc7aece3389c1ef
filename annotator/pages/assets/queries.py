"""Reads of assets and looks."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import MD5, Coalesce

from annotator.corpora.models import Corpus
from annotator.pages.assets.models import AssetFetch, Look, PageAsset
from annotator.pages.models import Page, StoredDocument


def usable_assets() -> QuerySet[PageAsset]:
    """Assets whose files stay: not those of a page taken down, whose rows go after their files."""
    return PageAsset.objects.filter(page__takedown=None)


def without_look() -> QuerySet[StoredDocument]:
    """Current documents of pages with assets of which no look was requested."""
    has_assets = Exists(usable_assets().filter(page=OuterRef("page")))
    is_current = Q(page__document=F("pk"))
    return StoredDocument.objects.filter(is_current, has_assets, look=None).order_by("pk")


def look_of(document: StoredDocument) -> str:
    """The digest of the document's view with its assets; "" if there is none."""
    found = Look.objects.filter(document=document).values_list("view_sha256", flat=True).first()
    return found or ""


def served_type(page_id: int, digest: str) -> str | None:
    """The media type of an image that is served for the page; None if the page has no such image."""
    images = usable_assets().filter(page=page_id, served_sha256=digest)
    return images.values_list("served_type", flat=True).first()


def fetched_since(time: datetime, *, url: str, corpus: int) -> PageAsset | None:
    """The newest asset that was fetched from an address after that time for a page of the corpus."""
    same = usable_assets().alias(address=MD5("url")).filter(address=MD5(Value(url)), url=url)
    fetched = same.filter(page__corpus=corpus, fetched_at__gt=time).exclude(sha256="")
    return fetched.order_by("-fetched_at").first()


_HAS_STYLES = Q(document__external_sheets=0) | (
    Q(document__look__missing_sheets=[]) & ~Q(document__look__view_sha256="")
)


class StylesCount(NamedTuple):
    """How many parsed pages there are, have all style sheets that they name, and wait for a worker."""

    styled: int
    pages: int
    open: int

    @property
    def lacking(self) -> int:
        return self.pages - self.styled


def styles_of(pages: QuerySet[Page]) -> StylesCount:
    """Count the pages that look as they looked, among these."""
    parsed = pages.filter(document__isnull=False).exclude(document__external_sheets=None)
    # A page is parsed a moment before its look is requested.
    has_assets = Exists(PageAsset.objects.filter(page=OuterRef("pk")))
    is_awaited = Q(document__look__isnull=False) | Q(has_assets)
    found = parsed.aggregate(
        styled=Count("pk", filter=_HAS_STYLES),
        pages=Count("pk"),
        open=Count("pk", filter=Q(document__look__finished_at=None) & is_awaited),
    )
    return StylesCount(**found)


def without_styles(corpus: Corpus) -> QuerySet[Page]:
    """Parsed pages of the corpus that lack style sheets which they name."""
    pages = Page.objects.filter(corpus=corpus, document__isnull=False, takedown=None)
    lacking = pages.exclude(document__external_sheets=None).exclude(pk__in=pages.filter(_HAS_STYLES))
    return lacking.select_related("document__look").order_by("pk")


class FetchCount(NamedTuple):
    """Of fetches: how many are open, how many are done, what they found and what they did not get."""

    open: int
    done: int
    found: int
    missing: int

    @property
    def all(self) -> int:
        return self.open + self.done


def fetches_of(pages: QuerySet[Page]) -> FetchCount:
    """Count the fetches for these pages."""
    counts = AssetFetch.objects.filter(page__in=pages.order_by().values("pk")).aggregate(
        open=Count("pk", filter=Q(finished_at=None)),
        done=Count("pk", filter=Q(finished_at__isnull=False)),
        found=Coalesce(Sum("found"), 0),
        missing=Coalesce(Sum("missing"), 0),
    )
    return FetchCount(**counts)


def not_fetched(pages: QuerySet[Page], most: int) -> list[tuple[str, str]]:
    """The first addresses, page by page, that could not be fetched for these pages, each with its reason."""
    rows = AssetFetch.objects.filter(page__in=pages.order_by().values("pk"), missing__gt=0)
    return [problem for row in rows.order_by("pk")[:most] for problem in row.problems.items()][:most]
