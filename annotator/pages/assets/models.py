"""Style sheets and images of pages, and the views that are made with them."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import MD5
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK, IMPORT
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import User
from annotator.pages.models import Page, StoredDocument


class AssetKind(models.TextChoices):
    """What an asset turned out to be."""

    SHEET = "sheet"
    IMAGE = "image"
    REFUSED = "refused"


class PageAsset(models.Model):
    """A style sheet or image of a page, at the absolute address under which the page names it.

    `sha256` are its bytes as captured, which are never served. A worker reads them: of an image it makes
    another one, `served_sha256`.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    page = models.ForeignKey(Page, models.PROTECT, related_name="assets")
    url = models.TextField()
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    # As declared by the capture.
    media_type = models.CharField(max_length=100, blank=True, default="")
    # Null if it came with the capture.
    fetched_at = models.DateTimeField(null=True)
    # What a worker made of it; empty until then.
    kind = models.CharField(max_length=10, choices=AssetKind, blank=True, default="")
    refusal = models.CharField(max_length=200, blank=True, default="")
    served_sha256 = models.CharField(max_length=64, blank=True, default="")
    served_type = models.CharField(max_length=40, blank=True, default="")
    # In CSS pixels; null if it is no image.
    width = models.PositiveIntegerField(null=True)
    height = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("page", MD5("url"), name="unique_asset_address"),
            models.CheckConstraint(
                condition=Q(served_sha256="") | Q(kind=AssetKind.IMAGE), name="only_images_are_served"
            ),
        ]
        indexes = [
            # The same image of other pages, which is decoded once.
            models.Index(fields=["sha256"], name="asset_twins"),
            models.Index(fields=["page", "served_sha256"], name="asset_served"),
            # The same address on other pages, which is fetched once.
            models.Index(MD5("url"), name="asset_addresses"),
        ]

    def __str__(self) -> str:
        return self.url


class Look(Work):
    """A document's view with the page's own sheets and images. As work: it has to be made of the assets.

    The canonical text and the blocks are those of the document, as in the plain view, which stays.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Styles and images of pages"),
        failed_title=_("Pages whose styles and images could not be read"),
        task="annotator.pages.assets.tasks.build_look",
        queue=IMPORT,
        page="document__page",
    )
    find_missing = ("annotator.pages.assets.tasks.request_missing",)

    document = models.OneToOneField(StoredDocument, models.PROTECT, related_name="look")
    # Of the view; empty until it is made. It stays while it is made again.
    view_sha256 = models.CharField(max_length=64, blank=True, default="")
    # How many of those that the page names there are.
    sheets = models.PositiveIntegerField(default=0)
    images = models.PositiveIntegerField(default=0)
    # The addresses of the others.
    missing_sheets = models.JSONField(default=list)
    missing_images = models.JSONField(default=list)

    class Meta:
        indexes = work_indexes("look")


class FetchSource(models.TextChoices):
    """Where missing style sheets and images are fetched from."""

    ORIGIN = "origin", _("their addresses")
    ARCHIVE = "archive", _("the Internet Archive")


class AssetFetch(Work):
    """An admin's request to fetch what a page names and its capture lacks.

    Of an import of addresses there is one for each new page, which waits until the page is parsed.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Fetching of styles and images"),
        failed_title=_("Pages whose styles and images could not be fetched"),
        task="annotator.pages.assets.tasks.fetch_assets",
        queue=BULK,
        page="page",
        is_requested=True,
        screen="styles",
    )

    page = models.ForeignKey(Page, models.PROTECT, related_name="asset_fetches")
    source = models.CharField(max_length=10, choices=FetchSource)
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    found = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    # Address -> why it could not be fetched.
    problems = models.JSONField(default=dict)
    # How often it came back for sites that had not answered.
    returns = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "source"], name="unique_asset_fetch"),
        ]
        indexes = work_indexes("assetfetch")
