"""Imports: where they come from, how far they are, and what became of each record."""

import uuid
from datetime import datetime
from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.common.bars import BarPart, bar_of
from annotator.common.queues import IMPORT
from annotator.common.work import STALE, Work, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page


class SourceKind(models.TextChoices):
    """Where the records of an import come from; see `sources.open_source`."""

    UPLOAD = "upload", _("Uploaded files")
    PATH = "path", _("Command line")
    ADDRESSES = "addresses", _("Addresses")
    FEED = "feed", _("Feed")


class Stage(StrEnum):
    """How far an import is."""

    UPLOADING = "uploading"
    PREVIEWING = "previewing"
    PREVIEWED = "previewed"
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"


_STATES = {
    **dict.fromkeys((Stage.PREVIEWING, Stage.RUNNING, Stage.UNDOING), "running"),
    **dict.fromkeys((Stage.PAUSED, Stage.CANCELLED, Stage.UNDONE), "stopped"),
    Stage.COMPLETED: "done",
    Stage.FAILED: "failed",
}

# Imports that have not ended; those that somebody has asked for; those that a command began, and those that
# it works on: whoever has one undone waits for a worker.
_NOT_ENDED = Q(completed_at=None, cancelled_at=None, undo_requested_at=None)
_BEGUN = _NOT_ENDED & Q(confirmed_at__isnull=False)
_AT_A_PATH = Q(source_kind=SourceKind.PATH)
BY_COMMAND = _AT_A_PATH & Q(undo_requested_at=None)


