"""The form for a new version of the guideline."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from annotator.corpora.guideline.text import MAX_LENGTH
from annotator.corpora.models import Guideline

NOTE_LENGTH = 500


class GuidelineForm(forms.Form):
    """The text in each language of the interface, the release notes, and the version that it is based on."""

    based_on = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    note = forms.CharField(
        label=_("Release notes"), max_length=NOTE_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code, _name in settings.LANGUAGES:
            self.fields[code] = forms.CharField(
                label=str(get_language_info(code)["name_translated"]).capitalize(),
                max_length=MAX_LENGTH,
                required=False,
                widget=forms.Textarea(
                    attrs={"rows": 24, "class": "mono", "lang": code, "spellcheck": "true"}
                ),
            )

    @classmethod
    def about(cls, guideline: Guideline) -> "GuidelineForm":
        """A form filled with this version."""
        return cls(initial={"based_on": guideline.number, **guideline.texts})

    def texts(self) -> dict[str, str]:
        return {code: self.cleaned_data.get(code) or "" for code, _name in settings.LANGUAGES}

    def text_fields(self) -> list[forms.BoundField]:
        """The text in each language."""
        return [self[code] for code, _name in settings.LANGUAGES]
