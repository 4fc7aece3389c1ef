"""The form of the practice settings."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotator.annotations.qualification.models import PracticeSettings
from annotator.annotations.study.forms import Percent
from annotator.corpora.forms import offer
from annotator.corpora.models import Corpus, User
from annotator.practice import queries
from annotator.practice.actions import MAX_ATTEMPTS, MAX_PAGES


class PracticeForm(forms.Form):
    """The practice settings of a corpus, and the version they are based on."""

    based_on = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    source = forms.TypedChoiceField(
        label=_("Source corpus"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("A corpus that you administer, with gold for this corpus's labels."),
    )
    pages = forms.IntegerField(label=_("Pages per attempt"), min_value=1, max_value=MAX_PAGES)
    min_f1 = Percent(
        0,
        100,
        label=_("Minimum mean F1"),
        help_text=_("Percent. Characters with the correct label, without white space; mean over the pages."),
    )
    min_verdicts = forms.IntegerField(
        label=_("Minimum correct verdicts"),
        min_value=0,
        max_value=MAX_PAGES,
        help_text=_("Pages on which the verdict must match gold."),
    )
    max_attempts = forms.IntegerField(
        label=_("Attempts"),
        min_value=1,
        max_value=MAX_ATTEMPTS,
        help_text=_("Each on pages new to the annotator. After the last one you can waive practice."),
    )

    def __init__(self, *args: Any, current: PracticeSettings, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources = {each.pk: (each, n) for each, n in queries.sources(current.corpus, admin)}
        if current.source:
            # Kept among the choices also where another admin chose it, or it has no page left.
            self.sources.setdefault(current.source.pk, (current.source, 0))
        found = [(pk, _with_pages(each, n)) for pk, (each, n) in self.sources.items()]
        offer(self, "source", [("", _("None: no practice required")), *found])

    @classmethod
    def about(cls, current: PracticeSettings, admin: User) -> "PracticeForm":
        """The form filled in with this version."""
        first = {"based_on": current.number, "source": current.source_id, **current.rules}
        return cls(current=current, admin=admin, initial=first)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("min_verdicts", 0) > cleaned.get("pages", MAX_PAGES):
            self.add_error("min_verdicts", _("Can't be more than the pages per attempt."))
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The keywords of `set_practice`."""
        source, _pages = self.sources.get(self.cleaned_data["source"], (None, 0))
        return {**self.cleaned_data, "source": source}


def _with_pages(corpus: Corpus, pages: int) -> str:
    there = ngettext("%(n)d page", "%(n)d pages", pages) % {"n": pages}
    return f"{corpus} ({there})"
