"""Human agreement by every metric: two annotators of a page who were shown nothing, scored on each other.

The annotation of the later slot is scored as an extraction is, with that of the earlier one in the place of
gold. Pages are those with gold; what the annotators said before adjudication counts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from itertools import product
from typing import Any

from django.db.models import F
from django.utils import timezone

from annotator.agreement.comparison import marks_of
from annotator.agreement.models import Agreement
from annotator.agreement.queries import compared_rounds
from annotator.annotations.queries import submissions, submitted_revisions
from annotator.annotations.study import weights as study
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.queries import gold_weights
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.averages import MicroAverage
from annotator.scoring.leaderboard.leaderboard import MACRO, MICRO, LeaderboardFigures
from annotator.scoring.measuring import STORED, DocumentText, measure, unpacked
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.documents.canonical_text import Block
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.character import from_matrix, matrix
from extraction.metrics.character_labels import Matrix
from extraction.metrics.pages import PageScore
from extraction.metrics.summary import summarise

# Of more pages this many are compared: those with the lowest digests, which is a random choice.
MOST_PAGES = 1_000
# How often it is asked for at most.
EVERY = timedelta(minutes=2)
# Comparisons between two reports of progress.
CHUNK = 20

# By comparison: the page, the matrix of characters, and the figures of the other metrics. A comparison never
# changes, so each is measured once.
Cells = dict[str, list[Any]]


def people_of(corpus: Corpus, *, labels: str, metric: str, mean: str) -> LeaderboardFigures | None:
    """Return the figures of the last analysis; None before the first, and without a blind pair."""
    analyses = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE)
    found = analyses.values_list(f"result__figures__{metric}__{labels}__{mean}", flat=True).first()
    return LeaderboardFigures(**found) if found else None


def is_due(corpus: Corpus) -> bool:
    """Whether it is time for another analysis: a corpus in work changes every second, the ceiling hardly."""
    made = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE).values_list(
        "computed_at", flat=True
    )
    newest = made.first()
    return newest is None or newest < timezone.now() - EVERY


# ---- the analysis ----


def human_agreement(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the cells of all pages with gold, of which those that are known are not measured again."""
    analysis = Analysis.objects.filter(corpus=corpus, name=AnalysisKind.PEOPLE).first()
    known: Cells = ((analysis and analysis.result) or {}).get("cells", {})
    pages = queries.scored_gold(corpus).values("page")
    rounds = compared_rounds(corpus).filter(round__page__in=pages).exclude(f1=None)
    rounds = rounds.annotate(digest=F("round__page__sha256")).order_by("digest", "pk")
    chosen = list(rounds.values_list("pk", "participants")[:MOST_PAGES])
    blind = [pk for pk, participants in chosen if is_blind(participants)]
    cells: Cells = {}
    for number, pk in enumerate(blind, 1):
        cells[str(pk)] = known.get(str(pk)) or _cell(corpus, Agreement.objects.get(pk=pk))
        if number % CHUNK == 0 and not progress(number, len(blind)):
            break
    return {"cells": cells, "figures": _figures(corpus, list(cells.values()))}


def is_blind(participants: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two of a round's annotators, at least, were shown nothing."""
    return sum(each["shown"] is None for each in participants) > 1


def _figures(corpus: Corpus, cells: list[Any]) -> dict[str, Any]:
    """Return the figures by metric, label set and mean; without those that no page has."""
    weights = gold_weights(corpus) if study.state(corpus) else {}
    found: dict[str, Any] = {}
    for metric, (labels, members) in product(METRICS, label_sets_of(corpus).items()):
        scored = [
            (score, weights.get(page, 1.0))
            for page, characters, figures in cells
            if (score := _score(metric, labels, members, characters, figures)) is not None
        ]
        if scored:
            scores, each = zip(*scored, strict=True)
            by_page = METRICS[metric].by_page
            found.setdefault(metric, {})[labels] = {
                mean: asdict(_figures_of(scores, mean, each, by_page=by_page)) for mean in (MACRO, MICRO)
            }
    return found


def _figures_of(
    scores: Sequence[PageScore], mean: str, weights: Sequence[float], *, by_page: bool
) -> LeaderboardFigures:
    found = summarise(scores, by_page=by_page, weights=weights)
    if mean == MACRO:
        figures = (found.precision, found.recall, found.f1, found.f1_low, found.f1_high)
    else:
        average = MicroAverage(scores, weights=weights)
        low, high = interval(len(scores), lambda drawn: average.f1(drawn * average.everywhere))
        figures = (found.micro.precision, found.micro.recall, found.micro.f1, low, high)
    return LeaderboardFigures(found.n, found.failures, *figures, found.effective)


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
    source = DocumentText(document.text, [Block(start, end) for start, end in document.blocks])
    measured = measure(
        source,
        first,
        second,
        sets=label_sets_of(corpus),
        distinguishable_labels=[label.name for label in corpus.labels.all()],
        failed=False,
    )
    return [compared.round.page_id, matrix(first, second, document.text), measured.figures]
