"""The filters of the audit log."""

from datetime import date
from typing import TypedDict

from django import forms
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from annotator.common.key_slice import KeyForm
from annotator.corpora.audit.models import AuditAction


class Filters(TypedDict):
    action: str
    person: str
    since: date | None
    until: date | None


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

    def filters(self) -> Filters:
        """The valid values, and an empty one for each other."""
        self.is_valid()
        get = self.cleaned_data.get
        return {
            "action": get("action", ""),
            "person": get("person", ""),
            "since": get("since"),
            "until": get("until"),
        }

    def keys(self) -> dict[str, int | None]:
        self.is_valid()
        return {name: self.cleaned_data.get(name) for name in ("before", "after")}

    def query(self) -> str:
        """The filters as a query string."""
        return urlencode({name: str(value) for name, value in self.filters().items() if value})
