"""The form for a new webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.api.webhooks.models import Event

MAX_ADDRESS = 2000


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=MAX_ADDRESS,
        help_text=_("Of a program that takes POST; never one in a private network."),
        widget=forms.TextInput(
            {"class": "mono", "inputmode": "url", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    events = forms.MultipleChoiceField(
        label=_("What it is told"),
        choices=Event.choices,
        initial=Event.values,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what the program is told.")},
    )
