"""Pages as captured, and the documents made of them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.common.work import Work
from annotator.corpora.models import Corpus


class Page(Work):
    """One saved news page of one corpus. As work: its document is to be built.

    `error` then says why it could not be parsed, `refusal` in one word (see `extraction.parse.ParseError`).
    """

    task = "annotator.pages.tasks.build_document"

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="pages")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    url = models.TextField(blank=True, default="")
    site = models.CharField(max_length=255, blank=True, default="", db_index=True)
    # What the server that delivered the page declared, if it is known.
    charset = models.CharField(max_length=40, blank=True, default="")
    captured_at = models.DateTimeField(null=True, blank=True)
    added_at = models.DateTimeField(default=timezone.now)
    # Found when the document is built.
    title = models.CharField(max_length=500, blank=True, default="")
    language = models.CharField(max_length=8, blank=True, default="")
    # The first page of its near-duplicate cluster; itself when there is none like it.
    cluster = models.ForeignKey("self", models.PROTECT, null=True, related_name="near_duplicates")
    refusal = models.CharField(max_length=30, blank=True, default="")
    # The one that counts, of which the current gold speaks too; others are history, or being made. Pinned at
    # the first claim of a slot: from then on only a re-parse moves it, never in the middle of work (law 2).
    document = models.ForeignKey("annotator.Document", models.PROTECT, null=True, related_name="current_of")
    pinned_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "sha256"], name="one_page_per_bytes"),
            models.CheckConstraint(condition=Q(size__gt=0), name="a_page_has_bytes"),
        ]
        indexes = [
            models.Index(fields=["corpus", "id"], name="page_list"),
            models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="page_open"),
        ]

    def __str__(self) -> str:
        return self.title or self.url or self.sha256[:12]


class Document(models.Model):
    """What one parser version makes of a page. Tree and view lie in the files, by digest."""

    page = models.ForeignKey(Page, models.PROTECT, related_name="documents")
    version = models.CharField(max_length=60)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    length = models.PositiveIntegerField()
    blocks = models.JSONField()
    encoding = models.CharField(max_length=40)
    encoding_source = models.CharField(max_length=40)
    repairs = models.JSONField(default=list)
    packed_sha256 = models.CharField(max_length=64)
    view_sha256 = models.CharField(max_length=64)
    prefer = models.CharField(max_length=10, default="reading")
    quirks = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "version"], name="one_document_per_parser")]

    def __str__(self) -> str:
        return f"{self.page} ({self.version})"


class ShingleBand(models.Model):
    """One band of a page's MinHash signature; pages that share a band are looked at as near duplicates."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="bands")
    corpus = models.ForeignKey(Corpus, models.CASCADE)
    band = models.PositiveSmallIntegerField()
    digest = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "band"], name="one_digest_per_band")]
        indexes = [models.Index(fields=["corpus", "digest", "page"], name="bands_newest_last")]


class Likeness(models.Model):
    """What brought a page into its cluster: a page that was there, and how much of their text is the same."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="likenesses")
    other = models.ForeignKey(Page, models.CASCADE, related_name="+")
    # The Jaccard index of their shingles.
    jaccard = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "other"], name="one_likeness_per_pair"),
            models.CheckConstraint(condition=Q(jaccard__gt=0, jaccard__lte=1), name="a_likeness_is_a_share"),
        ]


class ImportedGold(Work):
    """Gold that came with a page, as it came: text or spans. As work: it is to be aligned to the document."""

    task = "annotator.gold.tasks.align_imported"

    page = models.ForeignKey(Page, models.PROTECT, related_name="imported_gold")
    content = models.JSONField()
    source = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "sha256"], name="one_import_per_gold")]
        indexes = [
            models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="importedgold_open")
        ]
