"""Failed extractions of a corpus by cause, and those that are tried again because of the machine."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import CharField, Count, F, Func, Min, Value
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.common.display_names import Names
from annotator.common.verdicts import WITH_SPANS
from annotator.common.work import WorkQuerySet
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extraction, Extractor

SHOWN = 30

# What people read for the start of an error, which is the class of an exception in most.
CAUSES: Names = {
    "ExtractorError": _("could not be run on it"),
    "LibraryError": _("its library failed"),
    "MemoryError": _("not enough memory"),
    "OtherVersion": _("no worker has this version"),
    "RecursionError": _("the page is nested too deeply for it"),
    "SpanError": _("gave spans that cannot be"),
    "given up": _("ended its worker each time"),
    "took too long": _("took too long"),
}


@dataclass(frozen=True)
class FailureCause:
    """Extractions of one extractor that failed, or were put off, for the same cause."""

    extractor: Extractor
    # In words.
    name: str
    extractions: int
    since: datetime
    # What the first of them says, and its page; whether there is gold to compare with.
    detail: str
    page: Page
    has_gold: bool


def failures(corpus: Corpus, extractor: Extractor | None = None) -> list[FailureCause]:
    """The causes of failed extractions of current documents, the most frequent first."""
    return _causes(_of(corpus, extractor).failed(), "error")


def retried(corpus: Corpus, extractor: Extractor | None = None) -> list[FailureCause]:
    """Why open extractions were put off, which is no failure."""
    return _causes(_of(corpus, extractor).open().filter(faults__gt=0), "last_fault")


def _of(corpus: Corpus, extractor: Extractor | None) -> WorkQuerySet[Extraction]:
    rows = Extraction.objects.filter(document__current_of__corpus=corpus)
    return rows.filter(extractor=extractor) if extractor else rows


def _causes(rows: WorkQuerySet[Extraction], field: str) -> list[FailureCause]:
    # What follows the first colon is about the page.
    name = Func(F(field), Value(":"), Value(1), function="split_part", output_field=CharField())
    groups = list(
        rows.order_by()
        .annotate(cause=name)
        .values("extractor", "cause")
        .annotate(n=Count("pk"), first=Min("pk"), since=Min("requested_at"))
        .order_by("-n", "first")[:SHOWN]
    )
    if not groups:
        return []
    examples = (
        Extraction.objects.select_related("extractor", "document__page")
        .only("error", "last_fault", "extractor", "document__page")
        .in_bulk([group["first"] for group in groups])
    )
    pages = {each.document.page_id for each in examples.values()}
    # What is retried is not scored yet.
    compared = Page.objects.filter(gold__current=True, gold__verdict__in=WITH_SPANS)
    with_gold = set(compared.filter(pk__in=pages).values_list("pk", flat=True)) if field == "error" else set()
    return [
        _cause(examples[group["first"]], field, group["n"], group["since"], with_gold) for group in groups
    ]


def _cause(example: Extraction, field: str, n: int, since: datetime, with_gold: set[int]) -> FailureCause:
    error = getattr(example, field)
    start, _colon, rest = error.partition(":")
    page = example.document.page
    others = gettext("error in its program") if field == "error" else gettext("fault of the machine")
    name, detail = (str(CAUSES[start]), rest.strip()) if start in CAUSES else (others, error)
    return FailureCause(example.extractor, name, n, since, detail[:160], page, page.pk in with_gold)
