"""The leaderboard of a corpus, its pages and the error view, from the database to the screen."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.common.errors import GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.queries import gold_weights
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.runs.models import Extraction, Extractor
from annotator.scoring.leaderboard import boards, page_scores, queries
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardRow
from annotator.scoring.totals.figures import single
from extraction.documents.document import Document
from extraction.extractors import BlockReason, registry
from extraction.metrics.pages import PageScore
from extraction.spans import Span
from tests.annotator.scored import compare_annotations, give_gold, in_language
from tests.annotator.weighted import half_done, marks_of
from tests.factories import MakePage, annotate, label_block

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def by_name(board: Leaderboard) -> dict[str, LeaderboardRow]:
    return {row.name: row for row in board.rows}


def test_leaderboard_is_computed_from_matrices(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    document = page.documents.get()
    start, end = document.blocks[-2]
    give_gold(page, [Span(start, end, "body")])
    row = by_name(boards.board(corpus, labels="body"))["everything"]
    everything = sum(not each.isspace() for each in document.text)
    gold = sum(not each.isspace() for each in document.text[start:end])
    assert row.shown.recall == 1.0
    assert row.shown.precision == pytest.approx(gold / everything)
    assert (row.shown.n, row.shown.low) == (1, None)


def test_leaderboard_scores_only_gold_that_distinguishes_the_labels(
    corpus: Corpus, make_page: MakePage
) -> None:
    give_gold(make_page(), distinguishable_labels=["body"])
    give_gold(make_page())
    assert boards.board(corpus, labels="body").pages == 2
    assert boards.board(corpus, labels="main").pages == 1


def test_default_label_set_is_what_most_gold_distinguishes(corpus: Corpus, make_page: MakePage) -> None:
    assert queries.chosen_labels(corpus) == "main"
    give_gold(make_page())
    assert queries.chosen_labels(corpus) == "main"
    give_gold(make_page(), distinguishable_labels=["body"])
    assert queries.chosen_labels(corpus) == "body"


def test_leaderboard_separates_blind_gold_by_family(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page(), exposed_families=["boilerpipe"])
    give_gold(make_page())
    rows = by_name(boards.board(corpus))
    assert (rows["tree-filter"].all_gold.n, rows["tree-filter"].blind.n) == (2, 1)
    assert (rows["everything"].all_gold.n, rows["everything"].blind.n) == (2, 2)


@pytest.mark.parametrize("labels", ["main", single("headline")])
def test_pages_of_blind_gold_are_listed_apart(corpus: Corpus, make_page: MakePage, labels: str) -> None:
    seen, blind = make_page(), make_page()
    give_gold(seen, exposed_families=["boilerpipe"])
    give_gold(blind)

    def listed(name: str, gold: str) -> tuple[list[int], int]:
        asked = corpus, extractor_of(name), LeaderboardFilters(gold=gold), labels
        return sorted(page_scores.worst_first(*asked)), page_scores.page_count(*asked)

    assert listed("tree-filter", "all") == listed("everything", "blind") == ([seen.pk, blind.pk], 2)
    assert listed("tree-filter", "blind") == ([blind.pk], 1)


def test_leaderboard_excludes_training_pages(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    extractor_of("everything").tuned_on_pages.create(sha256=page.sha256)
    give_gold(page)
    row = by_name(boards.board(corpus))["everything"]
    assert (row.shown.n, row.tuned_on) == (0, 1)


def test_leaderboard_counts_a_failed_extraction_as_an_empty_one(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    Extraction.objects.create(
        document=page.documents.get(),
        extractor=extractor_of("everything"),
        finished_at=timezone.now(),
        error="crash",
    )
    give_gold(page)
    row = by_name(boards.board(corpus))["everything"]
    assert (row.shown.n, row.shown.failures, row.summary.failures) == (1, 1, 1)
    assert (row.shown.precision, row.shown.recall) == (0.0, 0.0)


def test_leaderboard_scores_a_page_on_its_newest_gold_alone(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    give_gold(page)
    give_gold(page, [label_block(block) for block in page.documents.get().blocks])
    board = boards.board(corpus)
    row = by_name(board)["everything"]
    assert (board.pages, row.shown.n, row.shown.precision) == (1, 1, 1.0)


def test_leaderboard_does_not_score_pages_without_an_article(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page(), verdict="not_article")
    assert boards.board(corpus).rows == []


def test_human_agreement_is_computed_on_the_same_pages(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    first, second = (label_block(block) for block in page.documents.get().blocks[-3:-1])
    annotate(page, cast.ada, [first])
    annotate(page, cast.ben, [first, second])
    compare_annotations(page)
    assert boards.board(corpus).people is None
    give_gold(page, [first])
    text = page.documents.get().text
    one, both = (
        sum(not each.isspace() for span in spans for each in text[span.start : span.end])
        for spans in ([first], [first, second])
    )
    assert boards.board(corpus).people.value == pytest.approx(2 * one / (one + both))


@pytest.mark.parametrize("asked", [{"metric": "rouge-9"}, {"labels": "nonsense"}])
def test_leaderboard_refuses_unknown_metrics_and_label_sets(corpus: Corpus, asked: dict[str, Any]) -> None:
    with pytest.raises(GoldpanError):
        boards.board(corpus, **asked)


def test_version_moves_when_a_score_is_written(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    address = reverse("leaderboard-version", args=[corpus.slug])
    before = rhea.get(address).json()["version"]
    give_gold(make_page())
    assert rhea.get(address).json()["version"] != before


def test_table_is_a_part_of_the_screen(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    give_gold(make_page())
    html = rhea.get(reverse("leaderboard-table", args=[corpus.slug])).content.decode()
    assert "<html" not in html
    assert "boilerpipe-article" in html
    assert "style=" not in html


def extractor_of(name: str) -> Extractor:
    return Extractor.objects.get(name=name)


def test_pages_of_a_row_are_listed_worst_first(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    for blocks in (2, 3, 1):
        page = make_page()
        give_gold(page, [label_block(block) for block in page.documents.get().blocks[2 : 2 + blocks]])
    answer = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor_of("everything").pk]))
    figures = [row.score.f1 for row in answer.context["rows"]]
    assert figures == sorted(set(figures))
    assert len(figures) == 3


def test_pages_of_an_extractor_that_the_corpus_never_ran_are_not_found(corpus: Corpus, rhea: Client) -> None:
    other = Extractor.objects.create(name="other", version="1", family="other")
    assert rhea.get(reverse("leaderboard-pages", args=[corpus.slug, other.pk])).status_code == 404


def error_view_of(corpus: Corpus, name: str, page: Page) -> str:
    return reverse("error-view", args=[corpus.slug, extractor_of(name).pk, page.pk])


def test_error_view_shows_gold_and_extraction_of_one_page(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    page = make_page()
    gold = give_gold(page)
    payload = rhea.get(error_view_of(corpus, "everything", page)).context["payload"]
    assert payload["gold"] == [span[:3] for span in gold.spans]
    assert payload["extraction"]
    assert {other["name"] for other in payload["others"]} >= {"everything", "boilerpipe-article"}
    assert payload["scores"]["recall"] == 1.0
    assert json.loads(json.dumps(payload)) == payload


def test_error_view_says_that_an_explanation_failed(
    corpus: Corpus, rhea: Client, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(document: Document, **parameters: object) -> list[BlockReason]:
        raise ZeroDivisionError

    good, bad = make_page(), make_page()
    give_gold(good)
    monkeypatch.setitem(registry.REGISTRY, "goldpan", replace(registry.get("goldpan"), explain=stumble))
    give_gold(bad)
    message = "The extractor could not explain its result: ZeroDivisionError."
    assert message not in rhea.get(error_view_of(corpus, "goldpan", good)).content.decode()
    answer = rhea.get(error_view_of(corpus, "goldpan", bad))
    assert message in answer.content.decode()
    assert answer.context["payload"]["extraction"]


def test_error_view_falls_back_to_labels_that_the_gold_distinguishes(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    page = make_page()
    give_gold(page, distinguishable_labels=["body"])
    payload = rhea.get(error_view_of(corpus, "everything", page) + "?labels=any").context["payload"]
    assert (payload["label_set"], payload["set_labels"]) == ("body", ["body"])


def test_error_view_shows_the_single_label_by_which_its_page_is_listed(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    page = make_page()
    first, second, *_others = page.documents.get().blocks
    give_gold(page, [label_block(first, "headline"), label_block(second, "body")])
    label = "?labels=label%3Aheadline"
    extractor = extractor_of("everything")
    listed = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor.pk]) + label)
    (row,) = listed.context["rows"]
    answer = rhea.get(error_view_of(corpus, "everything", page) + label)
    payload = answer.context["payload"]
    assert (payload["label_set"], payload["set_labels"]) == ("label:headline", ["headline"])
    assert payload["scores"]["f1"] == row.score.f1
    assert payload["urls"]["shrink"] is None
    assert {error["kind"] for error in payload["errors"]} == {"wrong"}
    assert sum(error["end"] - error["start"] for error in payload["errors"]) > second[1] - second[0]


def test_error_view_shows_the_document_of_the_gold(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    page = make_page()
    give_gold(page)
    answer = rhea.get(
        reverse("error-view-document", args=[corpus.slug, extractor_of("everything").pk, page.pk])
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "private" in answer.headers["Cache-Control"]


def test_error_view_of_a_page_of_another_corpus_is_not_found(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    page = make_page()
    give_gold(page)
    address = error_view_of(corpus, "everything", page)
    other = create_corpus(slug="other")
    type(page).objects.filter(pk=page.pk).update(corpus=other)
    assert rhea.get(address).status_code == 404
    assert rhea.get(address + "view.json").status_code == 404


def test_gold_that_distinguishes_two_labels_only_together_counts_on_their_set(
    corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    give_gold(page, distinguishable_labels=["body+headline"])
    assert queries.scored_gold(corpus, "main").count() == 1
    assert queries.scored_gold(corpus, "body").count() == 0
    assert queries.chosen_labels(corpus) == "main"
    assert page_scores.label_sets_of_page(corpus, page.pk) == ["main"]


def test_macro_averages_are_weighted_by_inclusion_probability(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    pages, weights = half_done(corpus, cast, make_page)
    assert weights[1] / weights[0] > 1.5
    for page, blocks in zip(pages, (1, 3), strict=True):
        give_gold(page, marks_of(page)[:blocks])
    row = by_name(boards.board(corpus, labels="body"))["everything"]
    shares = [score.precision for score in scores_of(corpus, pages)]
    expected = sum(w * share for w, share in zip(weights, shares, strict=True)) / sum(weights)
    assert row.shown.precision == pytest.approx(expected)
    assert abs(row.shown.precision - sum(shares) / 2) > 0.01
    assert row.shown.effective == pytest.approx(sum(weights) ** 2 / sum(w * w for w in weights))
    text = rhea.get(reverse("leaderboard", args=[corpus.slug])).content.decode()
    assert "weighted by inclusion probability" in text
    # Imported gold is not weighted.
    spans = [(*span, "imported") for span in marks_of(pages[1])]
    add_gold(document=pages[1].documents.get(), verdict="article", spans=spans, source="imported")
    assert gold_weights(corpus) == {pages[0].pk: weights[0]}


def scores_of(corpus: Corpus, pages: list[Page]) -> list[PageScore]:
    extractor = Extractor.objects.get(name="everything")
    rows = page_scores.page_rows(corpus, extractor, [page.pk for page in pages], labels="body")
    found = {row.page_id: row.score for row in rows}
    return [found[page.pk] for page in pages]


@pytest.mark.usefixtures("at_noon")
def test_slices_combine_in_an_address(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    """Every dimension can be chosen beside the others, and leads to its pages."""
    pages = [in_language(make_page(url=f"https://{n % 2}.example/{n}"), "es") for n in range(4)]
    for page in pages[:3]:
        give_gold(page)
    give_gold(in_language(make_page(url="https://0.example/en"), "en"), verdict="several")
    of = f"?of=language:es&of=site:{pages[0].site}&of=month:{pages[0].added_at:%Y-%m}&of=verdict:article"
    of += "&of=guideline:&of=page:7"  # the second is no slice
    shown = rhea.get(reverse("leaderboard", args=[corpus.slug]) + of)
    assert (shown.context["board"].pages, len(shown.context["board"].rows)) == (2, 6)
    assert {choice.title for choice in shown.context["slices"]} >= {"Language", "Site", "Page type"}
    assert all(row.shown.n == 2 for row in shown.context["board"].rows)
    assert "Combined slices have no totals" in " ".join(shown.content.decode().split())
    everything = extractor_of("everything")
    rows = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, everything.pk]) + of)
    assert {row.page_id for row in rows.context["rows"]} == {pages[0].pk, pages[2].pk}
    assert rows.context["count"] == 2
    one = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?of=language:es").context["board"]
    assert one.pages == 3
