"""The tokens of the API."""

from hashlib import sha256

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.roles import Scope
from annotator.corpora.models import User

NAME_LENGTH = 60  # characters

SCOPE_TITLES = {
    Scope.READ: _("Read: corpora, pages, gold, scores and exports"),
    Scope.IMPORT: _("Import: add pages and extractor outputs"),
    Scope.ADMINISTER: _("Administer: runs, exports, releases, webhooks and new corpora"),
}

# In a word each.
SHORT_TITLES = {
    Scope.READ: _("read"),
    Scope.IMPORT: _("import"),
    Scope.ADMINISTER: _("administer"),
}


class ApiToken(models.Model):
    """Lets a program do what its person may do, as far as its scopes go. Only its digest is stored."""

    user = models.ForeignKey(User, models.PROTECT, related_name="api_tokens")
    # What its person calls it.
    name = models.CharField(max_length=NAME_LENGTH)
    # Values of `Scope`.
    scopes = models.JSONField()
    # The first characters of the token, by which its person knows it again.
    beginning = models.CharField(max_length=16, editable=False)
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, editable=False)
    # To five minutes.
    used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(scopes=[]), name="api_token_has_scopes"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("made_at")), name="api_token_expires_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"

    @staticmethod
    def digest(token: str) -> str:
        """The token is random enough that nobody finds it from its plain digest."""
        return sha256(token.encode()).hexdigest()

    @property
    def scope_titles(self) -> str:
        """Its scopes in a word each."""
        return ", ".join(str(SHORT_TITLES[Scope(scope)]) for scope in self.scopes)
