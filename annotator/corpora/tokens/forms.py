"""The form for a new token."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.common.roles import Scope
from annotator.corpora.tokens.models import NAME_LENGTH, SCOPE_TITLES

LIFETIMES = ((7, _("A week")), (30, _("30 days")), (90, _("90 days")), (365, _("A year")))


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Token name"), max_length=NAME_LENGTH, help_text=_("What uses it: SingleFile, a script.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope.value, title) for scope, title in SCOPE_TITLES.items()],
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what the token may do.")},
    )
    days = forms.TypedChoiceField(label=_("Expires after"), coerce=int, choices=LIFETIMES, initial=90)

    def asked(self) -> dict[str, Any]:
        """The keyword arguments of `make_token`."""
        given = self.cleaned_data
        return {
            "name": given["name"],
            "scopes": given["scopes"],
            "lifetime": timedelta(days=given["days"]),
        }
