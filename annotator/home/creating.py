"""Creating a corpus in the browser."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.annotations.study.forms import Percent
from annotator.annotations.study.models import MAX_SLOTS
from annotator.common.errors import GoldpanError
from annotator.corpora.access import UserRequest
from annotator.home.actions import create_corpus
from annotator.runs.actions import DEFAULT_EXTRACTORS, can_be_enabled

# Languages of large news markets, as ISO 639-1 codes; others are typed.
LANGUAGES = (
    "ar",
    "bn",
    "ca",
    "de",
    "en",
    "es",
    "fr",
    "hi",
    "id",
    "it",
    "ja",
    "nl",
    "pl",
    "pt",
    "ru",
    "sv",
    "tr",
    "uk",
)


class NewCorpusForm(forms.Form):
    """What a new corpus begins with; all but the address can be changed later."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=50,
        required=False,
        help_text=gettext_lazy(
            "The last part of the corpus’s address. Left empty, it is made from the name."
        ),
    )
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages of the pages"), required=False, widget=forms.CheckboxSelectMultiple
    )
    other_languages = forms.CharField(
        label=gettext_lazy("Other languages"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Two-letter codes, with spaces between them: fi el"),
    )
    slots = forms.TypedChoiceField(
        label=gettext_lazy("Annotators per page"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, MAX_SLOTS + 1)],
        initial=2,
        help_text=gettext_lazy(
            "With one, agreement cannot be measured. Where two differ, an adjudicator decides."
        ),
    )
    blind_share = Percent(
        20,
        100,
        label=gettext_lazy("Blind pages"),
        initial=0.2,
        help_text=gettext_lazy("Percent of pages without any suggestion; at least 20."),
    )
    audit_share = Percent(
        0,
        100,
        label=gettext_lazy("Audits"),
        initial=0.0,
        help_text=gettext_lazy("Percent of the pages on which annotators agree that an adjudicator reviews."),
    )
    extractors = forms.MultipleChoiceField(
        label=gettext_lazy("Extractors"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = [(code, get_language_info(code)["name_translated"]) for code in LANGUAGES]
        self.fields["languages"].choices = sorted(titles, key=lambda choice: choice[1])  # type: ignore[attr-defined]
        self.fields["extractors"].choices = [(name, name) for name in can_be_enabled()]  # type: ignore[attr-defined]
        self.fields["extractors"].initial = list(DEFAULT_EXTRACTORS)

    def clean(self) -> dict[str, Any]:
        """The slug and all languages, beside what was sent."""
        given: dict[str, Any] = super().clean() or {}
        given["slug"] = given.get("slug") or slugify(given.get("name", ""))
        if given.get("name") and not given["slug"]:
            self.add_error("slug", _("Enter an address in Latin letters."))
        others = given.pop("other_languages", "").replace(",", " ").lower().split()
        given["languages"] = list(dict.fromkeys([*given.get("languages", []), *others]))
        return given


@require_http_methods(["GET", "POST"])
def new_corpus(request: UserRequest) -> HttpResponse:
    form = NewCorpusForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            corpus = create_corpus(**form.cleaned_data, creator=request.user)
        except GoldpanError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, _("Created %(corpus)s. Next, invite people.") % {"corpus": corpus})
            return redirect("corpus", corpus.slug)
    status = 422 if form.is_bound else 200
    return render(request, "home/new_corpus.html", {"form": form}, status=status)
