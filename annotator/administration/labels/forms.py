"""The form of the labels: a row for each, in their order."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.administration.labels.actions import LabelSetting
from annotator.common.ids import read_id
from annotator.corpora.models import LABEL_TITLE_LENGTH, MAX_LABELS, Label

# Colour and pattern by their number, as tokens.css has them.
COLOURS = {
    1: gettext_lazy("Rust, double line"),
    2: gettext_lazy("Blue, solid line"),
    3: gettext_lazy("Green, dashed line"),
    4: gettext_lazy("Plum, dotted line"),
    5: gettext_lazy("Olive, wavy line"),
    6: gettext_lazy("Indigo, solid lines above and below"),
    7: gettext_lazy("Grey, dashed lines above and below"),
    8: gettext_lazy("Magenta, dotted lines above and below"),
    9: gettext_lazy("Crimson, double lines above and below"),
}


class LabelForm(forms.Form):
    """One label. Its title is the name that people read."""

    pk = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    title = forms.CharField(
        max_length=LABEL_TITLE_LENGTH,
        error_messages={"required": gettext_lazy("Enter a name for the label.")},
        widget=forms.TextInput({"autocomplete": "off", "data-title": True}),
    )
    key = forms.TypedChoiceField(
        coerce=int,
        choices=[(n, str(n)) for n in range(1, MAX_LABELS + 1)],
        widget=forms.Select({"data-swap": "key"}),
    )
    number = forms.TypedChoiceField(
        coerce=int, choices=list(COLOURS.items()), widget=forms.Select({"data-swap": "number"})
    )


class LabelForms:
    """All rows, in the order in which they were sent, and the version that they are based on."""

    def __init__(self, rows: Sequence[LabelForm], based_on: int) -> None:
        self.rows = rows
        self.based_on = based_on

    @classmethod
    def about(cls, labels: Sequence[Label], version: int) -> "LabelForms":
        """The rows filled in with the labels as they are."""
        rows = []
        for label in labels:
            if not label.retired_at:
                given = {"pk": label.pk, "title": str(label), "key": label.key, "number": label.number}
                rows.append(LabelForm(initial=given, prefix=f"label-{label.pk}"))
        return cls(rows, version)

    @classmethod
    def sent(cls, data: Mapping[str, Any], order: Sequence[str]) -> "LabelForms":
        """What a browser sent; `order` are the keys of the labels from top to bottom."""
        known = dict.fromkeys(pk for pk in order if read_id(pk) is not None)
        rows = [LabelForm(data, prefix=f"label-{pk}") for pk in known]
        return cls(rows, read_id(data.get("based_on", "")) or 0)

    def is_valid(self) -> bool:
        """Whether each row is valid, and no two have the same title, key or colour."""
        for row in self.rows:
            row.full_clean()
        if any(row.errors for row in self.rows):
            return False
        for field, message in (
            ("title", _("Another label has this name.")),
            ("key", _("Another label has this key.")),
            ("number", _("Another label has this colour.")),
        ):
            seen: set[Any] = set()
            for row in self.rows:
                value = row.cleaned_data[field]
                value = " ".join(value.split()).casefold() if field == "title" else value
                if value in seen:
                    row.add_error(field, message)
                seen.add(value)
        return not any(row.errors for row in self.rows)

    def settings(self) -> list[LabelSetting]:
        return [LabelSetting(**row.cleaned_data) for row in self.rows]


class AddLabelForm(forms.Form):
    added = forms.CharField(
        label=gettext_lazy("New label"),
        max_length=LABEL_TITLE_LENGTH,
        required=False,
        help_text=gettext_lazy(
            "Its name, such as Caption. It gets the next free key and colour, which you can change."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
