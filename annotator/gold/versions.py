"""New versions of a page's gold, and the source of each of their intervals."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from django.db import transaction

from annotator.corpora.queries import label_names_of
from annotator.gold.models import Adjudication, Gold, GoldSource
from annotator.pages.models import Page, StoredDocument
from extraction.spans import HasText, Span, bridge, intersect, normalise, subtract

Interval = tuple[int, int, str, str]  # start, end, label, source


@transaction.atomic
def add_gold(
    *,
    document: StoredDocument,
    verdict: str,
    spans: Iterable[Interval],
    source: str,
    reason: str = "",
    distinguishable_labels: Iterable[str] | None = None,
    exposed_families: Iterable[str] = (),
    characters: int | None = None,
    placed: int | None = None,
    yields: bool = False,
    adjudication: Adjudication | None = None,
) -> Gold:
    """Add gold under the page's next number and make it the current version; earlier rows stay.

    Gold that `yields` does not become current where people have made gold here. `distinguishable_labels` are
    all labels of the corpus unless given.
    """
    page = Page.objects.select_for_update(no_key=True).get(pk=document.page_id)
    earlier = list(page.gold.only("current", "source"))
    made_here = any(gold.current and gold.source != GoldSource.IMPORTED for gold in earlier)
    is_current = not (yields and made_here)
    if is_current and earlier:
        page.gold.filter(current=True).update(current=None)
    return Gold.objects.create(
        current=is_current or None,
        page=page,
        number=len(earlier) + 1,
        document=document,
        verdict=verdict,
        reason=reason,
        spans=[list(interval) for interval in spans],
        distinguishable_labels=sorted(
            distinguishable_labels
            if distinguishable_labels is not None
            else {*label_names_of(page.corpus), *(label for _start, _end, label, _source in spans)}
        ),
        source=source,
        exposed_families=sorted(exposed_families),
        characters=characters,
        placed=placed,
        adjudication=adjudication,
    )


def with_source(spans: Iterable[Span], source: str) -> list[Interval]:
    return [(span.start, span.end, span.label, source) for span in spans]


def joined(intervals: Iterable[Interval], document: HasText) -> list[Interval]:
    """The intervals, those of one label with only blanks between them in a block side by side.

    What annotators agree on and what was decided then make one mark, as where one person marks it.
    """
    found: list[Interval] = []
    ordered = sorted(intervals)
    marks = bridge((Span(*each[:3]) for each in ordered), document.blocks, document.text)
    starts = [mark.start for mark in marks]
    for start, end, label, source in ordered:
        is_same_mark = found and found[-1][1] > starts[bisect_right(starts, start) - 1]
        found.append((found[-1][1] if is_same_mark else start, end, label, source))
    return found


def revised(spans: Sequence[Span], before: Sequence[Interval]) -> list[Interval]:
    """The intervals of a page after its adjudication: what is as before keeps its source."""
    kept: list[Interval] = []
    for start, end, label, source in before:
        same = [span for span in spans if span.label == label]
        kept += with_source(intersect(same, [Span(start, end, label)]), source)
    covered = normalise(Span(start, end, "") for start, end, _label, _source in kept)
    return sorted(kept + with_source(subtract(spans, covered), GoldSource.ADJUDICATED))
