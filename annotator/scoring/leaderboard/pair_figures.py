"""The comparison of two extractors, and the tests of all pairs, as JSON: without keys of the database."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotator.runs.models import Extractor
from annotator.scoring.leaderboard.all_pairs import PairTest
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.pair import Pair, PairSlice


def extractor_figures(extractor: Extractor) -> dict[str, Any]:
    """What an extractor is called in files."""
    return {
        "extractor": extractor.name,
        "version": extractor.version,
        "parameters": extractor.parameters,
    }


def pair_figures(
    pair: Pair, first: Extractor, second: Extractor, filters: LeaderboardFilters, labels: str
) -> dict[str, Any]:
    return {
        **_chosen(filters, labels),
        "mean": filters.mean,
        "pages": len(pair.pages),
        "first": {**extractor_figures(first), "f1": pair.first.value, **_bounds(pair.first)},
        "second": {**extractor_figures(second), "f1": pair.second.value, **_bounds(pair.second)},
        "difference": pair.difference._asdict(),
        "wilcoxon": pair.wilcoxon._asdict(),
        "mann_whitney": pair.mann_whitney._asdict(),
        "more_pages": pair.more_pages,
        "more_pages_range": pair.more_pages_range,
        "first_better": len(pair.better),
        "second_better": len(pair.worse),
        "languages": [_slice(each) for each in pair.languages],
        "sites": [_slice(each) for each in pair.sites],
        "other_sites": pair.other_sites and _slice(pair.other_sites),
    }


def tests_figures(
    tests: Iterable[PairTest], known: Mapping[int, Extractor], filters: LeaderboardFilters, labels: str
) -> dict[str, Any]:
    return {
        **_chosen(filters, labels),
        "correction": "holm",
        "pairs": [
            {
                "first": extractor_figures(known[test.first]),
                "second": extractor_figures(known[test.second]),
                "pages": test.pages,
                "difference": test.difference,
                "p": test.p,
                "p_corrected": test.corrected,
            }
            for test in tests
        ],
    }


def _chosen(filters: LeaderboardFilters, labels: str) -> dict[str, str]:
    return {"metric": filters.metric, "labels": labels, "gold": filters.gold}


def _bounds(figure: Any) -> dict[str, float | None]:
    return {"low": figure.low, "high": figure.high}


def _slice(each: PairSlice) -> dict[str, Any]:
    return {"name": each.name, "pages": each.n, **each.difference._asdict()}
