"""What an admin sets about practice."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotator.annotations.practice.models import Practice
from annotator.annotations.study.forms import Percent
from annotator.corpora.models import Corpus, User
from annotator.practice import queries
from annotator.practice.actions import MOST_PAGES, MOST_TRIES


class PracticeForm(forms.Form):
    """The practice of a corpus, and the version that it builds on."""

    based_on = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    source = forms.TypedChoiceField(
        label=_("Practise on"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("A corpus that you administer, with settled gold that tells this corpus's labels apart."),
    )
    pages = forms.IntegerField(label=_("Pages of a try"), min_value=1, max_value=MOST_PAGES)
    least_f1 = Percent(
        0,
        100,
        label=_("Mean F1 to reach"),
        help_text=_(
            "Percent. Of characters with the right label, white space aside; the mean over the pages."
        ),
    )
    least_verdicts = forms.IntegerField(
        label=_("Right verdicts"),
        min_value=0,
        max_value=MOST_PAGES,
        help_text=_("On so many of the pages, at least, the verdict must be that of gold."),
    )
    tries = forms.IntegerField(
        label=_("Tries"),
        min_value=1,
        max_value=MOST_TRIES,
        help_text=_(
            "Each on pages that she has not seen. After the last one you can let her through by hand."
        ),
    )

    def __init__(self, *args: Any, stands: Practice, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources = {each.pk: (each, n) for each, n in queries.sources(stands.corpus, admin)}
        if stands.source:
            # Somebody else's, or without a page by now: never taken back by leaving it out.
            self.sources.setdefault(stands.source.pk, (stands.source, 0))
        self.fields["source"].choices = [
            ("", _("Nothing: no practice is asked")),
            *((pk, _said(each, n)) for pk, (each, n) in self.sources.items()),
        ]

    @classmethod
    def about(cls, stands: Practice, admin: User) -> "PracticeForm":
        """A form that begins with this version."""
        named = ("pages", "least_f1", "least_verdicts", "tries")
        given = {name: getattr(stands, name) for name in named}
        first = {"based_on": stands.number, "source": stands.source_id, **given}
        return cls(stands=stands, admin=admin, initial=first)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("least_verdicts", 0) > cleaned.get("pages", MOST_PAGES):
            self.add_error("least_verdicts", _("Not more than there are pages."))
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The keywords of `set_practice`."""
        source, _pages = self.sources.get(self.cleaned_data["source"], (None, 0))
        return {**self.cleaned_data, "source": source}


def _said(corpus: Corpus, pages: int) -> str:
    there = ngettext("%(n)d page", "%(n)d pages", pages) % {"n": pages}
    return f"{corpus} ({there})"
