"""Style sheets and images of pages."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import MD5

from annotator.pages.models import Page


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
        ]

    def __str__(self) -> str:
        return self.url
