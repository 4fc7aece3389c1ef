"""What home shows each role."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.annotations import actions as annotating
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.scored import compare_annotations, give_gold
from tests.factories import MakePage, annotate, make_user, span_of

pytestmark = pytest.mark.django_db


def home(client: Client, user: object) -> object:
    client.force_login(user)
    answer = client.get(reverse("home"))
    assert answer.status_code == 200
    return answer


def summary(client: Client, user: object) -> object:
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


def test_annotator_sees_that_a_page_is_gold_and_own_marks_only(
    client: Client, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    give_gold(page)
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


def test_researcher_sees_the_best_extractor(
    client: Client, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    give_gold(make_page())
    best = summary(client, cast.rhea).researcher.board.best
    assert best.title in home(client, cast.rhea).content.decode()


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
    django_assert_num_queries: object,
) -> None:
    make_page(), make_page()
    for _ in range(pages):
        annotate(make_page(), cast.ada)
    client.force_login(cast.ada)
    with django_assert_num_queries(25):
        client.get(reverse("home"))
