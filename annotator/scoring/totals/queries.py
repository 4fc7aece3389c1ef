"""Totals as they are, and whether any page is still to be counted."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, QuerySet, Sum

from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus
from annotator.scoring.models import CountedPage, GoldTotal, PageToCount, ScoreTotal
from annotator.scoring.totals.figures import COLUMNS, Kind, Sums
from annotator.scoring.totals.slices import CHOSEN, EVERYTHING, GUIDELINE, RELEASE, Selection, Slice

# Extractor -> kind -> sums; None stands for the annotators.
SumsByKind = dict[int | None, dict[Kind, Sums]]


def is_behind(corpus: Corpus) -> bool:
    """Whether a page is still to be counted."""
    return PageToCount.objects.filter(corpus=corpus.pk).exists()


def corpora_behind() -> list[int]:
    """The corpora with pages that are still to be counted."""
    return list(PageToCount.objects.order_by().values_list("corpus", flat=True).distinct())


def counted_corpora() -> list[int]:
    """The corpora that have totals."""
    every = GoldTotal.objects.filter(dimension="", value="", labels="")
    return list(every.order_by("corpus").values_list("corpus", flat=True))


def sums_of(corpus: Corpus, metric: str, labels: str, of: Slice = EVERYTHING) -> SumsByKind:
    """The sums of a slice by extractor and kind."""
    return sums_by_value(corpus, metric, labels, of.dimension, [of.value]).get(of.value, {})


def sums_by_value(
    corpus: Corpus, metric: str, labels: str, dimension: str, values: Sequence[str]
) -> dict[str, SumsByKind]:
    """The sums of several slices of one dimension, by value."""
    totals = ScoreTotal.objects.filter(
        corpus=corpus, metric=metric, labels=labels, dimension=dimension, value__in=values, pages__gt=0
    )
    found: dict[str, SumsByKind] = defaultdict(lambda: defaultdict(dict))
    for value, extractor, kind, *sums in totals.values_list("value", "extractor", "kind", *COLUMNS):
        found[value][extractor][Kind(kind)] = Sums(*sums)
    return found


def gold_total(corpus: Corpus, labels: str = "", of: Slice = EVERYTHING) -> GoldTotal:
    """How much gold the slice has that distinguishes the label set; all of it for ""."""
    found = GoldTotal.objects.filter(
        corpus=corpus, dimension=of.dimension, value=of.value, labels=labels
    ).first()
    return found or GoldTotal(corpus=corpus)


def gold_of_selection(corpus: Corpus, labels: str, of: Selection) -> GoldTotal:
    """As `gold_total`; counted page by page where slices are combined."""
    if not of.is_combined:
        return gold_total(corpus, labels, of.single)
    sums = scorable(corpus, labels, of).aggregate(
        pages=Count("pk"), characters=Sum("characters"), placed=Sum("placed")
    )
    return GoldTotal(corpus=corpus, **{name: value or 0 for name, value in sums.items()})


def gold_by_labels(corpus: Corpus) -> dict[str, int]:
    """How many pages have gold that distinguishes each label set and single label."""
    totals = GoldTotal.objects.filter(corpus=corpus, dimension="", value="", pages__gt=0)
    return dict(totals.exclude(labels="").values_list("labels", "pages"))


def last_days(corpus: Corpus, labels: str, most: int) -> list[str]:
    """The last days on which pages became gold that distinguishes the label set, in order."""
    totals = GoldTotal.objects.filter(corpus=corpus, dimension="day", labels=labels, pages__gt=0)
    return sorted(totals.order_by("-value").values_list("value", flat=True)[:most])


def slices_of(corpus: Corpus, *, most: int) -> dict[str, list[tuple[Slice, int]]]:
    """The slices that a reader can choose with their numbers of pages: of each dimension the largest."""
    found: dict[str, list[tuple[Slice, int]]] = {dimension: [] for dimension in CHOSEN}
    totals = GoldTotal.objects.filter(corpus=corpus, labels="", pages__gt=0)
    largest = [
        totals.filter(dimension=dimension)
        .order_by("-pages", "value")
        .values_list("dimension", "value", "pages")[:most]
        for dimension in CHOSEN
    ]
    for dimension, value, pages in largest[0].union(*largest[1:], all=True):
        found[dimension].append((Slice(dimension, value), pages))
    return {dimension: sorted(rows, key=lambda row: (-row[1], row[0])) for dimension, rows in found.items()}


def selected(corpus: Corpus, of: Selection) -> QuerySet[CountedPage]:
    """The counted pages of a selection."""
    return CountedPage.objects.filter(corpus=corpus.pk, **lookups(of))


def scorable(corpus: Corpus, labels: str, of: Selection) -> QuerySet[CountedPage]:
    """The counted pages of a selection that hold an article, and gold that distinguishes the label set."""
    return selected(corpus, of).filter(labels__contains=[labels], verdict__in=WITH_SPANS)


def lookups(of: Selection, prefix: str = "") -> dict[str, Any]:
    """What a counted page of the selection has; `prefix` leads to the page."""
    found: dict[str, Any] = {}
    for each in of.slices:
        found |= _lookups(each, prefix)
    return found


def _lookups(of: Slice, prefix: str) -> dict[str, Any]:
    number = int(of.value) if of.value.isdecimal() else None
    if not of.dimension:
        return {}
    if of.dimension == RELEASE:
        return {f"{prefix}releases__contains": [number or 0]}
    if of.dimension == GUIDELINE:
        return {f"{prefix}guideline": number}
    return {f"{prefix}{of.dimension}": of.value}


def is_slice(corpus: Corpus, of: Slice) -> bool:
    """Whether any page is or was in the slice."""
    return GoldTotal.objects.filter(corpus=corpus, dimension=of.dimension, value=of.value, labels="").exists()
