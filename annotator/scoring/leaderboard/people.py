"""Human agreement by every metric: two annotators of a page who were shown nothing, scored on each other.

The annotation of the later slot is scored as an extraction is, with that of the earlier one in the place of
gold. Pages are those with gold; what the annotators said before adjudication counts. Beside it, each of them
is scored on gold, which is made of what they said: gold is never far from its own annotators.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from django.db.models import F
from django.utils import timezone

from annotator.agreement.comparison import marks_of
from annotator.agreement.models import Agreement
from annotator.agreement.queries import compared_rounds
from annotator.annotations.queries import submissions, submitted_revisions
from annotator.annotations.study import weights as study
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.gold.queries import gold_weights
from annotator.pages.models import StoredDocument
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.averages import average_of
from annotator.scoring.leaderboard.leaderboard import LeaderboardFigures
from annotator.scoring.leaderboard.ranking import MACRO, MICRO
from annotator.scoring.measuring import (
    STORED,
    LabelSets,
    MeasuredText,
    measure,
    packed,
    stored_under,
    told_sets,
    unpacked,
)
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import confusion
from extraction.metrics.page_weights import effective
from extraction.metrics.pages import PageScore
from extraction.spans import Span

# Of more pages this many are compared: those with the lowest digests, which is a random choice.
MOST_PAGES = 1_000
# How often it is asked for at most.
EVERY = timedelta(minutes=2)
# Comparisons between two reports of progress.
CHUNK = 20

# By comparison and gold: the page, and the figures by metric and label set. Neither changes, so each is
# measured once, as long as the label sets are the same.
Cells = dict[str, list[Any]]


class People(NamedTuple):
    """How annotators agree with each other, and how the mean annotator agrees with gold."""

    agreement: LeaderboardFigures | None
    to_gold: LeaderboardFigures | None
    # Whether it is time for another analysis: a corpus in work changes every second, the ceiling hardly.
    is_due: bool


def people_of(corpus: Corpus, *, labels: str, metric: str, mean: str) -> People:
    """Return the figures of the last analysis; there are none before the first, and without a blind pair."""
    analyses = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE)
    path = f"{metric}__{labels}__{mean}"
    # Not by name, as a name with "--" is refused as an alias.
    paths = F(f"result__figures__{path}"), F(f"result__to_gold__{path}")
    last = analyses.values_list(*paths, "computed_at").first()
    *found, computed_at = last or (None, None, None)
    agreement, to_gold = (LeaderboardFigures(**each) if each else None for each in found)
    return People(agreement, to_gold, computed_at is None or computed_at < timezone.now() - EVERY)


# ---- the analysis ----


def human_agreement(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the cells of all pages with gold, of which those that are known are not measured again."""
    analysis = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE).first()
    sets = label_sets_of(corpus)
    measured_under = {name: sorted(labels) for name, labels in sets.items()}
    last = (analysis and analysis.result) or {}
    if last.get("label_sets") != measured_under:
        last = {}
    golds = dict(queries.scored_gold(corpus).values_list("page", "pk"))
    rounds = compared_rounds(corpus).filter(round__page__in=golds).exclude(f1=None)
    rounds = rounds.annotate(digest=F("round__page__sha256")).order_by("digest", "pk")
    chosen = list(rounds.values_list("pk", "round__page", "participants")[:MOST_PAGES])
    blind = [(pk, page) for pk, page, participants in chosen if is_blind(participants)]
    pairs: Cells = {}
    with_gold: Cells = {}
    for number, (pk, page) in enumerate(blind, 1):
        key = f"{pk}:{golds[page]}"
        if key in last.get("cells", {}):
            pairs[key], with_gold[key] = last["cells"][key], last["gold_cells"][key]
        else:
            pairs[key], with_gold[key] = _cells(sets, pk, golds[page])
        if number % CHUNK == 0 and not progress(number, len(blind)):
            break
    return {
        "label_sets": measured_under,
        "cells": pairs,
        "gold_cells": with_gold,
        "figures": _figures(corpus, sets, list(pairs.values())),
        "to_gold": _figures(corpus, sets, [cell for of_page in with_gold.values() for cell in of_page]),
    }


