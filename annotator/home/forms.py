"""What may be asked of the list of pages."""

from django import forms

from annotator.home.queries import STATES


class PagesFilter(forms.Form):
    """State, text, and the key where the screenful begins. What is not understood is left out."""

    state = forms.ChoiceField(
        choices=[("", ""), *((state.name, state.title) for state in STATES)], required=False
    )
    q = forms.CharField(max_length=200, required=False)
    before = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    after = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)

    def known(self) -> dict[str, object]:
        """The values that are valid; an empty one for each that is not."""
        self.is_valid()
        empty = {"state": "", "q": "", "before": None, "after": None}
        return {name: self.cleaned_data.get(name, default) for name, default in empty.items()}
