"""The form that asks for a model."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.common.templatetags.names import label_set_title
from annotator.corpora.forms import offer
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.releases.queries import finished
from annotator.training.actions import MOST_ROUNDS
from extraction.learning.architectures import NAMES, missing_library


class ModelForm(forms.Form):
    """What is to be trained, on what, and with which budget."""

    architecture = forms.ChoiceField(label=_("Architecture"), initial="goldpan")
    release = forms.TypedChoiceField(
        label=_("Release"),
        coerce=int,
        help_text=_("It learns from the pages of the split train; those of dev choose the best round."),
    )
    labels = forms.ChoiceField(label=_("Labels that are content"), initial="main")
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text=_("The same seed and release give the same model."),
    )
    rounds = forms.IntegerField(
        label=_("Rounds at most"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_("As the architecture's authors chose if left out."),
    )
    patience = forms.IntegerField(
        label=_("Rounds without a better one"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_("Training ends after so many. If left out, all rounds are done."),
    )

    def __init__(self, corpus: Corpus, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        possible = [name for name in sorted(NAMES) if not missing_library(name)]
        releases = finished(corpus).values_list("number", flat=True)
        offer(self, "architecture", [(name, name) for name in possible])
        offer(self, "labels", [(name, label_set_title(name)) for name in label_sets_of(corpus)])
        offer(
            self, "release", [(number, _("Release %(number)s") % {"number": number}) for number in releases]
        )
