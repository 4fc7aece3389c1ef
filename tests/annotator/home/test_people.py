"""The people of a corpus, as their admin sees and changes them."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Slot
from annotator.corpora.access import CorpusAccess
from annotator.corpora.actions import create_corpus, end_role, grant_role, invite
from annotator.corpora.models import Corpus, Membership, User
from annotator.corpora.queries import roles_of
from tests.factories import MakePage, make_user
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def post(client: Client, name: str, corpus: Corpus, *args: int, **form: Any) -> Response:
    return client.post(reverse(name, args=[corpus.slug, *args]), form)


def link_in(answer: Response) -> str:
    (link,) = re.findall(r'id="link"[^>]*value="http://testserver([^"]+)"', answer.content.decode())
    return link


def test_invitation_link_is_shown_once_and_lets_somebody_in(corpus: Corpus, hanne: Client) -> None:
    answer = post(hanne, "invite", corpus, roles=["adjudicator"], note="Fay")
    assert Client().get(link_in(answer)).status_code == 200
    later = hanne.get(reverse("people", args=[corpus.slug])).content.decode()
    assert 'id="link"' not in later
    assert "Fay" in later


def test_invitation_for_roles_that_do_not_go_together_is_refused(corpus: Corpus, hanne: Client) -> None:
    answer = post(hanne, "invite", corpus, roles=["annotator", "researcher"])
    assert answer.status_code == 422
    assert "can&#x27;t be researchers" in answer.content.decode()


def test_invitation_of_another_corpus_cannot_be_revoked(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    other = create_corpus(slug="weeklies", creator=cast.dov)
    theirs, _ = invite(corpus=other, roles=["admin"], made_by=cast.dov)
    assert post(hanne, "invitation-revoke", corpus, theirs.pk).status_code == 404


def test_roles_are_changed(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    post(hanne, "roles-change", corpus, cast.cleo.pk, roles=["adjudicator", "researcher"])
    assert roles_of(cast.cleo, corpus) == {"adjudicator", "researcher"}


def test_people_and_corpora_are_listed_without_regard_to_case_and_accents(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    names = ["Álvaro", "azucena", "Çağla", "Zoé"]
    for number, name in enumerate(reversed(names)):
        user = make_user(f"new{number}", first_name=name)
        grant_role(corpus=corpus, user=user, role="researcher")
        grant_role(corpus=create_corpus(slug=f"new-{number}", name=name), user=cast.hanne, role="admin")
    answer = hanne.get(reverse("people", args=[corpus.slug]))
    people = [str(member.user) for member in answer.context["members"]]
    assert [name for name in people if name in names] == names
    corpora = [access.corpus.name for access in CorpusAccess.all_of(cast.hanne)]
    assert [name for name in corpora if name in names] == names


def test_an_old_screen_gives_back_no_role_that_was_ended_meanwhile(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    grant_role(corpus=corpus, user=cast.rhea, role="admin")
    screen = hanne.get(reverse("people", args=[corpus.slug])).content.decode()
    address = reverse("roles-change", args=[corpus.slug, cast.rhea.pk])
    (old,) = re.findall(
        rf'<form class="row" method="post" action="{address}">(.*?)</form>', screen, re.DOTALL
    )
    sent = {
        "held": re.findall(r'name="held" value="(\w+)"', old),
        "roles": [*re.findall(r'value="(\w+)" checked', old), "adjudicator"],
    }
    end_role(corpus=corpus, user=cast.rhea, role="admin")
    answer = hanne.post(address, sent, follow=True)
    assert "Somebody else has changed the roles" in answer.content.decode()
    assert roles_of(cast.rhea, corpus) == {"researcher"}
    hanne.post(address, {**sent, "held": ["researcher"], "roles": ["researcher", "adjudicator"]})
    assert roles_of(cast.rhea, corpus) == {"researcher", "adjudicator"}


def test_refused_change_shows_a_message(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    answer = hanne.post(
        reverse("roles-change", args=[corpus.slug, cast.hanne.pk]), {"roles": ["researcher"]}, follow=True
    )
    assert "last admin" in answer.content.decode()
    assert roles_of(cast.hanne, corpus) == {"admin"}


def test_invitation_without_a_note_is_not_called_by_whoever_made_it(corpus: Corpus, hanne: Client) -> None:
    post(hanne, "invite", corpus, roles=["adjudicator"])
    shown = " ".join(hanne.get(reverse("people", args=[corpus.slug])).content.decode().split())
    assert '<li><span><span class="soft">No note</span></span>' in shown
    assert 'Revoke<span class="sr">: adjudicator</span>' in shown


def test_nobody_is_left_without_a_role(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    answer = hanne.post(reverse("roles-change", args=[corpus.slug, cast.ada.pk]), follow=True)
    assert "Select at least one role." in answer.content.decode()
    assert roles_of(cast.ada, corpus) == {"annotator"}


def test_outsider_cannot_be_given_a_role_by_address(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    assert post(hanne, "roles-change", corpus, cast.dov.pk, roles=["admin"]).status_code == 404
    assert roles_of(cast.dov, corpus) == set()


def test_removal_frees_slots_and_keeps_drafts(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    slot = annotating.claim_on(page=make_page(), annotator=cast.ada)
    post(hanne, "member-leave", corpus, cast.ada.pk)
    assert Slot.objects.get(pk=slot.pk).annotator is None
    assert Annotation.objects.filter(annotator=cast.ada).exists()
    assert roles_of(cast.ada, corpus) == set()
    assert User.objects.get(pk=cast.ada.pk).is_active


def test_losing_the_role_of_annotator_frees_slots(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    make_page()
    slot = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    post(hanne, "roles-change", corpus, cast.ada.pk, roles=["researcher"])
    assert Slot.objects.get(pk=slot.pk).annotator is None


def test_keeping_the_role_of_annotator_keeps_slots(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    make_page()
    slot = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    post(hanne, "roles-change", corpus, cast.ada.pk, roles=["annotator", "adjudicator"])
    assert Slot.objects.get(pk=slot.pk).annotator == cast.ada


def test_removed_member_loses_access_at_once(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    rhea = Client()
    rhea.force_login(cast.rhea)
    assert rhea.get(reverse("leaderboard", args=[corpus.slug])).status_code == 200
    post(hanne, "member-leave", corpus, cast.rhea.pk)
    assert rhea.get(reverse("leaderboard", args=[corpus.slug])).status_code == 404


def test_password_link_opens_a_form(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    answer = post(hanne, "password-reset", corpus, cast.ada.pk)
    assert Client().get(link_in(answer)).status_code == 200


def test_password_of_the_sites_admin_is_not_reset_by_a_corpus_admin(corpus: Corpus, hanne: Client) -> None:
    root = make_user("root", is_superuser=True)
    grant_role(corpus=corpus, user=root, role="researcher")
    answer = post(hanne, "password-reset", corpus, root.pk)
    assert answer.status_code == 302
    assert 'id="link"' not in answer.content.decode()


@pytest.mark.parametrize("more", [1, 3])
def test_query_count_of_people_is_fixed(
    corpus: Corpus,
    cast: SimpleNamespace,
    hanne: Client,
    more: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(more):
        grant_role(corpus=corpus, user=make_user(f"more{number}"), role="annotator")
        invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    with django_assert_num_queries(6):
        hanne.get(reverse("people", args=[corpus.slug]))
    assert Membership.objects.filter(corpus=corpus).count() == 5 + more
