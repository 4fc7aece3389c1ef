"""The form of the criteria by which an admin selects pages for re-annotation."""

import re
import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.annotations.study.forms import Percent
from annotator.common.display_names import label_title
from annotator.common.templatetags.names import language_title
from annotator.common.verdicts import Verdict
from annotator.corpora.forms import offer
from annotator.corpora.models import Corpus
from annotator.gold.reannotation.page_selection import (
    MIN_KEY_LENGTH,
    CitedClause,
    PageCriteria,
    cited_clauses,
    outdated,
    unknown_keys,
)

MAX_KEYS = 2_000
MAX_SEED = 2**31 - 1
_KEY = re.compile(rf"[0-9a-f]{{{MIN_KEY_LENGTH},64}}")
ANY = ("", gettext_lazy("Any"))


class PageCriteriaForm(forms.Form):
    """Criteria for pages; the empty form selects all outdated pages."""

    clauses = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    site = forms.CharField(label=gettext_lazy("Site"), required=False, max_length=253)
    label = forms.ChoiceField(label=gettext_lazy("Label in gold"), required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)
    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"), required=False, choices=[ANY, *Verdict.choices]
    )
    keys = forms.CharField(
        label=gettext_lazy("Pages by digest"),
        required=False,
        max_length=MAX_KEYS * 65,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "SHA-256, or at least its first eight digits; one per line. Leave empty for all pages."
        ),
    )
    share = Percent(
        1,
        100,
        label=gettext_lazy("Random share"),
        initial=1.0,
        help_text=gettext_lazy("Percent of the matching pages."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        help_text=gettext_lazy("Makes the random share reproducible."),
    )

    def __init__(self, *args: Any, corpus: Corpus, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.corpus = corpus
        self.cited: list[CitedClause] = cited_clauses(corpus)
        labels = corpus.labels.values_list("name", flat=True)
        languages = outdated(corpus).order_by("language").values_list("language", flat=True).distinct()
        offer(self, "clauses", [(each.number, each.number) for each in self.cited])
        offer(self, "label", [ANY, *((name, label_title(name)) for name in labels)])
        offer(self, "language", [ANY, *((code, language_title(code)) for code in languages if code)])

    @classmethod
    def fresh(cls, corpus: Corpus) -> "PageCriteriaForm":
        """An unbound form with the changed clauses selected."""
        form = cls(corpus=corpus, initial={"seed": secrets.randbelow(MAX_SEED)})
        form.initial["clauses"] = [each.number for each in form.cited if each.changed]
        return form

    def clean_keys(self) -> tuple[str, ...]:
        given = tuple(dict.fromkeys(self.cleaned_data["keys"].lower().replace(",", " ").split()))
        wrong = [key for key in given if not _KEY.fullmatch(key)]
        if len(given) > MAX_KEYS:
            raise forms.ValidationError(_("List at most %(n)d pages.") % {"n": MAX_KEYS})
        unknown = wrong or unknown_keys(self.corpus, given)
        if unknown:
            first = ", ".join(key[:12] for key in unknown[:5])
            raise forms.ValidationError(_("No page found for: %(keys)s") % {"keys": first})
        return given

    def criteria(self) -> PageCriteria:
        return PageCriteria(**{**self.cleaned_data, "clauses": tuple(self.cleaned_data["clauses"])})
