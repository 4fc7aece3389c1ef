"""The errors of one extractor by cause and by site, over the pages on which it was scored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from annotator.common import storage
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of
from annotator.runs.tuned_on import tuned_on
from annotator.scoring.actions import compared_spans
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.ranking import BLIND
from annotator.scoring.models import Score
from annotator.scoring.totals.queries import selected
from annotator.scoring.totals.slices import Selection
from extraction.documents.document import Document
from extraction.evaluation.causes import ErrorCause, ErrorKind, PageError, block_causes, by_cause, page_errors

# Of more pages this many are analysed: those with the lowest digests, which is a random choice.
MOST_PAGES = 5_000
# Pages between two reports of progress.
CHUNK = 50


class ErrorRow(NamedTuple):
    """The errors of one page: non-whitespace characters by (kind, cause)."""

    page: int
    site: str
    amounts: dict[tuple[ErrorKind, ErrorCause], int]

    def amount(self, kind: ErrorKind | None, cause: ErrorCause | None) -> int:
        """Return the characters of a kind and cause; None stands for all."""
        return sum(
            characters
            for (of_kind, of_cause), characters in self.amounts.items()
            if kind in (None, of_kind) and cause in (None, of_cause)
        )


class Amount(NamedTuple):
    """Characters in error, and the pages that have some."""

    characters: int = 0
    pages: int = 0


@dataclass(frozen=True)
class CauseErrors:
    """What is missed and wrong for one cause."""

    cause: ErrorCause
    missed: Amount
    wrong: Amount

    @property
    def characters(self) -> int:
        return self.missed.characters + self.wrong.characters


@dataclass(frozen=True)
class SiteErrors:
    """What is missed and wrong on the pages of one site, and the cause of most of it."""

    site: str
    pages: int
    missed: int
    wrong: int
    main_cause: ErrorCause | None

    @property
    def characters(self) -> int:
        return self.missed + self.wrong


@dataclass(frozen=True)
class ErrorsByCause:
    """The errors of an extractor on `rows`, one for each page; `of` is how many pages there were."""

    rows: list[ErrorRow]
    of: int

    @classmethod
    def from_json(cls, result: Mapping[str, Any]) -> Self:
        rows = [
            ErrorRow(
                page, site, {(ErrorKind(kind), ErrorCause(cause)): size for kind, cause, size in amounts}
            )
            for page, site, amounts in result["pages"]
        ]
        return cls(rows, result["of"])

    @cached_property
    def causes(self) -> list[CauseErrors]:
        """Return the causes that occur, the one with most characters first."""
        found = [
            CauseErrors(cause, *(self.amount(kind, cause) for kind in ErrorKind)) for cause in ErrorCause
        ]
        return sorted((each for each in found if each.characters), key=lambda each: -each.characters)

    @cached_property
    def sites(self) -> list[SiteErrors]:
        """Return the sites with errors, the one with most characters first."""
        of_site: dict[str, list[ErrorRow]] = defaultdict(list)
        for row in self.rows:
            of_site[row.site].append(row)
        found = [_site(site, rows) for site, rows in of_site.items()]
        return sorted((each for each in found if each.characters), key=lambda each: -each.characters)

    @cached_property
    def largest(self) -> int:
        """The most characters of one kind and cause."""
        return max((max(each.missed.characters, each.wrong.characters) for each in self.causes), default=0)

    def amount(self, kind: ErrorKind | None, cause: ErrorCause | None) -> Amount:
        sizes = [size for row in self.rows if (size := row.amount(kind, cause))]
        return Amount(sum(sizes), len(sizes))

    def pages(
        self, kind: ErrorKind | None, cause: ErrorCause | None, site: str | None
    ) -> list[tuple[int, int]]:
        """Return the pages with such errors, and the characters in error; the most first."""
        found = [(row.page, row.amount(kind, cause)) for row in self.rows if site is None or row.site == site]
        return sorted((each for each in found if each[1]), key=lambda each: (-each[1], each[0]))


def _site(site: str, rows: Sequence[ErrorRow]) -> SiteErrors:
    causes: Counter[ErrorCause] = Counter()
    for row in rows:
        for (_kind, cause), size in row.amounts.items():
            causes[cause] += size
    missed, wrong = (sum(row.amount(kind, None) for row in rows) for kind in ErrorKind)
    return SiteErrors(site, len(rows), missed, wrong, causes.most_common(1)[0][0] if causes else None)


def errors_figures(errors: ErrorsByCause) -> dict[str, Any]:
    """Return the errors by cause and by site as files have them: characters, and pages that have some."""
    return {
        "pages": len(errors.rows),
        "of": errors.of,
        "causes": [
            {"cause": each.cause, "missed": each.missed._asdict(), "wrong": each.wrong._asdict()}
            for each in errors.causes
        ],
        "sites": [asdict(each) for each in errors.sites],
    }


# ---- the analysis ----


def errors_of_extractor(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the errors of `filters["extractor"]` by page. One document is in memory at a time."""
    labels = filters["labels"]
    members = label_set_of(corpus, labels)
    extractor = int(filters["extractor"])
    scores = queries.finished_scores(corpus, labels).filter(extraction__extractor=extractor)
    if filters.get("gold") == BLIND:
        scores = scores.filter(blind=True)
    if of := Selection.parse(filters.get("of", "")):
        scores = scores.filter(gold__page__in=selected(corpus, of).values("page"))
    seen = tuned_on(corpus.pk, [extractor])[extractor]
    pages_of = scores.order_by("gold__page__sha256").select_related("gold__page")
    known = pages_of.only("gold__page__sha256", "gold__page__cluster", "gold__page__site").iterator()
    counting = [score.pk for score in known if score.gold.page not in seen]
    chosen = counting[:MOST_PAGES]
    pages: list[list[Any]] = []
    for start in range(0, len(chosen), CHUNK):
        rows = Score.objects.filter(pk__in=chosen[start : start + CHUNK])
        rows = rows.select_related("gold__page", "gold__document", "extraction")
        for score in rows.iterator(chunk_size=1):
            amounts = by_cause(errors_of_score(score, members))
            listed = [[kind, cause, size] for (kind, cause), size in sorted(amounts.items())]
            pages.append([score.gold.page_id, score.gold.page.site, listed])
        if not progress(min(start + CHUNK, len(chosen)), len(chosen)):
            break
    return {"pages": pages, "of": len(counting)}


def errors_of_score(score: Score, members: Iterable[str]) -> list[PageError]:
    """Return the errors of one extraction under the labels of a label set."""
    document = Document.unpack(storage.get(score.gold.document.packed_sha256))
    return page_errors(document, block_causes(document), *compared_spans(score), frozenset(members))
