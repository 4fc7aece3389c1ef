"""The guideline's screens: read a version, compare two, write the next; the example pages."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.guideline import actions, queries
from annotator.corpora.guideline.differences import differences
from annotator.corpora.guideline.examples import example as example_page
from annotator.corpora.guideline.forms import GuidelineForm
from annotator.corpora.guideline.text import GuidelineError, Text
from annotator.corpora.models import Guideline


@require_GET
def guideline(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The version that stands, or an older one."""
    shown = _version_or_404(request, number or request.standing.corpus.guideline_version)
    return render(
        request, "corpora/guideline.html", {**_page(shown, queries.text_of(shown)), **_beside(request)}
    )


@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """What changed from one version to another; the last change, if none is named."""
    standing = request.standing.corpus.guideline_version
    newer = _version_or_404(request, _number(request, "to", standing))
    older = _version_or_404(request, _number(request, "from", max(newer.number - 1, 1)))
    context = {
        "older": older,
        "newer": newer,
        "differences": differences(queries.text_of(older), queries.text_of(newer)),
        **_beside(request),
    }
    return render(request, "corpora/guideline_compare.html", context)


@require_http_methods(["GET", "POST"])
def write(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for the next version; what it would look like, or the version itself."""
    corpus = request.standing.corpus
    standing = _version_or_404(request, corpus.guideline_version)
    if request.method == "GET":
        return render(request, "corpora/guideline_write.html", {"form": GuidelineForm.about(standing)})
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return _again(request, form)
    try:
        if "preview" in request.POST:
            return _preview(request, form, standing)
        made = actions.write_version(
            corpus=corpus,
            texts=form.texts(),
            note=form.cleaned_data["note"],
            made_by=request.user,
            based_on=form.cleaned_data["based_on"],
        )
    except GuidelineError as error:
        return _again(request, form, problems=error.problems)
    except GoldpanError as error:
        if isinstance(error, Conflict):
            form.data = {**form.data.dict(), "based_on": standing.number}
        return _again(request, form, problems=[error.message], status=error.status)
    messages.success(
        request, _("Version %(number)d stands from now on; open pages keep theirs.") % {"number": made.number}
    )
    return redirect("guideline", slug)


@require_GET
def example(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A page of our own with its marks."""
    language = (get_language() or "en").partition("-")[0]
    page = example_page(name, language)
    if page is None:
        raise Http404
    context = {"page": page, "blocks": queries.blocks_of(page, request.standing.corpus)}
    return render(request, "corpora/guideline_example.html", context)


def _preview(request: HttpRequest, form: GuidelineForm, standing: Guideline) -> HttpResponse:
    texts = actions.tidy(form.texts())
    actions.check_texts(corpus=request.standing.corpus, texts=texts)
    draft = Guideline(corpus=request.standing.corpus, number=standing.number + 1, texts=texts)
    text = queries.text_of(draft)
    changed = differences(queries.text_of(standing), text)
    context = {"form": form, "differences": changed, "older": standing, **_page(draft, text)}
    return render(request, "corpora/guideline_write.html", context)


def _again(
    request: HttpRequest, form: GuidelineForm, *, problems: list[str] | None = None, status: int = 422
) -> HttpResponse:
    context = {"form": form, "problems": problems or []}
    return render(request, "corpora/guideline_write.html", context, status=status)


def _page(shown: Guideline, text: Text) -> dict[str, object]:
    """A version as the template reads it."""
    numbers = queries.numbers_of(shown.corpus)
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


def _beside(request: HttpRequest) -> dict[str, object]:
    return {"versions": queries.versions(request.standing.corpus).defer("texts")}


def _number(request: HttpRequest, name: str, default: int) -> int:
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else default


def _version_or_404(request: HttpRequest, number: int) -> Guideline:
    found = queries.version(request.standing.corpus, number)
    if found is None:
        raise Http404
    return found
