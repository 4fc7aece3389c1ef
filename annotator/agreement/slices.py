"""One page's part in every slice: which of its annotators are compared there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import combinations

from django.utils import timezone

from annotator.agreement.choice import ALL, BLIND, Cell
from annotator.agreement.counting import Part
from extraction.agreement.counts import PageCounts

# The arm of those who were shown nothing, and the guideline of annotators who had different versions.
NOTHING, MIXED = "nothing", "mixed"

Names = tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One compared round of a page; `counts` is None where only its place among the slices is asked for."""

    agreement_id: int
    page_id: int
    language: str
    site: str
    parts: tuple[Part, ...]
    counts: PageCounts | None = None
    # The guidelines of later rounds of the page: with any, this one counts under its own guideline alone.
    later: frozenset[int] = frozenset()
    # For how many pages of the corpus it stands.
    weight: float = 1.0

    def shown_nothing(self) -> Names:
        return tuple(part.name for part in self.parts if part.shown is None)

    @property
    def names(self) -> Names:
        return tuple(part.name for part in self.parts)

    @property
    def week(self) -> date:
        """The Monday of the week in which the last of them handed in."""
        last = max(datetime.fromisoformat(part.submitted) for part in self.parts)
        day = timezone.localdate(last)
        return day - timedelta(days=day.weekday())


def compared(record: Record, pairs: str) -> Names:
    """Whom a choice of pairs compares on the page; nobody without two, or where a later round counts."""
    if record.later:
        return ()
    return _paired(record, pairs)


def _paired(record: Record, pairs: str) -> Names:
    if pairs == ALL:
        return record.names
    blind = record.shown_nothing()
    if pairs == BLIND:
        return blind if len(blind) > 1 else ()
    return record.names if len(blind) < len(record.parts) else ()


def cells(record: Record, by: str, pairs: str) -> list[tuple[str, Names]]:
    """The cells of a slice in which the page is, each with those who are compared there.

    Arms are of all pairs, whatever is chosen: they are what is shown beside the headline.
    """
    if by == "guideline":
        return _guidelines(record, _paired(record, pairs))
    if record.later:
        return []
    if by == "arm":
        return _arms(record)
    names = compared(record, pairs)
    if len(names) < 2:
        return []
    if by == "pair":
        return [(f"{one}-{other}", (one, other)) for one, other in combinations(sorted(names, key=int), 2)]
    value = {"language": record.language, "site": record.site, "week": f"{record.week:%Y-%m-%d}"}[by]
    return [(value, names)]


def in_cell(record: Record, cell: Cell, pairs: str) -> Names:
    """Who is compared on the page in one cell; nobody where the page is not in it."""
    if not cell.by:
        return compared(record, pairs)
    return dict(cells(record, cell.by, pairs)).get(cell.value, ())


def restricted(counts: PageCounts, names: Iterable[str]) -> PageCounts:
    """The page as if only these had annotated it."""
    kept = {*names}
    if kept >= {*counts.annotators}:
        return counts
    return replace(
        counts,
        annotators=tuple(name for name in counts.annotators if name in kept),
        pairs=tuple(pair for pair in counts.pairs if {pair.first, pair.second} <= kept),
        lengths={
            view: {name: found for name, found in by_name.items() if name in kept}
            for view, by_name in counts.lengths.items()
        },
    )


def _arms(record: Record) -> list[tuple[str, Names]]:
    """Nothing, for those who were shown nothing; each extractor that one of the page was shown, for all."""
    blind = record.shown_nothing()
    found = [(NOTHING, blind)] if len(blind) > 1 else []
    shown = sorted({part.shown for part in record.parts if part.shown is not None})
    return found + [(str(extractor), record.names) for extractor in shown]


def _guidelines(record: Record, names: Names) -> list[tuple[str, Names]]:
    versions: dict[int, list[str]] = {}
    for part in record.parts:
        if part.name in names:
            versions.setdefault(part.guideline, []).append(part.name)
    if len(versions) > 1:
        return [] if record.later else [(MIXED, names)]
    compared_ones = ((version, tuple(found)) for version, found in versions.items() if len(found) > 1)
    return [(str(version), found) for version, found in compared_ones if version not in record.later]
