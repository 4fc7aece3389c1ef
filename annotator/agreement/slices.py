"""Which annotators of a page are compared in which slice."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import combinations

from annotator.agreement.comparison import Participant
from annotator.agreement.selection import ALL, BLIND, SliceCell
from annotator.common.dates import utc_day
from extraction.agreement.counts import PageTables

# The arm without a suggestion, and the guideline value of annotators who had different versions.
NOTHING, MIXED = "nothing", "mixed"

Names = tuple[str, ...]


@dataclass(frozen=True)
class ComparedRound:
    """One compared round of a page; `counts` is None where only its slices matter."""

    page_id: int
    language: str
    site: str
    participants: tuple[Participant, ...]
    counts: PageTables | None = None
    # The guidelines of later rounds of the page: with any, this one counts under its own guideline only.
    later: frozenset[int] = frozenset()
    # How many pages of the corpus it stands for.
    weight: float = 1.0

    def shown_nothing(self) -> Names:
        return tuple(each.key for each in self.participants if each.shown is None)

    @property
    def names(self) -> Names:
        return tuple(each.key for each in self.participants)

    @property
    def week(self) -> date:
        """The Monday of the week in which the last of them submitted."""
        last = max(datetime.fromisoformat(each.submitted) for each in self.participants)
        day = utc_day(last)
        return day - timedelta(days=day.weekday())


def compared(record: ComparedRound, pairs: str) -> Names:
    """Who is compared on the page under a choice of pairs; nobody where a later round counts."""
    if record.later:
        return ()
    return _paired(record, pairs)


def _paired(record: ComparedRound, pairs: str) -> Names:
    if pairs == ALL:
        return record.names
    blind = record.shown_nothing()
    if pairs == BLIND:
        return blind if len(blind) > 1 else ()
    return record.names if len(blind) < len(record.participants) else ()


def cells(record: ComparedRound, by: str, pairs: str) -> list[tuple[str, Names]]:
    """The cells of a slice that the page is in, each with the annotators who are compared there.

    Arms always compare all pairs, whatever is selected.
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


def in_cell(record: ComparedRound, cell: SliceCell, pairs: str) -> Names:
    """Who is compared on the page in one cell; nobody where the page is not in the cell."""
    if not cell.by:
        return compared(record, pairs)
    return dict(cells(record, cell.by, pairs)).get(cell.value, ())


def restricted(counts: PageTables, names: Iterable[str]) -> PageTables:
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


def _arms(record: ComparedRound) -> list[tuple[str, Names]]:
    """NOTHING with those who were shown nothing, and each extractor that anybody was shown with all."""
    blind = record.shown_nothing()
    found = [(NOTHING, blind)] if len(blind) > 1 else []
    shown = sorted({each.shown for each in record.participants if each.shown is not None})
    return found + [(str(extractor), record.names) for extractor in shown]


def _guidelines(record: ComparedRound, names: Names) -> list[tuple[str, Names]]:
    versions: dict[int, list[str]] = {}
    for each in record.participants:
        if each.key in names:
            versions.setdefault(each.guideline, []).append(each.key)
    if len(versions) > 1:
        return [] if record.later else [(MIXED, names)]
    compared_ones = ((version, tuple(found)) for version, found in versions.items() if len(found) > 1)
    return [(str(version), found) for version, found in compared_ones if version not in record.later]
