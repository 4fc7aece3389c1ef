"""The form of the study settings."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.annotations.study import queries
from annotator.annotations.study.actions import SETTINGS, possible_arms, weights
from annotator.annotations.study.models import MAX_SLOTS, AssignmentMode, PageOrder, StudyDesign
from annotator.corpora.models import Corpus, User


class Percent(forms.IntegerField):
    """A share, entered in percent."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(min_value=least, max_value=most, **options)

    def prepare_value(self, value: Any) -> Any:
        return round(value * 100) if isinstance(value, float) else value

    def clean(self, value: Any) -> float:
        return float(super().clean(value)) / 100


class DesignForm(forms.Form):
    """The settings, the version they are based on, and a weight for each extractor that may be shown."""

    based_on = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    slots = forms.TypedChoiceField(
        label=_("Overlap"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, MAX_SLOTS + 1)],
        help_text=_("Annotators per page. With one, agreement cannot be measured."),
    )
    who = forms.ChoiceField(label=_("Assign to"), choices=AssignmentMode, widget=forms.RadioSelect)
    people = forms.ModelMultipleChoiceField(
        label=_("Selected annotators"),
        queryset=User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    order = forms.ChoiceField(label=_("Page order"), choices=PageOrder, widget=forms.RadioSelect)
    random_share = Percent(
        10,
        100,
        label=_("Random share"),
        help_text=_("Percent of pages. Ordering by disagreement needs it for estimates over the corpus."),
    )
    blind_share = Percent(
        20,
        100,
        label=_("Blind pages"),
        help_text=_("Percent of pages without any suggestion; at least 20."),
    )
    check_rate = Percent(
        0,
        25,
        label=_("Gold checks"),
        help_text=_(
            "Percent. Annotators get pages with gold, unmarked as such, that they have not seen."
            " A random order hides them best."
        ),
    )
    repeat_rate = Percent(
        0,
        25,
        label=_("Repeat annotations"),
        help_text=_("Percent. Annotators get a page of their own again after some weeks."),
    )
    repeat_weeks = forms.IntegerField(label=_("Weeks until repeat"), min_value=1, max_value=104)

    def __init__(self, *args: Any, corpus: Corpus, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = self.fields["people"]
        assert isinstance(people, forms.ModelMultipleChoiceField)
        people.queryset = queries.annotators(corpus)
        self.extractors = sorted(possible_arms(corpus), key=lambda extractor: extractor.name)
        for extractor in self.extractors:
            self.fields[f"share-{extractor.pk}"] = forms.IntegerField(
                label=str(extractor), min_value=0, max_value=100, initial=1
            )

    @classmethod
    def about(cls, design: StudyDesign, corpus: Corpus) -> "DesignForm":
        """The form filled in with this version."""
        form = cls(corpus=corpus)
        weighed = weights(design, corpus, form.extractors)
        form.initial = {
            "based_on": design.number,
            "people": design.people.all() if design.pk else [],
            **{name: getattr(design, name) for name in SETTINGS},
            **{f"share-{arm.pk}": int(weight) for arm, weight in weighed.items()},
        }
        return form

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("who") == AssignmentMode.NAMED and not cleaned.get("people"):
            self.add_error("people", _("Select at least one annotator."))
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The fields of a StudyDesign; equal weights are stored as none, but where all are 0."""
        given = {str(each.pk): self.cleaned_data[f"share-{each.pk}"] for each in self.extractors}
        shares = {} if len(set(given.values())) == 1 and any(given.values()) else given
        plain = {name: value for name, value in self.cleaned_data.items() if not name.startswith("share-")}
        return {**plain, "shares": shares}

    def weights(self) -> list[forms.BoundField]:
        return [self[f"share-{each.pk}"] for each in self.extractors]
