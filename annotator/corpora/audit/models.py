"""The events of the audit log."""

import json
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.triggers import append_only
from annotator.corpora.models import Corpus, User


class AuditAction(models.TextChoices):
    SIGNED_IN = "signed_in", _("Signed in")
    SIGN_IN_FAILED = "sign_in_failed", _("Sign-in failed")
    SIGNED_OUT = "signed_out", _("Signed out")
    ACCOUNT_CREATED = "account_created", _("Account created")
    PASSWORD_CHANGED = "password_changed", _("Password changed")
    DISPLAY_NAME_CHANGED = "display_name_changed", _("Display name changed")
    PASSWORD_LINK_CREATED = "password_link_created", _("Password reset link created")
    SESSIONS_ENDED = "sessions_ended", _("Sessions ended")
    TOKEN_MADE = "token_made", _("API token made")
    TOKEN_REVOKED = "token_revoked", _("API token revoked")
    IDENTITY_LINKED = "identity_linked", _("Single sign-on linked")
    SECOND_FACTOR_ADDED = "second_factor_added", _("Second factor added")
    SECOND_FACTOR_REMOVED = "second_factor_removed", _("Second factor removed")
    EMAIL_CHANGED = "email_changed", _("E-mail changed")
    INVITATION_CREATED = "invitation_created", _("Invitation created")
    INVITATION_REVOKED = "invitation_revoked", _("Invitation revoked")
    INVITATION_ACCEPTED = "invitation_accepted", _("Invitation accepted")
    ROLE_GRANTED = "role_granted", _("Role granted")
    ROLE_ENDED = "role_ended", _("Role ended")
    CORPUS_CREATED = "corpus_created", _("Corpus created")
    CORPUS_ARCHIVED = "corpus_archived", _("Corpus archived")
    CORPUS_RESTORED = "corpus_restored", _("Corpus restored")
    CORPUS_DELETED = "corpus_deleted", _("Corpus deleted")
    LABELS_CHANGED = "labels_changed", _("Labels changed")
    STUDY_SETTINGS_CHANGED = "study_settings_changed", _("Study settings changed")
    PRACTICE_SETTINGS_CHANGED = "practice_settings_changed", _("Practice settings changed")
    PRACTICE_WAIVED = "practice_waived", _("Practice waived")
    AUDIT_SHARE_CHANGED = "audit_share_changed", _("Audit share changed")
    EXTRACTOR_ENABLED = "extractor_enabled", _("Extractor enabled")
    EXTRACTOR_DISABLED = "extractor_disabled", _("Extractor disabled")
    EXTRACTORS_RUN = "extractors_run", _("Extractors run")
    RUN_STARTED = "run_started", _("Extractor run started")
    RUN_CANCELLED = "run_cancelled", _("Extractor run cancelled")
    RUN_COMPLETED = "run_completed", _("Extractor run completed")
    OUTPUTS_UPLOADED = "outputs_uploaded", _("Outputs uploaded")
    TRAINING_STARTED = "training_started", _("Training of a model started")
    TRAINING_STOPPED = "training_stopped", _("Training of a model stopped")
    TRAINING_RESUMED = "training_resumed", _("Training of a model resumed")
    CURVE_REQUESTED = "curve_requested", _("Learning curve requested")
    CURVE_STOPPED = "curve_stopped", _("Learning curve stopped")
    GUIDELINE_PUBLISHED = "guideline_published", _("Guideline published")
    GOLD_REOPENED = "gold_reopened", _("Gold reopened")
    REANNOTATION_REQUESTED = "reannotation_requested", _("Re-annotation requested")
    REANNOTATION_STOPPED = "reannotation_stopped", _("Re-annotation stopped")
    REANNOTATION_RESUMED = "reannotation_resumed", _("Re-annotation resumed")
    REPARSE_STARTED = "reparse_started", _("Re-parse started")
    REPARSE_STOPPED = "reparse_stopped", _("Re-parse stopped")
    WORK_RETRIED = "work_retried", _("Work retried")
    RELEASE_REQUESTED = "release_requested", _("Release requested")
    RELEASE_STOPPED = "release_stopped", _("Release stopped")
    RELEASE_CREATED = "release_created", _("Release created")
    RELEASE_TERMS_CHANGED = "release_terms_changed", _("Release terms changed")
    ERRATUM_ADDED = "erratum_added", _("Erratum added")
    WEBHOOK_ADDED = "webhook_added", _("Webhook added")
    WEBHOOK_PAUSED = "webhook_paused", _("Webhook switched off")
    WEBHOOK_RESUMED = "webhook_resumed", _("Webhook switched on")
    WEBHOOK_REMOVED = "webhook_removed", _("Webhook removed")
    IMPORT_STARTED = "import_started", _("Import started")
    IMPORT_CANCELLED = "import_cancelled", _("Import cancelled")
    IMPORT_UNDONE = "import_undone", _("Import undone")
    ASSETS_REQUESTED = "assets_requested", _("Missing styles and images requested")
    FEED_FOLLOWED = "feed_followed", _("Feed followed")
    FEED_CHANGED = "feed_changed", _("Feed paused or resumed")
    FEED_REMOVED = "feed_removed", _("Feed removed")
    EXPORT_REQUESTED = "export_requested", _("Export requested")
    EXPORT_STOPPED = "export_stopped", _("Export stopped")
    EXPORT_DOWNLOADED = "export_downloaded", _("Export downloaded")
    PAGE_TAKEN_DOWN = "page_taken_down", _("Page taken down")


class AuditSource(models.TextChoices):
    """What the action came through."""

    WEB = "web", _("Web")
    API = "api", _("API")
    COMMAND_LINE = "command_line", _("Command line")
    WORKER = "worker", _("Worker")


class AuditEvent(models.Model):
    """One event; never edited, and without secrets, text of pages or marks."""

    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    action = models.CharField(max_length=30, choices=AuditAction)
    source = models.CharField(max_length=12, choices=AuditSource)
    # Null where nobody is signed in.
    person = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    address = models.GenericIPAddressField(null=True)
    # Null for what concerns the whole site.
    corpus = models.ForeignKey(Corpus, models.PROTECT, null=True, related_name="+")
    # The person whose account, role or work it concerns.
    about = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    # What it was done to, as its kind is identified: a page by its digest, a release by its number.
    item = models.CharField(max_length=200, blank=True, default="")
    # Name -> [before, after] of a setting, or a fact.
    changes = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["corpus", "-id"], name="audit_log_of_corpus")]
        constraints = [
            models.CheckConstraint(condition=Q(action__in=AuditAction.values), name="known_audit_action"),
            models.CheckConstraint(condition=Q(source__in=AuditSource.values), name="known_audit_source"),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.action} {self.item}".rstrip()

    @property
    def listed_changes(self) -> list[tuple[str, list[str]]]:
        """The changes by name, as two values (before, after) or one."""
        return [
            (name, [_text(each) for each in (value if _is_pair(value) else [value])])
            for name, value in self.changes.items()
        ]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
