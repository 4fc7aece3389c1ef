"""The form of an extractor's parameters, made from what the registry declares."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from extraction import extractors
from extraction.extractors import ExtractorSpec


class ParametersForm(forms.Form):
    """A field for each parameter, of its type, with its default."""

    def __init__(self, spec: ExtractorSpec, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, prefix=spec.name)
        self.spec = spec
        self.name, self.version = spec.name, spec.version  # templates would call the spec
        for name, default in spec.parameters.items():
            self.fields[name] = _field(name, default, spec.allowed.get(name))

    def clean(self) -> dict[str, Any]:
        """Raises what the extractor itself refuses, at no field."""
        given = super().clean() or {}
        if self.errors:
            return given
        try:
            return self.spec.with_defaults(given)
        except extractors.ExtractorError as error:
            raise forms.ValidationError(str(error)) from error


def _field(name: str, default: Any, allowed: Any) -> forms.Field:
    label = name.replace("_", " ")
    hint = _("Default: %(value)s") % {"value": default}
    if allowed:
        choices = [(str(value), str(value)) for value in allowed]
        known = {str(value): value for value in allowed}
        return forms.TypedChoiceField(
            label=label, choices=choices, initial=str(default), coerce=known.__getitem__, help_text=hint
        )
    if isinstance(default, bool):
        return forms.BooleanField(label=label, initial=default, required=False, help_text=hint)
    if isinstance(default, int):
        return forms.IntegerField(
            label=label, initial=default, help_text=_("%(default)s. A whole number.") % {"default": hint}
        )
    if isinstance(default, float):
        number = forms.NumberInput({"step": "any"})
        return forms.FloatField(label=label, initial=default, help_text=hint, widget=number)
    return forms.CharField(label=label, initial=default, required=default is not None, help_text=hint)
