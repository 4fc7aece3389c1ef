"""What home shows each role."""

import re
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.administration.danger.actions import archive
from annotator.agreement.actions import request_comparison
from annotator.annotations import actions as annotating
from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.models import AssignmentMode
from annotator.corpora.access import CorpusAccess
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.models import Corpus, Label, User
from annotator.home.roles import annotator as annotator_home
from annotator.home.roles.adjudicator import main_dispute
from annotator.home.roles.researcher import moved
from annotator.home.summaries import summary_of
from annotator.pages.actions import add_page
from annotator.pages.feeds.models import FollowedFeed
from annotator.pages.models import Page
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardFigures
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.pages.imports.made import followed_feed
from tests.annotator.releases.made import release
from tests.annotator.scored import compare_annotations, give_gold, make_gold
from tests.annotator.scoring.standings import rows
from tests.factories import MakePage, annotate, change_design, make_user, span_of
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def home(client: Client, user: User) -> Response:
    client.force_login(user)
    answer = client.get(reverse("home"))
    assert answer.status_code == 200
    return answer


def summary(client: Client, user: User) -> Any:
    (only,) = home(client, user).context["summaries"]
    return only


def test_outsider_is_told_how_to_get_in(client: Client, cast: SimpleNamespace) -> None:
    answer = home(client, cast.dov)
    assert answer.context["summaries"] == []
    assert "invitation link" in answer.content.decode()


