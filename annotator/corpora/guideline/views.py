"""The screens of the guideline: a version, a comparison, the form for a new version, example pages."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotator.common.errors import Conflict, GoldpanError
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import base_on
from annotator.corpora.guideline import actions, queries
from annotator.corpora.guideline.differences import differences
from annotator.corpora.guideline.examples import example as example_page
from annotator.corpora.guideline.forms import GuidelineForm
from annotator.corpora.guideline.text import GuidelineError, Text
from annotator.corpora.models import Guideline
from annotator.corpora.queries import label_numbers_of


@require_GET
def guideline(request: CorpusRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The current version, or an older one."""
    shown = _version_or_404(request, number or request.access.corpus.guideline_version)
    return render(
        request, "corpora/guideline.html", {**_page(shown, queries.text_of(shown)), **_beside(request)}
    )


@require_GET
def compare(request: CorpusRequest, slug: str) -> HttpResponse:
    """The differences between two versions; the last change by default."""
    current = request.access.corpus.guideline_version
    newer = _version_or_404(request, _number(request, "to", current))
    older = _version_or_404(request, _number(request, "from", max(newer.number - 1, 1)))
    context = {
        "older": older,
        "newer": newer,
        "language": queries.language_of(newer),
        "differences": differences(
            queries.text_of(older), queries.text_of(newer), label_numbers_of(request.access.corpus)
        ),
        **_beside(request),
    }
    return render(request, "corpora/guideline_compare.html", context)


@require_http_methods(["GET", "POST"])
def write(request: CorpusRequest, slug: str) -> HttpResponse:
    """The form for a new version: shows it, previews the text, or publishes it."""
    corpus = request.access.corpus
    current = _version_or_404(request, corpus.guideline_version)
    if request.method == "GET":
        return render(request, "corpora/guideline_write.html", {"form": GuidelineForm.about(current)})
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return _show_problems(request, form)
    try:
        if "preview" in request.POST:
            return _preview(request, form, current)
        made = actions.write_version(
            corpus=corpus,
            texts=form.texts(),
            note=form.cleaned_data["note"],
            made_by=request.user,
            based_on=form.cleaned_data["based_on"],
        )
    except GuidelineError as error:
        return _show_problems(request, form, problems=error.problems)
    except GoldpanError as error:
        if isinstance(error, Conflict):
            base_on(form, current.number, request.POST)
        return _show_problems(request, form, problems=[error.message], status=error.status)
    messages.success(
        request, _("Version %(number)d is now current. Open pages keep theirs.") % {"number": made.number}
    )
    return redirect("guideline", slug)


@require_GET
def example(request: CorpusRequest, slug: str, name: str) -> HttpResponse:
    """An example page with its marks."""
    language = (get_language() or "en").partition("-")[0]
    page = example_page(name, language)
    if page is None:
        raise Http404
    context = {"page": page, "blocks": queries.blocks_of(page, request.access.corpus)}
    return render(request, "corpora/guideline_example.html", context)


def _preview(request: CorpusRequest, form: GuidelineForm, current: Guideline) -> HttpResponse:
    texts = actions.clean(form.texts())
    actions.check_texts(corpus=request.access.corpus, texts=texts)
    draft = Guideline(corpus=request.access.corpus, number=current.number + 1, texts=texts)
    text = queries.text_of(draft)
    changed = differences(queries.text_of(current), text, label_numbers_of(request.access.corpus))
    context = {"form": form, "differences": changed, "older": current, **_page(draft, text)}
    return render(request, "corpora/guideline_write.html", context)


def _show_problems(
    request: CorpusRequest, form: GuidelineForm, *, problems: list[str] | None = None, status: int = 422
) -> HttpResponse:
    context = {"form": form, "problems": problems or []}
    return render(request, "corpora/guideline_write.html", context, status=status)


def _page(shown: Guideline, text: Text) -> dict[str, object]:
    """The context of a version for the template."""
    numbers = label_numbers_of(shown.corpus)
    sections = [
        {
            "number": section.number,
            "title": section.title,
            "opening": queries.html(section.opening, shown),
            "rules": [queries.rule(clause, shown, numbers=numbers) for clause in section.clauses],
        }
        for section in text.sections
    ]
    return {
        "shown": shown,
        "language": queries.language_of(shown),
        "title": text.title,
        "opening": queries.html(text.opening, shown),
        "sections": sections,
    }


def _beside(request: CorpusRequest) -> dict[str, object]:
    return {"versions": queries.versions(request.access.corpus).defer("texts")}


def _number(request: CorpusRequest, name: str, default: int) -> int:
    number = read_id(request.GET.get(name, ""))
    return default if number is None else number


def _version_or_404(request: CorpusRequest, number: int) -> Guideline:
    versions = queries.versions(request.access.corpus).select_related("corpus")
    return get_object_or_404(versions, number=number)