class Import(Work):
    """An import into a corpus.

    As work it has up to three steps: its preview, the import itself, its undoing. Between two steps, while a
    person decides or has paused it, it is finished as work; each step opens it again. An import at a path is
    run by the command that was given the path, never by a worker; workers undo it.
    """

    kind = WorkKind(
        title=_("Imports"),
        failed_title=_("Failed imports"),
        task="annotator.pages.imports.tasks.work_on_import",
        queue=IMPORT,
        cpu_seconds=None,
        label="name",
        # One of addresses that was begun is put off until the sites that did not answer are asked again.
        blocked=Q(source_kind__in=(SourceKind.ADDRESSES, SourceKind.FEED), position__gt=0),
        beyond_workers=BY_COMMAND,
        # One that is being undone is at work again.
        ended=Q(cancelled_at__isnull=False, undo_requested_at=None),
        is_requested=True,
        screen="imports",
        is_job=True,
        no_job_yet=Q(uploaded_at=None),
        undecided=_NOT_ENDED & Q(previewed_at__isnull=False, confirmed_at=None),
        progress=("position", "total"),
        controls=(
            WorkControls(_("Pause"), "import-pause", _BEGUN & Q(finished_at=None) & ~_AT_A_PATH),
            WorkControls(
                _("Resume"),
                "import-resume",
                _BEGUN & (Q(paused_at__isnull=False) | ~Q(error="")) & ~_AT_A_PATH,
                is_resuming=True,
            ),
            WorkControls(_("Cancel"), "import-cancel", _NOT_ENDED & ~_AT_A_PATH),
        ),
    )
    find_missing = ("annotator.pages.imports.tasks.remove_old_uploads",)

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="imports")
    # Null: from the command line.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    # Of a feed that is followed, as long as it is.
    feed = models.ForeignKey("annotator.FollowedFeed", models.SET_NULL, null=True, related_name="imports")
    source_kind = models.CharField(max_length=12, choices=SourceKind)
    # What people call the source: the name of a file, "14 files".
    name = models.CharField(max_length=300)
    # Of a path: the resolved path, which identifies the source.
    source = models.TextField(blank=True, default="")
    # Empty: recognised from the content. The preview sets it.
    format = models.CharField(max_length=20, blank=True, default="")
    with_gold = models.BooleanField(default=False)
    with_assets = models.BooleanField(default=True)
    # What the preview found; see `preview.Preview`.
    preview = models.JSONField(null=True)

    # Records of the source, where that is known; records processed; and what became of them.
    total = models.PositiveIntegerField(null=True)
    position = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    gold = models.PositiveIntegerField(default=0)

    uploaded_at = models.DateTimeField(null=True)
    previewed_at = models.DateTimeField(null=True)
    # When somebody asked for the import itself.
    confirmed_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    undo_requested_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)
    # When the uploaded files were removed.
    cleared_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(source_kind__in=SourceKind.values), name="known_source_kind"),
            models.CheckConstraint(
                condition=Q(position=models.F("new") + models.F("duplicates") + models.F("refused")),
                name="import_counts_add_up",
            ),
        ]
        indexes = [
            *work_indexes("import"),
            models.Index(fields=["corpus", "-requested_at"], name="imports_of_corpus"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def stage(self) -> Stage:
        """How far the import is, for people."""
        # Its undoing may fail too.
        has_ended = (self.completed_at or self.cancelled_at) and not self.undo_requested_at
        has_failed = self.finished_at and self.error and not has_ended
        stages = [
            (Stage.UNDONE, self.undone_at),
            (Stage.FAILED, has_failed),
            (Stage.UNDOING, self.undo_requested_at),
            (Stage.COMPLETED, self.completed_at),
            (Stage.CANCELLED, self.cancelled_at),
            (Stage.PAUSED, self.paused_at or self._is_left_by_command),
            (Stage.RUNNING, self.confirmed_at and self._is_held),
            (Stage.QUEUED, self.confirmed_at),
            (Stage.PREVIEWED, self.previewed_at),
            (Stage.PREVIEWING, self.uploaded_at),
        ]
        return next((stage for stage, holds in stages if holds), Stage.UPLOADING)

    @property
    def is_by_command(self) -> bool:
        """Whether a command works on it, and not the workers."""
        return self.source_kind == SourceKind.PATH and self.undo_requested_at is None

    @property
    def _is_left_by_command(self) -> bool:
        """Whether the command that began it was stopped: it goes on when somebody runs that again."""
        return self.is_by_command and not self._is_held

    @property
    def _is_held(self) -> bool:
        """Whether a worker or a command is at it; one that was killed has left its heartbeat."""
        return self.heartbeat_at is not None and self.heartbeat_at >= timezone.now() - STALE

    @property
    def bar(self) -> list[BarPart]:
        """What became of the records, as parts of a bar."""
        left = max(0, (self.total or 0) - self.position)
        known = [("s-gold", self.new), ("s-half", self.duplicates), ("s-bad", self.refused)]
        return bar_of([*known, ("s-new", left)])

    @property
    def state(self) -> str:
        """The stage in the words of all jobs."""
        return _STATES.get(self.stage, "waiting")

    @property
    def new_addresses(self) -> int:
        """Of a list of addresses: how many can be fetched that the corpus lacks, as of the preview."""
        return self.preview["pages"] - self.preview["duplicates"] if self.preview else 0

    @property
    def is_moving(self) -> bool:
        """Whether its figures change by themselves, so that a screen should look again."""
        return self.stage in (Stage.PREVIEWING, Stage.QUEUED, Stage.RUNNING, Stage.UNDOING)

    @property
    def ended_at(self) -> datetime | None:
        """When the import itself came to its end, in whatever way."""
        return self.completed_at or self.cancelled_at or (self.finished_at if self.error else None)


class ImportFile(models.Model):
    """An uploaded file, in parts as the browser sent them; see `uploads`."""

    run = models.ForeignKey(Import, models.CASCADE, related_name="files")
    # With its folders, as in "corpus/html/1.html".
    name = models.CharField(max_length=500)
    # Its folder in the file store.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Bytes: those that were announced, and those that are here.
    size = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "name"], name="unique_file_per_import"),
            models.CheckConstraint(
                condition=Q(received__lte=models.F("size")), name="no_more_than_was_announced"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ImportAddress(models.Model):
    """An address that an import fetches. What became of it is the record of its location."""

    run = models.ForeignKey(Import, models.CASCADE, related_name="addresses")
    # Its place in the list, from 1.
    number = models.PositiveIntegerField()
    url = models.TextField()
    # The address as the report names it.
    location = models.CharField(max_length=300)
    # How often the site did not answer, why it did not the last time, and when it is asked again.
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True, default="")
    not_before = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="unique_address_number"),
            models.UniqueConstraint(fields=["run", "location"], name="unique_address_location"),
        ]

    def __str__(self) -> str:
        return self.location


class Outcome(models.TextChoices):
    """What became of a record."""

    ADDED = "added", pgettext_lazy("a record", "Added")
    DUPLICATE = "duplicate", pgettext_lazy("a record", "Already there")
    REFUSED = "refused", pgettext_lazy("a record", "Refused")


class ImportRecord(models.Model):
    """What became of one record of an import."""

    run = models.ForeignKey(Import, models.CASCADE, related_name="records")
    # The how-manieth record of the source it is, from 1.
    position = models.PositiveIntegerField()
    # The file, with the line where there are several records in it, or the address.
    location = models.CharField(max_length=300)
    outcome = models.CharField(max_length=10, choices=Outcome)
    # Null where it was refused, and when the import was undone.
    page = models.ForeignKey(Page, models.SET_NULL, null=True, related_name="import_records")
    # Whether gold came in with it that the page did not have.
    gold = models.BooleanField(default=False)
    # Why it was refused, or what is noteworthy: a code that says what to do, and the reason in words.
    cause = models.CharField(max_length=30, blank=True, default="")
    reason = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="unique_record_per_position"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="known_outcome"),
        ]
        indexes = [models.Index(fields=["run", "outcome", "position"], name="records_by_outcome")]

    def __str__(self) -> str:
        return self.location