def test_annotator_sees_the_next_page(client: Client, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    found = summary(client, cast.ada).annotator
    assert (found.next_page, found.left, found.held) == (page, 1, None)
    assert annotating.claim_next(corpus=page.corpus, annotator=cast.ada).round.page == page


def test_annotator_sees_the_page_that_a_balanced_assignment_gives(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    done = make_page(url="https://one.example/1")
    make_page(url="https://one.example/2")
    other_site = make_page(url="https://two.example/1")
    change_design(corpus, who=AssignmentMode.BALANCED)
    annotate(done, cast.ada)
    assert summary(client, cast.ada).annotator.next_page == other_site
    assert annotating.claim_next(corpus=corpus, annotator=cast.ada).round.page == other_site


def test_home_says_how_long_the_next_page_is(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    blocks = len(make_page().documents.get().blocks)
    assert f"{blocks} blocks" in home(client, cast.ada).content.decode()


def test_adjudicator_is_told_how_much_is_in_dispute(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    annotate(page, cast.ben)
    finalise(page)
    assert "1 segment<" in home(client, cast.cleo).content.decode()


def test_annotator_is_led_back_to_the_page_in_progress(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotating.claim_on(page=page, annotator=cast.ada)
    found = summary(client, cast.ada).annotator
    assert found.held.round.page == page
    assert [own.state for own in found.last] == ["draft"]


def test_every_section_of_home_is_named_by_what_is_there(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    annotating.claim_on(page=make_page(), annotator=cast.ada)
    html = home(client, cast.ada).content.decode()
    named = {name for names in re.findall(r' aria-labelledby="([^"]+)"', html) for name in names.split()}
    assert named - set(re.findall(r' id="([^"]+)"', html)) == set()


def test_annotator_with_nothing_left_is_told_so(client: Client, cast: SimpleNamespace) -> None:
    assert "No pages yet" in home(client, cast.ada).content.decode()


def test_annotator_is_not_told_that_a_page_is_in_dispute(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    alone, disputed = make_page(), make_page()
    annotate(alone, cast.ada, [span_of(alone, "Bridge opens", "headline")])
    annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")])
    annotate(disputed, cast.ben)
    compare_annotations(disputed)
    assert [own.state for own in summary(client, cast.ada).annotator.last] == ["submitted", "submitted"]


def test_annotator_who_adjudicates_too_is_not_told_when_gold_is_made(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    cache.clear()
    grant_role(corpus=corpus, user=cast.ada, role="adjudicator")

    def shown(user: User) -> int:
        access = CorpusAccess.of(user, corpus.slug)
        assert access
        return summary_of(access).gold

    assert (shown(cast.ada), shown(cast.cleo)) == (0, 0)
    make_gold(make_page())
    assert (shown(cast.ada), shown(cast.cleo)) == (0, 1)


def test_annotator_sees_that_a_page_is_gold_and_own_marks_only(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    make_gold(page)
    (own,) = summary(client, cast.ada).annotator.last
    assert (own.state, own.marks, own.spans[0][2]) == ("gold", 1, "headline")


def test_skipped_page_is_not_among_recent_pages(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    slot = annotating.claim_next(corpus=page.corpus, annotator=cast.ada)
    annotating.skip(slot=slot, annotator=cast.ada)
    found = summary(client, cast.ada).annotator
    assert (found.last, found.next_page) == ([], None)


def test_annotator_who_returns_a_page_at_home_is_given_no_other(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    for _ in range(2):
        make_page()
    slot = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    client.force_login(cast.ada)
    answer = client.post(reverse("annotate-skip", args=[corpus.slug, slot.key]))
    assert answer.headers["Location"] == reverse("home")
    assert summary(client, cast.ada).annotator.held is None


def test_researcher_sees_the_best_extractor(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    give_gold(make_page())
    best = summary(client, cast.rhea).researcher.board.best
    assert best.title in home(client, cast.rhea).content.decode()


def test_researcher_sees_the_sites_on_which_annotators_differ(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    for site, differs in (("calm.example", False), ("hot.example", True)) * 2:
        page = make_page(url=f"https://{site}/{Page.objects.count()}")
        marks = [span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "body")]
        annotate(page, cast.ada, marks)
        annotate(page, cast.ben, marks[: 1 if differs else 2])
        compare_annotations(page)
    answer = home(client, cast.rhea)
    (spot,) = answer.context["summaries"][0].researcher.hot_spots
    assert (spot.site, spot.pages, 0 < spot.lowest <= spot.mean < 1) == ("hot.example", 2, True)
    assert "?by=site&amp;value=hot.example" in answer.content.decode()


def test_admin_is_led_to_pages_that_need_attention(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    type(page).objects.filter(pk=page.pk).update(error="too deep", refusal="too-deep")
    assert summary(client, cast.hanne).admin.failed == 1
    assert reverse("attention", args=[page.corpus.slug]) in home(client, cast.hanne).content.decode()


def test_superuser_sees_every_corpus_and_its_menu_leads_to_health(client: Client, corpus: Corpus) -> None:
    create_corpus(slug="weeklies")
    answer = home(client, make_user("root", is_superuser=True))
    assert [each.corpus.slug for each in answer.context["summaries"]] == ["dailies", "weeklies"]
    assert reverse("health") in answer.content.decode()


def test_one_button_is_the_next_thing_to_do(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_page()
    grant_role(corpus=corpus, user=cast.ada, role="adjudicator")
    assert home(client, cast.ada).content.decode().count("primary") == 1


def test_member_of_two_corpora_sees_both(client: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    other = create_corpus(slug="weeklies", name="Weeklies")
    grant_role(corpus=other, user=cast.ada, role="researcher")
    html = home(client, cast.ada).content.decode()
    assert "Weeklies" in html
    assert "Dailies" in html


@pytest.mark.parametrize("pages", [1, 3])
def test_query_count_of_an_annotators_home_is_fixed(
    client: Client,
    cast: SimpleNamespace,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make_page(), make_page()
    for _ in range(pages):
        annotate(make_page(), cast.ada)
    client.force_login(cast.ada)
    with django_assert_num_queries(31):
        client.get(reverse("home"))


@pytest.mark.parametrize("pages", [1, 3])
def test_query_count_of_the_other_homes_is_fixed(
    client: Client,
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(pages):
        disputed = make_page()
        annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")])
        annotate(disputed, cast.ben)
        finalise(disputed)
        give_gold(make_page())
    release(corpus)
    for person, queries in ((cast.cleo, 17), (cast.rhea, 17), (cast.hanne, 18)):
        home(client, person)  # the leaderboard is computed and stored
        with django_assert_num_queries(queries):
            client.get(reverse("home"))


# ---- many corpora ----


def weeklies(user: User, count: int, *, role: str) -> list[Corpus]:
    found = [create_corpus(slug=f"weekly-{n:02}", name=f"Weekly {n:02}") for n in range(count)]
    for each in found:
        grant_role(corpus=each, user=user, role=role)
    return found


def test_of_many_corpora_those_with_work_are_shown_in_full(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_page()
    weeklies(cast.ada, 5, role="annotator")
    context = home(client, cast.ada).context
    assert [each.corpus.slug for each in context["summaries"]] == ["dailies"]
    assert [each.access.corpus.slug for each in context["others"]] == [f"weekly-{n:02}" for n in range(5)]
    assert {each.gold for each in context["others"]} == {None}  # ada annotates there
    (chosen,) = client.get(reverse("home"), {"corpus": "weekly-03"}).context["summaries"]
    assert chosen.corpus.slug == "weekly-03"


def test_of_many_corpora_those_in_which_what_was_asked_for_has_failed_are_shown_in_full(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    for each in (corpus, *weeklies(cast.hanne, 5, role="admin")):
        add_page(corpus=each, raw=b"<p>A story.")
    assert home(client, cast.hanne).context["summaries"] == []
    feed = followed_feed(Corpus.objects.get(slug="weekly-03"), cast.hanne)
    FollowedFeed.objects.filter(pk=feed.pk).update(error="it is no feed")
    (shown,) = home(client, cast.hanne).context["summaries"]
    assert shown.corpus == feed.corpus


@pytest.mark.parametrize("count", [8, 30])
def test_query_count_does_not_grow_with_the_corpora(
    client: Client, cast: SimpleNamespace, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    weeklies(cast.hanne, count, role="admin")
    client.force_login(cast.hanne)
    client.get(reverse("home"))
    with django_assert_num_queries(51):
        context = client.get(reverse("home")).context
    assert (len(context["summaries"]), len(context["others"])) == (3, min(count - 2, 20))


def test_archived_corpus_offers_no_work(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_page()
    archive(corpus=corpus)
    answer = home(client, cast.ada)
    assert answer.context["summaries"] == []
    assert "Next page" not in answer.content.decode()
    (line,) = answer.context["others"]
    assert line.access.corpus == corpus


def test_admin_of_an_empty_corpus_is_led_to_importing(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_page()
    weekly = create_corpus(slug="weeklies", name="Weeklies")
    grant_role(corpus=weekly, user=cast.hanne, role="admin")
    answer = home(client, cast.hanne)
    assert answer.context["first"].corpus.slug == "weeklies"
    assert "Import pages <kbd>" in words(answer)


def test_queue_that_is_behind_is_marked(client: Client, cast: SimpleNamespace, make_page: MakePage) -> None:
    Page.objects.filter(pk=make_page(opened=False).pk).update(
        finished_at=None, heartbeat_at=None, requested_at=timezone.now() - timedelta(hours=7)
    )
    found = {str(each.title): each for each in summary(client, cast.hanne).admin.queues}
    assert [title for title, each in found.items() if each.is_behind] == ["Import"]


# ---- the annotator's own pages ----


def test_own_pages_say_the_year(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    annotate(make_page(), cast.ada)
    client.force_login(cast.ada)
    answer = client.get(reverse("own-pages", args=[corpus.slug]))
    assert re.search(r"\d \w+ \d{4} \d\d:\d\d,", words(answer))


def listed(client: Client, corpus: Corpus, query: str = "") -> list[str]:
    answer = client.get(reverse("own-pages-list", args=[corpus.slug]) + query)
    assert answer.status_code == 200
    return [own.page.url for own in answer.context["pages"]]


def test_all_own_pages_are_found_by_title_site_and_address(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    addresses = [f"https://{name}.example.org/1" for name in ("harbour", "valley", "north")]
    for address in addresses[:2]:
        annotate(make_page(url=address), cast.ada)
    annotate(make_page(url=addresses[2]), cast.ben)
    client.force_login(cast.ada)
    assert listed(client, corpus) == addresses[1::-1]
    assert listed(client, corpus, "?q=HARB") == addresses[:1]
    Page.objects.filter(url=addresses[1]).update(title="Élan")
    assert listed(client, corpus, "?q=elan") == addresses[1:2]
    Page.objects.filter(url=addresses[1]).update(title="Bridge opens")
    assert listed(client, corpus, "?q=bridge") == addresses[1::-1]
    assert listed(client, corpus, "?q=north") == []


def test_repeat_does_not_show_its_first_annotation(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    """Otherwise the list would tell a repeat, and what was marked the first time."""
    page = make_page()
    first = annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    again = Round.objects.create(page=page, purpose=Purpose.REPEAT, blind=True, draw=0)
    slot = Slot.objects.create(round=again, corpus=corpus, number=1, assigned_to=cast.ada)
    claim(slot, cast.ada)
    second = annotating.open_slot(slot=slot, annotator=cast.ada)
    shown = [own.annotation for own in summary(client, cast.ada).annotator.last]
    assert shown == [second]
    Round.objects.filter(pk=again.pk).update(finalised_at=timezone.now())
    assert {own.annotation for own in summary(client, cast.ada).annotator.last} == {first, second}


def claim(slot: Slot, annotator: User) -> None:
    now = timezone.now()
    Slot.objects.filter(pk=slot.pk).update(
        annotator=annotator, claimed_at=now, lease_until=now + timedelta(minutes=30)
    )
    slot.refresh_from_db()


def test_new_version_of_the_guideline_is_news(client: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    assert summary(client, cast.ada).annotator.news is None
    texts = {"en": corpus.guidelines.get().texts["en"].replace("A caption", "Any caption")}
    write_version(corpus=corpus, texts=texts, note="Captions", made_by=cast.hanne, based_on=1)
    assert summary(client, cast.ada).annotator.news.number == 2
    later = timezone.now() + annotator_home.NEWS + timedelta(days=1)
    with patch.object(timezone, "now", return_value=later):
        assert summary(client, cast.ada).annotator.news is None


# ---- while work is on its way ----


def test_empty_homes_say_what_is_on_its_way(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    Page.objects.filter(pk__in=[make_page(opened=False).pk for _ in range(2)]).update(finished_at=None)
    for who in (cast.ada, cast.hanne):
        assert "2 pages are being processed" in words(home(client, who))
    page = make_page()
    annotate(page, cast.ada)
    annotate(page, cast.ben)
    request_comparison(round_=page.rounds.get())
    assert "1 page is being compared" in words(home(client, cast.cleo))


def words(answer: Response) -> str:
    return " ".join(answer.content.decode().split())


def test_finished_corpus_says_that_all_pages_are_gold(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    """Also where nobody annotates, as in a corpus that was imported with its gold."""
    corpus.memberships.filter(role="annotator").delete()
    for _ in range(2):
        make_gold(make_page())
    shown = home(client, cast.hanne)
    assert "2 of 2 pages are gold" in words(shown)
    assert "No page needs attention." in words(shown)
    admin = shown.context["summaries"][0].admin
    assert (admin.pace.to_go, admin.needed, admin.troubles, admin.overloaded) == (0, 0, [], [])


# ---- the adjudicator's queue ----


def test_queue_names_the_main_dispute_and_hides_audits(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    disputed, agreed = make_page(), make_page()
    annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")])
    annotate(disputed, cast.ben)
    finalise(disputed)
    Corpus.objects.filter(pk=corpus.pk).update(audit_share=1)
    for person in (cast.ada, cast.ben):
        annotate(agreed, person, [span_of(agreed, "Bridge opens", "headline")])
    finalise(agreed)
    found = summary(client, cast.cleo).adjudicator
    (only,) = found.queue
    assert (only.adjudication.round.page, only.main, only.segments) == (disputed, [("Headline", 1), None], 1)
    assert found.waiting == 2


def test_queue_calls_labels_as_their_corpus_does(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    Label.objects.filter(corpus=corpus, name="headline").update(title="Titular")
    disputed = make_page()
    annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")])
    annotate(disputed, cast.ben)
    finalise(disputed)
    assert 'data-n="1">Titular</span>' in home(client, cast.cleo).content.decode()


@pytest.mark.parametrize(
    ("pieces", "main"),
    [
        ([], None),
        ([[(0, 5, ["body", None])], [(9, 12, ["body", "headline"])]], ("body", None)),
        ([[(0, 5, [None, "body"]), (5, 20, ["supplemental", "body"])]], ("body", "supplemental")),
        ([[(0, 5, ["body", "body"])]], None),
    ],
)
def test_main_dispute_is_the_one_over_most_characters(
    pieces: list[list[tuple[int, int, list[str | None]]]], main: object
) -> None:
    assert main_dispute(pieces) == main


# ---- what moved ----


def board_of(days: list[date], trend: list[float | None], value: float) -> Leaderboard:
    figures = LeaderboardFigures(n=40, failures=0, precision=1, recall=1, value=value, low=value, high=value)
    row = replace(rows([])[0], shown=figures, trend=trend)
    return Leaderboard("character", "main", "all", "macro", 40, [row], None, 0.0, days=days)


def test_change_is_since_the_end_of_yesterday() -> None:
    days = [date(2026, 11, day) for day in (10, 18, 20)]
    (found,) = moved(board_of(days, [0.7, 0.75, 0.8], 0.8), date(2026, 11, 20))
    assert (found.day, found.week) == (pytest.approx(0.05), pytest.approx(0.1))
    (found,) = moved(board_of(days, [0.7, 0.75, 0.8], 0.8), date(2026, 11, 21))
    assert found.day == 0
    (found,) = moved(board_of(days[2:], [0.8], 0.8), date(2026, 11, 20))
    assert (found.day, found.week) == (None, None)


@pytest.mark.usefixtures("at_noon")
def test_leaderboard_knows_the_scores_of_earlier_days(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    for _ in range(2):
        give_gold(make_page())
    board = summary(client, cast.rhea).researcher.board
    assert board.days == [timezone.localdate()]
    assert [row.trend for row in board.rows] == [[row.shown.value] for row in board.rows]
