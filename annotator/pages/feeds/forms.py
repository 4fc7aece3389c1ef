"""The form with which a feed is followed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.fetching.addresses import MAX_LENGTH
from annotator.pages.feeds.models import MOST_PER_DAY

EVERY = [(1, _("every hour")), (6, _("every 6 hours")), (24, _("daily")), (168, _("weekly"))]


class FeedForm(forms.Form):
    url = forms.CharField(max_length=MAX_LENGTH)
    every_hours = forms.TypedChoiceField(choices=EVERY, coerce=int)
    daily_cap = forms.IntegerField(min_value=1, max_value=MOST_PER_DAY)
    with_assets = forms.BooleanField(required=False)
