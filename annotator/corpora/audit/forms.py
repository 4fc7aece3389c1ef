"""The filters of the audit log."""

from typing import Any

from django import forms
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from annotator.common.key_slice import KeyForm
from annotator.corpora.audit.models import AuditAction


class AuditFilter(KeyForm):
    """Action, person, days, and the key at which the shown part begins. Invalid values are ignored."""

    action = forms.ChoiceField(
        label=_("Action"), choices=[("", _("All")), *AuditAction.choices], required=False
    )
    person = forms.CharField(
        label=_("Person"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Name or username")}),
    )
    since = forms.DateField(label=_("Since"), required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput({"type": "date"}))

    def filters(self) -> dict[str, Any]:
        """What is chosen, without the place in the list."""
        return {name: value for name, value in self.known().items() if name not in ("before", "after")}

    def query(self) -> str:
        """The filters as a query string."""
        return urlencode({name: str(value) for name, value in self.filters().items() if value})
