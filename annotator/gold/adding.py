"""A new version of a page's gold, and where each of its intervals comes from."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotator.gold.models import Adjudication, Gold, Source
from annotator.pages.models import Document, Page
from extraction.spans import Span, intersect, normalise, subtract

Interval = tuple[int, int, str, str]  # start, end, label, source


@transaction.atomic
def add_gold(
    *,
    document: Document,
    verdict: str,
    spans: Iterable[Interval],
    source: str,
    reason: str = "",
    tells: Iterable[str] | None = None,
    saw: Iterable[str] = (),
    characters: int | None = None,
    placed: int | None = None,
    yields: bool = False,
    adjudication: Adjudication | None = None,
) -> Gold:
    """Gold with the page's next number; from now on it is the current one (law 7: the old row stays).

    Gold that `yields` is kept beside gold that people settled here, and does not take its place.

    `tells` are the labels that it can tell apart, all of the corpus's when not given.
    """
    page = Page.objects.select_for_update().select_related("corpus").get(pk=document.page_id)
    number = page.gold.count() + 1
    standing = page.gold.filter(current=True)
    current = None if yields and standing.exclude(source=Source.IMPORTED).exists() else True
    if current:
        standing.update(current=None)
    return Gold.objects.create(
        current=current,
        page=page,
        number=number,
        document=document,
        verdict=verdict,
        reason=reason,
        spans=[list(interval) for interval in spans],
        tells=sorted(tells if tells is not None else page.corpus.labels.values_list("name", flat=True)),
        source=source,
        saw=sorted(saw),
        characters=characters,
        placed=placed,
        adjudication=adjudication,
    )


def with_source(spans: Iterable[Span], source: str) -> list[Interval]:
    return [(span.start, span.end, span.label, source) for span in spans]


def revised(spans: Sequence[Span], before: Sequence[Interval]) -> list[Interval]:
    """Marks after a second look: what stands as before keeps its source, the rest is the adjudicator's."""
    kept: list[Interval] = []
    for start, end, label, source in before:
        same = [span for span in spans if span.label == label]
        kept += with_source(intersect(same, [Span(start, end, label)]), source)
    covered = normalise(Span(start, end, "") for start, end, _label, _source in kept)
    return sorted(kept + with_source(subtract(spans, covered), Source.ADJUDICATED))
