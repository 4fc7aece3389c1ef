"""What exported figures say of themselves: live or a release, when, a digest that anybody can recompute."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import boards
from annotator.scoring.leaderboard.citation import cite
from annotator.scoring.leaderboard.drawings import figure_of
from annotator.scoring.leaderboard.leaderboard import to_json
from annotator.scoring.models import StoredLeaderboard
from annotator.scoring.totals.slices import Selection
from tests.annotator.scored import give_gold
from tests.annotator.scoring.leaderboard.cited import assert_digest_is_of
from tests.factories import MakePage

FILES = "leaderboard-csv", "leaderboard-json"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def test_files_say_what_they_are_and_their_digest_can_be_recomputed(
    corpus: Corpus, make_page: MakePage, rhea: Client
) -> None:
    give_gold(make_page())
    exported = rhea.get(reverse("leaderboard-json", args=[corpus.slug])).json()
    assert_digest_is_of(exported)
    computed_at = StoredLeaderboard.objects.get().computed_at
    assert computed_at
    assert exported["computed_at"] == f"{computed_at:%Y-%m-%dT%H:%M:%SZ}"
    assert (exported["corpus"], exported["source"]) == ("dailies", "live")
    rows = rhea.get(reverse("leaderboard-csv", args=[corpus.slug])).content.decode()
    assert {line["sha256"] for line in csv.DictReader(io.StringIO(rows))} == {exported["sha256"]}
    shown = rhea.get(reverse("leaderboard", args=[corpus.slug])).content.decode()
    assert shown.count(exported["cite"]) == 2  # in the drawing, and to be copied
    give_gold(make_page())
    again = rhea.get(reverse("leaderboard-json", args=[corpus.slug])).json()
    assert again["sha256"] != exported["sha256"]


def test_figures_of_some_gold_or_pages_are_cited_as_such(
    corpus: Corpus, make_page: MakePage, rhea: Client
) -> None:
    give_gold(make_page())
    address = reverse("leaderboard-json", args=[corpus.slug])
    exported = rhea.get(f"{address}?gold=blind&mean=micro&pages=common").json()
    assert "gold pages, blind gold, micro average, common pages, SHA-256" in exported["cite"]


def test_files_say_of_which_gold_and_pages_they_are(
    corpus: Corpus, make_page: MakePage, rhea: Client
) -> None:
    page = make_page()
    give_gold(page)
    of = f"site:{page.site}"
    for gold, pages, slice_ in [("all", "own", ""), ("blind", "common", of)]:
        asked = f"?gold={gold}&pages={pages}&of={slice_}"
        files = [rhea.get(reverse(name, args=[corpus.slug]) + asked) for name in FILES]
        rows = list(csv.DictReader(io.StringIO(files[0].content.decode())))
        assert rows
        for each in (*rows, files[1].json()):
            assert (each["gold"], each["page_set"], each["of"]) == (gold, pages, slice_)


def test_a_release_is_cited_by_its_number(corpus: Corpus, make_page: MakePage) -> None:
    gold = give_gold(make_page())
    board = boards.board(corpus)
    of = Selection.parse("language:es,release:3")
    cited = cite(corpus, to_json(board), "F1", computed_at=gold.finalised_at, of=of)
    assert cited.source == "release 3"
    assert "Dailies (release 3, " in cited.line
    assert "F1, language es, SHA-256" in cited.line


@pytest.mark.parametrize("number", ["²", "9" * 5_000])
def test_what_is_no_release_is_cited_as_live(corpus: Corpus, number: str) -> None:
    of = Selection.parse(f"release:{number}")
    assert cite(corpus, {}, "F1", computed_at=timezone.now(), of=of).source == "live"


def test_the_drawing_has_a_row_for_each_extractor(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    board = boards.board(corpus)
    figure = figure_of(board)
    assert [row.value for row in figure.rows] == [row.shown.value for row in board.rows]
    assert all(row.x is None or figure.left <= float(row.x) <= figure.right for row in figure.rows)
    assert len({row.y for row in figure.rows}) == len(board.rows)
    assert figure.rows[-1].y < figure.bottom < figure.note < figure.height
