"""By what settled pages are chosen, as an admin says it; a page that is named must be there."""

import re
import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.annotations.models import Verdict
from annotator.annotations.study.forms import Percent
from annotator.common.templatetags.goldpan import label_title, language_title
from annotator.corpora.models import Corpus
from annotator.renewal.choosing import LEAST_OF_KEY, Asked, Cited, cited, outdated, unknown_keys

MOST_KEYS = 2_000
MOST_SEED = 2**31 - 1
_KEY = re.compile(rf"[0-9a-f]{{{LEAST_OF_KEY},64}}")
ANY = ("", gettext_lazy("any"))


class RenewalForm(forms.Form):
    """What is asked of the pages; with everything left as it is, all of them are meant."""

    clauses = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    site = forms.CharField(label=gettext_lazy("Site"), required=False, max_length=253)
    label = forms.ChoiceField(label=gettext_lazy("Label in the gold"), required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"), required=False, choices=[ANY, *Verdict.choices]
    )
    keys = forms.CharField(
        label=gettext_lazy("Pages by digest"),
        required=False,
        max_length=MOST_KEYS * 65,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "SHA-256 of pages, or at least its first eight digits; one a line. Empty: all."
        ),
    )
    share = Percent(
        1,
        100,
        label=gettext_lazy("Random share"),
        initial=1.0,
        help_text=gettext_lazy("Percent of the pages that all of this leaves."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=MOST_SEED,
        help_text=gettext_lazy("Draws the share, and is kept: with it anybody can draw again."),
    )

    def __init__(self, *args: Any, corpus: Corpus, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.corpus = corpus
        self.cited: list[Cited] = cited(corpus)
        self.fields["clauses"].choices = [(each.number, each.number) for each in self.cited]
        labels = corpus.labels.values_list("name", flat=True)
        self.fields["label"].choices = [ANY, *((name, label_title(name)) for name in labels)]
        languages = outdated(corpus).order_by("language").values_list("language", flat=True).distinct()
        known = [(code, language_title(code)) for code in languages if code]
        self.fields["language"].choices = [ANY, *known]

    @classmethod
    def fresh(cls, corpus: Corpus) -> "RenewalForm":
        """A form that begins with the clauses that have changed."""
        form = cls(corpus=corpus, initial={"seed": secrets.randbelow(MOST_SEED)})
        form.initial["clauses"] = [each.number for each in form.cited if each.changed]
        return form

    def clean_keys(self) -> tuple[str, ...]:
        given = tuple(dict.fromkeys(self.cleaned_data["keys"].lower().replace(",", " ").split()))
        wrong = [key for key in given if not _KEY.fullmatch(key)]
        if len(given) > MOST_KEYS:
            raise forms.ValidationError(_("At most %(n)d pages can be named.") % {"n": MOST_KEYS})
        unknown = wrong or unknown_keys(self.corpus, given)
        if unknown:
            some = ", ".join(key[:12] for key in unknown[:5])
            raise forms.ValidationError(_("No page here is meant by: %(keys)s") % {"keys": some})
        return given

    def asked(self) -> Asked:
        said = self.cleaned_data
        return Asked(
            clauses=tuple(said["clauses"]),
            site=said["site"],
            label=said["label"],
            language=said["language"],
            verdict=said["verdict"],
            share=said["share"],
            seed=said["seed"],
            keys=said["keys"],
        )