def is_blind(participants: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two of a round's annotators, at least, were shown nothing."""
    return sum(each["shown"] is None for each in participants) > 1


def _figures(corpus: Corpus, sets: LabelSets, cells: list[Any]) -> dict[str, Any]:
    """Return the figures by metric, label set and mean; without those that no page has."""
    weights = gold_weights(corpus) if study.state(corpus) else {}
    found: dict[str, Any] = {}
    for metric, (labels, members) in product(METRICS, sets.items()):
        known_as = stored_under(labels, members)
        scored = [
            (unpacked(row, failed=False), page)
            for page, figures in cells
            if (row := figures.get(metric, {}).get(known_as))
        ]
        if scored:
            scores, pages = zip(*scored, strict=True)
            times = Counter(pages)
            each = [weights.get(page, 1.0) / times[page] for page in pages]
            found.setdefault(metric, {})[labels] = {
                mean: asdict(_figures_of(scores, pages, each, metric, pooled=mean == MICRO))
                for mean in (MACRO, MICRO)
            }
    return found


def _figures_of(
    scores: Sequence[PageScore], pages: Sequence[int], weights: Sequence[float], metric: str, *, pooled: bool
) -> LeaderboardFigures:
    """The scores of a page together weigh as much as the page; pages are resampled.

    They keep the order in which they come, that of their digests, so that no interval depends on keys.
    """
    means = average_of(scores, weights, pooled=pooled, by_page=METRICS[metric].by_page)
    every = means.everywhere
    known = {page: number for number, page in enumerate(dict.fromkeys(pages))}
    place = np.array([known[page] for page in pages])
    low, high = interval(len(known), lambda drawn: means.f1(drawn[place] * every))
    precision, recall, f1 = (figure(every) for figure in (means.precision, means.recall, means.f1))
    # Rounded, as thirds of a page do not add up to one.
    n_effective = effective(np.bincount(place, weights=every).astype(np.float64).round(9))
    return LeaderboardFigures(len(known), 0, precision, recall, f1, low, high, n_effective)


def _cells(sets: LabelSets, compared: int, gold: int) -> tuple[list[Any], list[list[Any]]]:
    """Two annotators of a round who were shown nothing, and each such annotator with gold as reference.

    Under the label sets that the gold distinguishes.
    """
    against = Gold.objects.select_related("document").get(pk=gold)
    submitted = submissions(Agreement.objects.get(pk=compared).round)
    revisions = submitted_revisions(submitted)
    blind = [(each.document, marks_of(revisions.get(each.pk))) for each in submitted if each.shown_id is None]

    def cell(document: StoredDocument, expected: list[Span], marks: list[Span]) -> list[Any]:
        told = told_sets(against.distinguishable_labels, sets)
        return [against.page_id, _compared(document, expected, marks, told)]

    (document, first), (_document, second) = blind[:2]
    # Of another document, as after a re-parse, marks do not compare.
    with_gold = [marks for annotated, marks in blind if annotated == against.document]
    return (
        cell(document, first, second),
        [cell(against.document, against.marks, marks) for marks in with_gold],
    )


def _compared(
    document: StoredDocument, expected: list[Span], marks: list[Span], told: LabelSets
) -> dict[str, Any]:
    """The figures by metric, then by label set (`stored_under`)."""
    matrix = confusion(expected, marks, document.text)
    characters = {
        stored_under(name, labels): packed(from_matrix(matrix, labels)) for name, labels in told.items()
    }
    every = set().union(*told.values())
    text = MeasuredText.of(document)
    measured = measure(text, expected, marks, sets=told, distinguishable_labels=every, failed=False)
    return {STORED: characters, **measured.figures}
