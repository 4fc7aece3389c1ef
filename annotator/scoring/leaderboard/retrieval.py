"""The retrieval effect: known-item search over the corpus, indexed by the text of each extractor and of gold.

The headline of a page, in its gold, is in no index: it is what pages are searched by.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of
from annotator.gold.models import Gold
from annotator.runs.models import Extraction, Extractor
from annotator.runs.tuned_on import tuned_on
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.pair_figures import extractor_figures
from annotator.scoring.leaderboard.ranking import BLIND
from annotator.scoring.measuring import MeasuredText
from annotator.scoring.totals.queries import selected
from annotator.scoring.totals.slices import Selection
from extraction.evaluation.retrieval import Index, RetrievalFigure, RetrievalFigures, figures, sampled_query
from extraction.metrics.words import lower_words
from extraction.spans import CONTENT, Span, subtract, text_of

# Of more pages this many are indexed: those with the lowest digests, which is a random choice.
MOST_PAGES = 5_000
# Pages between two reports of progress.
CHUNK = 50

HEADLINE, SAMPLED = "headline", "sampled"
QUERIES = (HEADLINE, SAMPLED)
# What extractors are compared with: all text of a page, and its gold.
EVERYTHING, GOLD = "everything", "gold"


class RetrievalRow(NamedTuple):
    """One index: an extractor by its key, EVERYTHING or GOLD.

    Queries about pages that the extractor was tuned on are in no figure (invariant 10). There are no figures
    if it did not run on all pages, or if no query is left.
    """

    name: int | str
    figures: RetrievalFigures | None
    tuned_on: int


StoredRow = tuple[int | str, dict[str, Any] | None, int]


@dataclass(frozen=True)
class RetrievalEffect:
    """The rows for one kind of query, the highest MRR first; `of` is how many pages there were."""

    pages: int
    of: int
    rows: list[RetrievalRow]

    def row(self, name: int | str) -> RetrievalFigures | None:
        return next((row.figures for row in self.rows if row.name == name), None)

    @property
    def has_tuned(self) -> bool:
        return any(row.tuned_on for row in self.rows)


def effect_from(result: Mapping[str, Any], kind: str) -> RetrievalEffect:
    """Return the figures of a stored result for one of QUERIES."""
    rows = [
        RetrievalRow(name, found and _figures_from(found), tuned_on)
        for name, found, tuned_on in result["rows"][kind]
    ]
    rows.sort(key=lambda row: -(row.figures.mrr.value if row.figures else -1.0))
    return RetrievalEffect(result["pages"], result["of"], rows)


def _figures_from(found: Mapping[str, Any]) -> RetrievalFigures:
    return RetrievalFigures(**{name: value and RetrievalFigure(*value) for name, value in found.items()})


def _to_json(found: RetrievalFigures) -> dict[str, Any]:
    named = {"mrr": found.mrr, "precision": found.precision, "ndcg": found.ndcg, "gain": found.gain}
    return {name: each and [each.value, each.low, each.high] for name, each in named.items()}


# ---- the analysis ----


@dataclass
class _Searches:
    """The queries of the pages that have one, by kind, in the order of the pages."""

    pages: list[int] = field(default_factory=list)
    queries: dict[str, list[Sequence[str]]] = field(default_factory=lambda: {name: [] for name in QUERIES})

    @property
    def terms(self) -> set[str]:
        return {word for each in self.queries.values() for query in each for word in query}


def retrieval_effect(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the figures of each index, for queries that are headlines and for sampled ones.

    A chunk of pages is in memory at a time, and of each index the terms of queries.
    """
    labels = filters["labels"]
    members = label_set_of(corpus, labels)
    golds = queries.scored_gold(corpus, labels)
    if filters.get("gold") == BLIND:
        golds = golds.filter(exposed_families=[])
    if of := Selection.parse(filters.get("of", "")):
        golds = golds.filter(page__in=selected(corpus, of).values("page"))
    chosen = list(golds.order_by("page__sha256").values_list("pk", flat=True)[:MOST_PAGES])
    searches = _searches(chosen)
    extractors = [each.pk for each in queries.scored_extractors(corpus)]
    names: list[int | str] = [EVERYTHING, GOLD, *extractors]
    indexes = {name: Index(searches.terms) for name in names}
    missing: set[int | str] = set()
    for number, gold in enumerate(_golds(chosen), 1):
        texts = _texts(gold, members)
        for name, index in indexes.items():
            if name not in texts:
                missing.add(name)
            index.add(lower_words(texts.get(name, "")))
        if number % CHUNK == 0 and not progress(number, len(chosen)):
            break
    wanted = {kind: list(zip(searches.queries[kind], searches.pages, strict=True)) for kind in QUERIES}
    tuned = _tuned_numbers(corpus, chosen, extractors)
    return {
        "pages": len(chosen),
        "of": golds.count(),
        "rows": {kind: _rows(indexes, wanted[kind], missing, tuned) for kind in QUERIES},
    }


