"""Human agreement by every metric: two annotators of a page who were shown nothing, scored on each other.

The annotation of the later slot is scored as an extraction is, with that of the earlier one in the place of
gold. Pages are those with gold; what the annotators said before adjudication counts. Beside it, each of them
is scored on gold, which is made of what they said: gold is never far from its own annotators.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
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
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.averages import average_of
from annotator.scoring.leaderboard.leaderboard import LeaderboardFigures
from annotator.scoring.leaderboard.ranking import MACRO, MICRO
from annotator.scoring.measuring import STORED, MeasuredText, measure, unpacked
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import Matrix, confusion
from extraction.metrics.page_weights import effective
from extraction.metrics.pages import PageScore

# Of more pages this many are compared: those with the lowest digests, which is a random choice.
MOST_PAGES = 1_000
# How often it is asked for at most.
EVERY = timedelta(minutes=2)
# Comparisons between two reports of progress.
CHUNK = 20

# By comparison: the page, the matrix of characters, and the figures of the other metrics. A comparison never
# changes, so each is measured once.
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
    last = analyses.values_list(f"result__figures__{path}", f"result__to_gold__{path}", "computed_at").first()
    *found, computed_at = last or (None, None, None)
    agreement, to_gold = (LeaderboardFigures(**each) if each else None for each in found)
    return People(agreement, to_gold, computed_at is None or computed_at < timezone.now() - EVERY)


# ---- the analysis ----


def human_agreement(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the cells of all pages with gold, of which those that are known are not measured again."""
    analysis = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE).first()
    last = (analysis and analysis.result) or {}
    golds = dict(queries.scored_gold(corpus).values_list("page", "pk"))
    rounds = compared_rounds(corpus).filter(round__page__in=golds).exclude(f1=None)
    rounds = rounds.annotate(digest=F("round__page__sha256")).order_by("digest", "pk")
    chosen = list(rounds.values_list("pk", "round__page", "participants")[:MOST_PAGES])
    blind = [(pk, page) for pk, page, participants in chosen if is_blind(participants)]
    pairs: Cells = {}
    with_gold: Cells = {}
    for number, (pk, page) in enumerate(blind, 1):
        key, gold = str(pk), golds[page]
        pairs[key] = last.get("cells", {}).get(key) or _cell(corpus, Agreement.objects.get(pk=pk))
        key = f"{pk}:{gold}"
        known = last.get("gold_cells", {}).get(key)
        with_gold[key] = known if known is not None else _gold_cells(corpus, pk, gold)
        if number % CHUNK == 0 and not progress(number, len(blind)):
            break
    single = list(pairs.values())
    return {
        "cells": pairs,
        "gold_cells": with_gold,
        "figures": _figures(corpus, single),
        "to_gold": _figures(corpus, [cell for of_page in with_gold.values() for cell in of_page]),
    }


def is_blind(participants: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two of a round's annotators, at least, were shown nothing."""
    return sum(each["shown"] is None for each in participants) > 1


def _figures(corpus: Corpus, cells: list[Any]) -> dict[str, Any]:
    """Return the figures by metric, label set and mean; without those that no page has."""
    weights = gold_weights(corpus) if study.state(corpus) else {}
    found: dict[str, Any] = {}
    for metric, (labels, members) in product(METRICS, label_sets_of(corpus).items()):
        scored = [
            (score, page)
            for page, characters, figures in cells
            if (score := _score(metric, labels, members, characters, figures)) is not None
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


def _score(
    metric: str, labels: str, members: Collection[str], characters: Matrix, figures: dict[str, Any]
) -> PageScore | None:
    if metric == STORED:
        return from_matrix(characters, members)
    packed = figures.get(metric, {}).get(labels)
    return unpacked(packed, failed=False) if packed else None


def _cell(corpus: Corpus, compared: Agreement) -> list[Any]:
    submitted = submissions(compared.round)
    revisions = submitted_revisions(submitted)
    blind = [each for each in submitted if each.shown_id is None][:2]
    first, second = (marks_of(revisions.get(each.pk)) for each in blind)
    document = blind[0].document
    measured = measure(
        MeasuredText.of(document),
        first,
        second,
        sets=label_sets_of(corpus),
        distinguishable_labels=[label.name for label in corpus.labels.all()],
        failed=False,
    )
    return [compared.round.page_id, confusion(first, second, document.text), measured.figures]


def _gold_cells(corpus: Corpus, compared: int, gold: int) -> list[list[Any]]:
    """Return a cell for each annotator of a round who was shown nothing, with gold as reference."""
    against = Gold.objects.select_related("document").get(pk=gold)
    submitted = submissions(Agreement.objects.get(pk=compared).round)
    revisions = submitted_revisions(submitted)
    # Of another document, as after a re-parse, marks do not compare.
    blind = [each for each in submitted if each.shown_id is None and each.document_id == against.document_id]
    document = against.document
    reference = against.marks
    source = MeasuredText.of(document)
    cells = []
    for each in blind:
        marks = marks_of(revisions.get(each.pk))
        measured = measure(
            source,
            reference,
            marks,
            sets=label_sets_of(corpus),
            distinguishable_labels=against.distinguishable_labels,
            failed=False,
        )
        cells.append([against.page_id, confusion(reference, marks, document.text), measured.figures])
    return cells
