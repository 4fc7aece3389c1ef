"""Pages with gold and scores, for the tests of what is shown of them."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

from annotator.agreement.actions import compare, request_comparison
from annotator.agreement.models import Agreement
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from annotator.scoring.actions import pairs_of_gold, request_scores, score
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.analyses import request_analysis
from annotator.scoring.models import AnalysisKind, CountedScore
from annotator.scoring.queries import scores_to_compute
from annotator.scoring.tasks import analyse
from annotator.scoring.totals.counting import count_some
from annotator.scoring.totals.figures import Kind
from extraction.spans import LABELS, Span
from tests.factories import MakePage, extract_all, label_block


def make_gold(
    page: Page,
    spans: Iterable[Span] = (),
    *,
    verdict: str = "article",
    exposed_families: Iterable[str] = (),
    distinguishable_labels: Iterable[str] | None = LABELS,
) -> Gold:
    """Gold without scores; by default the last paragraph is body."""
    document = page.documents.latest("made_at")
    spans = list(spans) or [label_block(document.blocks[-2])]
    return add_gold(
        document=document,
        verdict=verdict,
        spans=[(*span, "unanimous") for span in spans],
        source="unanimous",
        exposed_families=exposed_families,
        distinguishable_labels=distinguishable_labels,
    )


def give_gold(page: Page, spans: Iterable[Span] = (), **more: Any) -> Gold:
    """Such gold, and every enabled extractor scored against it."""
    gold = make_gold(page, spans, **more)
    extract_all(page)
    score_all(gold)
    while count_some(page.corpus):
        pass
    return gold


def tuned_and_other(extractor: Extractor, make_page: MakePage) -> tuple[Page, Page]:
    """A page that the extractor was tuned on and one that it was not, both with gold."""
    tuned, other = (make_page(url=f"https://{site}.example/1") for site in ("daily", "weekly"))
    # The other is a near duplicate, which would be training data too.
    Page.objects.update(cluster=None)
    extractor.tuned_on_pages.create(sha256=tuned.sha256)
    for page in (tuned, other):
        give_gold(page)
    return tuned, other


def score_all(gold: Gold) -> None:
    """Every extraction of its document, scored against it as a worker does."""
    wanted = {row.pk for row in request_scores(pairs_of_gold(gold))}
    attempted = work.attempt_each(scores_to_compute(wanted), score)
    assert {row.pk for row, is_done in attempted if is_done} == wanted


def counted_apart(corpus: Corpus) -> dict[str, set[int]]:
    """The pages that count in no figure of an extractor, by its name: it was trained or tuned on them."""
    while count_some(corpus):
        pass
    found: dict[str, set[int]] = {}
    rows = CountedScore.objects.filter(corpus=corpus.pk, extractor__isnull=False)
    for name, page, kind in rows.values_list("extractor__name", "page", "kind"):
        of_extractor = found.setdefault(name, set())
        if Kind.TUNED in Kind(kind):
            of_extractor.add(page)
    return found


def in_language(page: Page, language: str) -> Page:
    """The page, as if it had been found to be in that language."""
    Page.objects.filter(pk=page.pk).update(language=language)
    page.refresh_from_db()
    return page


def compare_annotations(page: Page) -> Agreement:
    """The comparison of a page on which all have submitted."""
    requested = request_comparison(round_=page.rounds.get())
    assert requested
    claimed = work.claim(Agreement, requested.pk)
    assert claimed
    compare(claimed)
    return Agreement.objects.get(pk=requested.pk)


def compare_extractors(corpus: Corpus) -> str:
    """The address of a comparison of two extractors, made by a worker with the tests of all pairs."""
    first, second = queries.scored_extractors(corpus)[:2]
    common = {"labels": queries.chosen_labels(corpus), "gold": "all", "metric": "character", "of": ""}
    two = {**common, "first": str(first.pk), "second": str(second.pk), "mean": "macro"}
    for name, filters in ((AnalysisKind.PAIR, two), (AnalysisKind.PAIRS, common)):
        analysis, _is_asked = request_analysis(corpus=corpus, name=name, filters=filters)
        analyse(analysis.pk)
    return reverse("leaderboard-compare", args=[corpus.slug])