def _searches(chosen: Sequence[int]) -> _Searches:
    found = _Searches()
    for number, gold in enumerate(_golds(chosen)):
        headline = lower_words(text_of(MeasuredText.of(gold.document), gold.marks, {"headline"}))
        title = lower_words(gold.page.title) or headline
        if not title:
            continue
        found.pages.append(number)
        found.queries[HEADLINE].append(headline or title)
        found.queries[SAMPLED].append(sampled_query(title, gold.page.sha256))
    return found


def _golds(chosen: Sequence[int]) -> Iterator[Gold]:
    """Yield the golds in this order, with their documents, a chunk of them at a time."""
    for start in range(0, len(chosen), CHUNK):
        some = chosen[start : start + CHUNK]
        known = Gold.objects.select_related("page", "document").in_bulk(some)
        yield from (known[pk] for pk in some if pk in known)


def _texts(gold: Gold, members: frozenset[str]) -> dict[int | str, str]:
    """Return what each index gets of a page, without its headline; a failed extraction is empty."""
    source, spans = MeasuredText.of(gold.document), gold.marks
    headline = [span for span in spans if span.label == "headline"]

    def text(marked: Sequence[Span]) -> str:
        return text_of(source, subtract(marked, headline), members)

    found: dict[int | str, str] = {
        EVERYTHING: text([Span(start, end, CONTENT) for start, end in source.blocks]),
        GOLD: text(spans),
    }
    done = Extraction.objects.filter(document=gold.document_id, finished_at__isnull=False)
    for extractor, error, predicted in done.values_list("extractor", "error", "spans"):
        found[extractor] = "" if error else text([Span(*span) for span in predicted])
    return found


def _tuned_numbers(
    corpus: Corpus, chosen: Sequence[int], extractors: Sequence[int]
) -> dict[int | str, set[int]]:
    """Return the numbers of the pages that each extractor was tuned on."""
    golds = Gold.objects.select_related("page").only("page__sha256", "page__cluster", "page__site")
    pages = {pk: gold.page for pk, gold in golds.in_bulk(chosen).items()}
    return {
        extractor: {number for number, pk in enumerate(chosen) if pk in pages and pages[pk] in seen}
        for extractor, seen in tuned_on(corpus.pk, extractors).items()
    }


def _rows(
    indexes: Mapping[int | str, Index],
    wanted: Sequence[tuple[Sequence[str], int]],
    missing: set[int | str],
    tuned: Mapping[int | str, set[int]],
) -> list[StoredRow]:
    """Return each index as a RetrievalRow is stored; `wanted` are queries with the pages they are about."""
    baseline = [indexes[EVERYTHING].rank(query, page) for query, page in wanted]
    rows: list[StoredRow] = []
    for name, index in indexes.items():
        own = tuned.get(name, set())
        counted = [number for number, (_query, page) in enumerate(wanted) if page not in own]
        excluded = len(wanted) - len(counted)
        if name in missing or not counted:
            rows.append((name, None, 0 if name in missing else excluded))
            continue
        ranks = [index.rank(*wanted[number]) for number in counted]
        compared = None if name == EVERYTHING else [baseline[number] for number in counted]
        rows.append((name, _to_json(figures(ranks, compared)), excluded))
    return rows


def extractors_of(effect: RetrievalEffect) -> dict[int | str, Extractor]:
    """Return the extractors by the names of their rows; those of other rows are not in it."""
    return Extractor.objects.in_bulk([row.name for row in effect.rows if isinstance(row.name, int)])


def effect_figures(effect: RetrievalEffect) -> list[dict[str, Any]]:
    """Return the rows as files have them, without keys of the database."""
    known = extractors_of(effect)
    rows = []
    for row in effect.rows:
        extractor = known.get(row.name)
        named = extractor_figures(extractor) if extractor else {"index": row.name}
        rows.append({**named, "tuned_on": row.tuned_on, "figures": row.figures and _to_json(row.figures)})
    return rows
