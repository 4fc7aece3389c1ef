"""The one writer of totals: takes off what pages counted with before, and adds what they count with now.

Totals, `CountedPage` and `CountedScore` change in one transaction under a lock of the corpus, so that totals
are at any time the sums over the counted scores.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db import connection, transaction
from django.db.models import F

from annotator.corpora.models import Corpus
from annotator.scoring.models import (
    CountedPage,
    CountedScore,
    GoldTotal,
    LeaderboardVersion,
    PageToCount,
    ScoreTotal,
)
from annotator.scoring.totals.figures import (
    CELLS,
    COLUMNS,
    ONE,
    PARTS,
    SHARES,
    Numbers,
    cells_of,
    contributions,
    ranks_of,
)
from annotator.scoring.totals.slices import Slice
from annotator.scoring.totals.state import Counted, Facts, PageState, counted_before, counts_now

# Pages in one transaction, and how many notes of changes are looked through for them.
PAGES_AT_ONCE, NOTES_AT_ONCE = 100, 3_000

_ABSENT = -1


def count_some(corpus: Corpus) -> int:
    """Count pages whose gold or scores have changed, those that changed last first; how many.

    Waits for another writer of the corpus.
    """
    with transaction.atomic():
        lock(corpus)
        pages = _take_notes(corpus)
        if pages and recount(corpus, pages):
            LeaderboardVersion.objects.filter(corpus=corpus).update(number=F("number") + 1)
        return len(pages)


def lock(corpus: Corpus) -> None:
    """Hold the totals of the corpus until the end of the transaction."""
    LeaderboardVersion.objects.bulk_create([LeaderboardVersion(corpus=corpus)], ignore_conflicts=True)
    LeaderboardVersion.objects.select_for_update().get(corpus=corpus)


def _take_notes(corpus: Corpus) -> list[int]:
    """Delete notes of changes, the newest, and return their pages. What changes from now on has its own."""
    notes = PageToCount.objects.filter(corpus=corpus.pk).order_by("-id").values_list("id", "page")
    taken: list[int] = []
    pages: dict[int, None] = {}
    for note, page in notes[:NOTES_AT_ONCE]:
        if page in pages or len(pages) < PAGES_AT_ONCE:
            pages[page] = None
            taken.append(note)
    PageToCount.objects.filter(id__in=taken).delete()
    return sorted(pages)


def recount(corpus: Corpus, pages: Sequence[int]) -> bool:
    """Bring the totals up to date for these pages, under `lock`; whether anything has changed."""
    before, now = counted_before(pages), counts_now(corpus, pages)
    changed = [page for page in pages if before.get(page) != now.get(page)]
    if not changed:
        return False
    before = {page: before[page] for page in changed if page in before}
    now = {page: now[page] for page in changed if page in now}
    _add(ScoreTotal, corpus, TotalKey._fields, COLUMNS, score_sums(before, now))
    _add(GoldTotal, corpus, GoldKey._fields, GOLD_COLUMNS, gold_sums(before, now))
    _rewrite(corpus, before, now)
    return True


def forget(corpus: Corpus) -> None:
    """Delete the totals of the corpus, under `lock`."""
    ScoreTotal.objects.filter(corpus=corpus).delete()
    GoldTotal.objects.filter(corpus=corpus).delete()
    CountedScore.objects.filter(corpus=corpus.pk).delete()
    CountedPage.objects.filter(corpus=corpus.pk).delete()
    PageToCount.objects.filter(corpus=corpus.pk).delete()
    LeaderboardVersion.objects.filter(corpus=corpus).update(number=F("number") + 1)


# ---- sums ----


class TotalKey(NamedTuple):
    """Of a row of `ScoreTotal` within its corpus."""

    metric: str
    labels: str
    dimension: str
    value: str
    extractor: int | None
    kind: int


def score_sums(off: Mapping[int, PageState], on: Mapping[int, PageState]) -> dict[TotalKey, list[int]]:
    """What to add to each total: the sums over `on` less those over `off`. Totals that stay are left out."""
    rows = _Rows()
    for page in {*off, *on}:
        old, new = off.get(page), on.get(page)
        same_page = old and new and _place(old.facts) == _place(new.facts)
        for sign, state, other in ((-1, old, new), (1, new, old)):
            for extractor, counted in state.scores.items() if state else ():
                if not (same_page and other and other.scores.get(extractor) == counted):
                    assert state
                    rows.add(sign, state.facts, extractor, counted)
    return rows.sums()


def _place(facts: Facts) -> tuple[object, ...]:
    return facts.draw, facts.labels, facts.slices


class _Rows:
    """Scores to be summed, cell by cell, as columns."""

    def __init__(self) -> None:
        self._facts: list[Facts] = []
        self._cells: dict[tuple[str, str], int] = {cell: number for number, cell in enumerate(CELLS)}
        self._extractors: dict[int | None, int] = {}
        # Of each cell of each score: sign, page, extractor, kind, cell, unit; failed, microseconds, draw.
        self._keys: list[tuple[int, ...]] = []
        self._parts: list[Sequence[int | None]] = []

    def add(self, sign: int, facts: Facts, extractor: int | None, counted: Counted) -> None:
        if not self._facts or self._facts[-1] is not facts:
            self._facts.append(facts)
        place = len(self._facts) - 1
        number = self._extractors.setdefault(extractor, len(self._extractors))
        microseconds = _ABSENT if counted.microseconds is None else counted.microseconds
        for index, cell in enumerate(cells_of(facts.labels)):
            parts = counted.amounts[index * len(PARTS) : (index + 1) * len(PARTS)]
            if parts[0] is None:
                continue
            code = self._cells.setdefault(cell, len(self._cells))
            unit = ONE if cell[0] in SHARES else 1
            self._keys.append(
                (sign, place, number, counted.kind, code, unit, counted.failed, microseconds, facts.draw)
            )
            self._parts.append([_ABSENT if part is None else part for part in parts])

    def sums(self) -> dict[TotalKey, list[int]]:
        if not self._keys:
            return {}
        keys = np.array(self._keys, dtype=np.int64)
        sign, place, extractor, kind, cell, unit = keys[:, :6].T
        added = contributions(keys[:, 6:], np.array(self._parts, dtype=np.int64), unit) * sign[:, None]
        # One number for each combination of extractor, kind and cell.
        code = (extractor * 16 + kind) * len(self._cells) + cell
        cells, extractors = list(self._cells), list(self._extractors)
        found: dict[TotalKey, list[int]] = {}
        for each, pages in self._slices():
            for number, total in _grouped(code, added, np.isin(place, pages) if each.dimension else None):
                rest, of_cell = divmod(number, len(cells))
                at, of_kind = divmod(rest, 16)
                found[TotalKey(*cells[of_cell], *each, extractors[at], of_kind)] = total
        return found

    def _slices(self) -> Iterable[tuple[Slice, list[int]]]:
        places: dict[Slice, list[int]] = defaultdict(list)
        for place, facts in enumerate(self._facts):
            for each in facts.slices:
                places[each].append(place)
        return places.items()


def _grouped(code: Numbers, added: Numbers, chosen: Any) -> Iterable[tuple[int, list[int]]]:
    """The sum of the rows of each code, without those that are zero."""
    if chosen is not None:
        code, added = code[chosen], added[chosen]
    if not code.size:
        return
    order = np.argsort(code, kind="stable")
    ordered = code[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    totals = np.add.reduceat(added[order], starts, axis=0)
    for number, total in zip(ordered[starts].tolist(), totals.tolist(), strict=True):
        if any(total):
            yield number, total


class GoldKey(NamedTuple):
    """Of a row of `GoldTotal` within its corpus."""

    dimension: str
    value: str
    labels: str


GOLD_COLUMNS = ("pages", "scores", "characters", "placed")


def gold_sums(off: Mapping[int, PageState], on: Mapping[int, PageState]) -> dict[GoldKey, list[int]]:
    """What to add to each total, in the order of `GOLD_COLUMNS`."""
    found: dict[GoldKey, list[int]] = defaultdict(lambda: [0] * len(GOLD_COLUMNS))
    for sign, states in ((-1, off), (1, on)):
        for facts, scores in states.values():
            extractors = sum(extractor is not None for extractor in scores)
            added = (1, extractors, facts.characters, facts.placed)
            for dimension, value in facts.slices:
                for labels in ("", *facts.labels):
                    total = found[GoldKey(dimension, value, labels)]
                    for index, each in enumerate(added):
                        total[index] += sign * each
    return {key: total for key, total in found.items() if any(total)}


# ---- rows ----


def _add(
    model: type[ScoreTotal] | type[GoldTotal],
    corpus: Corpus,
    keys: Sequence[str],
    columns: Sequence[str],
    sums: Mapping[Any, Sequence[int]],
) -> None:
    """Add to rows, in one statement; rows that are not there begin at zero."""
    if not sums:
        return
    names = ["extractor_id" if name == "extractor" else name for name in keys]
    types = ["bigint" if name in ("extractor_id", "kind") else "text" for name in names]
    quoted = [f'"{name}"' for name in (*names, *columns)]
    arrays = ", ".join([*(f"%s::{kind}[]" for kind in types), *("%s::bigint[]" for _ in columns)])
    added = ", ".join(f'"{name}" = t."{name}" + excluded."{name}"' for name in columns)
    sql = (
        f'insert into "{model._meta.db_table}" as t (corpus_id, {", ".join(quoted)})'  # noqa: S608  names of ours
        f" select %s, * from unnest({arrays}) order by 2, 3, 4, 5"
        f" on conflict (corpus_id, {', '.join(quoted[: len(names)])}) do update set {added}"
    )
    by_key = [list(column) for column in zip(*sums, strict=True)]
    # As text, which is much faster than one parameter for each number.
    by_column = ["{" + ",".join(map(str, column)) + "}" for column in zip(*sums.values(), strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(sql, [corpus.pk, *by_key, *by_column])


def _rewrite(corpus: Corpus, before: Mapping[int, PageState], now: Mapping[int, PageState]) -> None:
    """Write what the totals hold of these pages now."""
    gone = [page for page in before if page not in now]
    CountedPage.objects.filter(pk__in=gone).delete()
    CountedPage.objects.bulk_create(
        [CountedPage(page=page, corpus=corpus.pk, **state.facts._asdict()) for page, state in now.items()],
        update_conflicts=True,
        unique_fields=["page"],
        update_fields=Facts._fields,
    )
    changed = [
        (page, extractor)
        for page in {*before, *now}
        for extractor in {*_scores(before, page), *_scores(now, page)}
        if _scores(before, page).get(extractor) != _scores(now, page).get(extractor)
    ]
    by_extractor: dict[int | None, list[int]] = defaultdict(list)
    for page, extractor in changed:
        by_extractor[extractor].append(page)
    for extractor, pages in by_extractor.items():
        CountedScore.objects.filter(page__in=pages, extractor=extractor).delete()
    CountedScore.objects.bulk_create(
        [
            _row(corpus, page, extractor, now[page].scores[extractor])
            for page, extractor in changed
            if extractor in _scores(now, page)
        ]
    )


def _scores(states: Mapping[int, PageState], page: int) -> Mapping[int | None, Counted]:
    return states[page].scores if page in states else {}


def _row(corpus: Corpus, page: int, extractor: int | None, counted: Counted) -> CountedScore:
    return CountedScore(
        page_id=page,
        corpus=corpus.pk,
        extractor_id=extractor,
        f1=ranks_of(counted.amounts),
        **counted._asdict(),
    )
