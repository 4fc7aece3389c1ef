"""The filters of the list of pages."""

from django import forms

from annotator.common.key_slice import KeyForm
from annotator.home.queries import SORTS
from annotator.home.states import STATES


class FindForm(KeyForm):
    """Text, and the key at which the shown part begins. Invalid values are ignored."""

    q = forms.CharField(max_length=200, required=False)


class PagesFilter(FindForm):
    """The same of the pages of a corpus, with their state and order; a sorted list is turned by numbers."""

    sort = forms.ChoiceField(
        choices=[("", ""), *((each, each) for name in SORTS for each in (name, f"-{name}"))], required=False
    )
    page = forms.IntegerField(min_value=1, max_value=10**6, required=False)

    state = forms.ChoiceField(
        choices=[("", ""), *((state.name, state.title) for state in STATES)], required=False
    )
