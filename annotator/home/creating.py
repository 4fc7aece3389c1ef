"""Creating a corpus in the browser."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.annotations.study.forms import Percent
from annotator.annotations.study.models import MAX_SLOTS
from annotator.common.display_names import default_label_title
from annotator.common.errors import GoldpanError
from annotator.common.letters import folded
from annotator.corpora.access import UserRequest
from annotator.corpora.forms import offer
from annotator.corpora.labels import one_line
from annotator.corpora.models import NAME_LENGTH, SLUG_LENGTH, User
from annotator.corpora.queries import administered_by
from annotator.home.actions import create_corpus
from annotator.runs.actions import DEFAULT_EXTRACTORS, can_be_enabled
from extraction.spans import LABELS


class LabelChoice(NamedTuple):
    """Labels that a corpus can begin with."""

    title: Promise
    labels: tuple[str, ...]
    about: Promise


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


# What is marked in a corpus: its title, the labels, and what it is good for.
NEWS, BODY, TALK, OWN = "news", "body", "talk", "own"
LABEL_CHOICES = {
    NEWS: LabelChoice(
        gettext_lazy("News page"), LABELS, gettext_lazy("The main text is headline and body. As in L3S-GN1.")
    ),
    BODY: LabelChoice(
        gettext_lazy("Main text only"),
        ("body",),
        gettext_lazy("Fast to annotate. As in CleanEval and Scrapinghub."),
    ),
    TALK: LabelChoice(
        gettext_lazy("Article and comments"), ("headline", "body", "comments"), gettext_lazy("As in Dragnet.")
    ),
    OWN: LabelChoice(
        gettext_lazy("Your own"),
        (),
        gettext_lazy("Up to nine, each with a key, a colour and a pattern. You can add more later."),
    ),
}
DEFAULT_GUIDELINE, BLANK = "default", "blank"


class NewCorpusForm(forms.Form):
    """What a new corpus begins with; all but the address can be changed later."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_LENGTH)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=SLUG_LENGTH,
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
    label_choice = forms.ChoiceField(
        label=gettext_lazy("Labels"),
        choices=[(name, choice.title) for name, choice in LABEL_CHOICES.items()],
        initial=NEWS,
        required=False,
        widget=forms.RadioSelect,
    )
    own_labels = forms.CharField(
        label=gettext_lazy("Names of your own labels"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("With commas between them: Headline, Body, Tags. The first gets key 1."),
    )
    guideline = forms.ChoiceField(
        label=gettext_lazy("Guideline"), initial=DEFAULT_GUIDELINE, required=False, widget=forms.RadioSelect
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

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources = {f"corpus-{corpus.pk}": corpus for corpus in administered_by(user)}
        own = [(key, str(corpus)) for key, corpus in self.sources.items()]
        offer(self, "guideline", [(DEFAULT_GUIDELINE, _("News pages")), (BLANK, _("Blank")), *own])
        titles = [(code, get_language_info(code)["name_translated"]) for code in LANGUAGES]
        offer(self, "languages", sorted(titles, key=lambda choice: folded(str(choice[1]))))
        offer(self, "extractors", [(name, name) for name in can_be_enabled()])
        self.fields["extractors"].initial = list(DEFAULT_EXTRACTORS)

    def clean(self) -> dict[str, Any]:
        """The slug and all languages, beside what was sent."""
        given: dict[str, Any] = super().clean() or {}
        given["slug"] = given.get("slug") or slugify(given.get("name", ""))[:SLUG_LENGTH].strip("-")
        if given.get("name") and not given["slug"]:
            self.add_error("slug", _("Enter an address in Latin letters."))
        others = given.pop("other_languages", "").replace(",", " ").lower().split()
        given["languages"] = list(dict.fromkeys([*given.get("languages", []), *others]))
        given["labels"] = self._labels(given)
        given["guideline"] = self._guideline(given.get("guideline", ""))
        return given

    def _labels(self, given: dict[str, Any]) -> list[str]:
        own = [one_line(title) for title in given.pop("own_labels", "").split(",") if one_line(title)]
        chosen = LABEL_CHOICES[given.pop("label_choice", "") or NEWS]
        if chosen.labels:
            return list(chosen.labels)
        if not own:
            self.add_error("own_labels", _("Enter at least one label."))
        # Whoever types the name of a standard label means that one.
        standard = {default_label_title(name).casefold(): name for name in LABELS}
        return [standard.get(title.casefold(), title) for title in own]

    def _guideline(self, chosen: str) -> dict[str, str] | None:
        """Its texts by language; none are to be written, None is the default."""
        if chosen == BLANK:
            return {}
        source = self.sources.get(chosen)
        return dict(source.guidelines.get(number=source.guideline_version).texts) if source else None


@require_http_methods(["GET", "POST"])
def new_corpus(request: UserRequest) -> HttpResponse:
    form = NewCorpusForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            corpus = create_corpus(**form.cleaned_data, creator=request.user)
        except GoldpanError as error:
            form.add_error(None, error.message)
        else:
            messages.success(
                request, _("Created %(corpus)s. Next, import pages and invite people.") % {"corpus": corpus}
            )
            return redirect("corpus", corpus.slug)
    status = 422 if form.is_bound else 200
    context = {"form": form, "label_choices": _label_choices(form), "guidelines": _guidelines(form)}
    return render(request, "home/new_corpus.html", context, status=status)


def _label_choices(form: NewCorpusForm) -> list[dict[str, Any]]:
    """The choices of labels, with the key and the colour of each label."""
    return [
        {
            "widget": widget,
            "about": choice.about,
            # Name, key and colour of each.
            "labels": [(name, key, LABELS.index(name) + 1) for key, name in enumerate(choice.labels, 1)],
        }
        for widget, choice in zip(form["label_choice"], LABEL_CHOICES.values(), strict=True)
    ]


def _guidelines(form: NewCorpusForm) -> list[dict[str, Any]]:
    about = {
        DEFAULT_GUIDELINE: _("In English and Spanish, with an example page for each clause."),
        BLANK: _("A clause for each label, which you write before the first page."),
    }
    other = _("A copy of its current guideline.")
    languages = {DEFAULT_GUIDELINE: "en, es"}
    keys = [DEFAULT_GUIDELINE, BLANK, *form.sources]
    return [
        {"widget": widget, "about": about.get(key, other), "languages": languages.get(key, "")}
        for widget, key in zip(form["guideline"], keys, strict=True)
    ]
