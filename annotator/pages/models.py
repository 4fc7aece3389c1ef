"""Pages as captured, and their documents."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import IMPORT
from annotator.common.triggers import counts_again, same_document
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus


class Capture(models.TextChoices):
    """What the bytes of a page are."""

    SENT = "sent", _("As its server sent it")
    RENDERED = "rendered", _("As a browser rendered it")


# Pages like one on which an extractor was tuned count apart as soon as it is there. They are counted again
# whether they count yet or not: one may just be counted by somebody who does not see the other.
_NEAR_DUPLICATES = """
    select p.id from annotator_page p
    where p.corpus_id in (old.corpus_id, new.corpus_id) and p.cluster_id in (old.cluster_id, new.cluster_id)
"""
_OF_ITS_SITE = """
    select p.id from annotator_page p
    where p.corpus_id in (old.corpus_id, new.corpus_id) and p.site <> '' and p.site in (old.site, new.site)
"""
_TUNED_ON = "exists (select from annotator_tunedonpage t where t.sha256 in (old.sha256, new.sha256)%s)"
# Of many pages of one site, the first is enough.
_FIRST_OF_ITS_SITE = """
    and (tg_op = 'UPDATE' or not exists (
        select from annotator_tunedonpage u join annotator_page q on q.sha256 = u.sha256
        where u.extractor_id = t.extractor_id and q.corpus_id in (old.corpus_id, new.corpus_id)
        and q.site in (old.site, new.site) and q.id < coalesce(new.id, old.id)))
"""


class Page(Work):
    """A captured news page of a corpus. As work: its document has to be built.

    `error` is then the parser's message, `refusal` its reason code (see `ParseError`).
    """

    kind = WorkKind(
        title=_("Page parsing"),
        failed_title=_("Pages that could not be parsed"),
        task="annotator.pages.tasks.build_document",
        queue=IMPORT,
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="pages")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    url = models.TextField(blank=True, default="")
    site = models.CharField(max_length=255, blank=True, default="", db_index=True)
    # As declared by the HTTP server, if known.
    charset = models.CharField(max_length=40, blank=True, default="")
    captured_at = models.DateTimeField(null=True, blank=True)
    capture = models.CharField(max_length=10, choices=Capture, default=Capture.SENT)
    # What whoever sent the page said of it; for admins and researchers, never for annotators.
    note = models.CharField(max_length=1000, blank=True, default="")
    added_at = models.DateTimeField(default=timezone.now)
    # Set when the document is built.
    title = models.CharField(max_length=500, blank=True, default="")
    language = models.CharField(max_length=8, blank=True, default="")
    # The first page of its near-duplicate cluster, or the page itself.
    cluster = models.ForeignKey("self", models.PROTECT, null=True, related_name="near_duplicates")
    refusal = models.CharField(max_length=30, blank=True, default="")
    # The current document, to which the current gold refers. Pinned at the first claim of a slot: from then
    # on only a re-parse replaces it, never while somebody works on the page (invariant 2).
    document = models.ForeignKey(
        "annotator.StoredDocument", models.PROTECT, null=True, related_name="current_of"
    )
    pinned_at = models.DateTimeField(null=True)

    # Attached where a cluster is listed: the pairs found when the page was added, most similar first.
    duplicate_pairs_found: list["DuplicatePair"]

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "sha256"], name="unique_page_in_corpus"),
            models.CheckConstraint(condition=Q(size__gt=0), name="page_is_not_empty"),
            models.CheckConstraint(condition=Q(capture__in=Capture.values), name="known_capture"),
        ]
        indexes = [
            models.Index(fields=["corpus", "id"], name="page_list"),
            *work_indexes("page"),
            models.Index(fields=["finished_at"], name="page_finished"),
            # Pages with the same bytes in other corpora.
            models.Index(fields=["sha256"], name="page_twins"),
        ]
        triggers = [
            same_document(pgtrigger.UpdateOf("document_id"), page="new.id"),
            counts_again(
                pgtrigger.UpdateOf("site", "language", "captured_at", "sha256", "cluster_id"),
                page="select new.id",
                # A page that comes into its first cluster has no gold yet.
                condition="(old.site, old.language, old.captured_at, old.sha256) is distinct from"
                " (new.site, new.language, new.captured_at, new.sha256) or old.cluster_id <> new.cluster_id",
            ),
            counts_again(
                pgtrigger.UpdateOf("cluster_id") | pgtrigger.Delete,
                page=_NEAR_DUPLICATES,
                only_if=_TUNED_ON % "",
                name="counts_near_duplicates",
            ),
            counts_again(
                pgtrigger.Insert | pgtrigger.UpdateOf("site") | pgtrigger.Delete,
                page=_OF_ITS_SITE,
                only_if=_TUNED_ON % _FIRST_OF_ITS_SITE,
                name="counts_pages_of_its_site",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.url or self.sha256[:12]


class StoredDocument(models.Model):
    """A page as parsed by one parser version. Its tree and view are in the file store, by digest."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

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
    quirks = models.BooleanField(default=False)
    # How many style sheets it names that are not in the page itself; null if that was not counted.
    external_sheets = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "version"], name="unique_document_per_parser")]
        indexes = [models.Index(fields=["made_at"], name="document_made")]

    def __str__(self) -> str:
        return f"{self.page} ({self.version})"


class ShingleBand(models.Model):
    """One band of a page's MinHash signature; pages that share a band are compared as near duplicates."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="bands")
    corpus = models.ForeignKey(Corpus, models.CASCADE)
    band = models.PositiveSmallIntegerField()
    digest = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "band"], name="unique_band_per_page")]
        indexes = [models.Index(fields=["corpus", "digest", "page"], name="bands_newest_last")]


class ClusterLock(models.Model):
    """A row to lock while a page of the corpus is assigned to its cluster; the corpus itself stays free."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True)


class DuplicatePair(models.Model):
    """An earlier page of the cluster that the page resembled when it was added."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="duplicate_pairs")
    other = models.ForeignKey(Page, models.CASCADE, related_name="+")
    # The Jaccard index of their shingles.
    jaccard = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "other"], name="unique_duplicate_pair"),
            models.CheckConstraint(condition=Q(jaccard__gt=0, jaccard__lte=1), name="jaccard_is_a_share"),
        ]


class ImportedGold(Work):
    """Gold delivered with a page, as text or spans. As work: it has to be aligned to the document."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Alignment of imported gold"),
        failed_title=_("Imported gold that could not be aligned"),
        task="annotator.gold.tasks.align_imported",
        queue=IMPORT,
        page="page",
    )

    page = models.ForeignKey(Page, models.PROTECT, related_name="imported_gold")
    content = models.JSONField()
    source = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "sha256"], name="unique_imported_gold")]
        indexes = work_indexes("importedgold")
