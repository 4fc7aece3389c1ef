from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.utils import timezone

from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora import actions, queries
from annotator.corpora.models import Corpus, Invitation, Membership, User
from extraction.spans import LABELS
from tests.annotator.annotations.waiting import Meanwhile
from tests.factories import PASSWORD, make_user


def test_create_corpus_numbers_the_default_labels(db: None) -> None:
    corpus = actions.create_corpus(slug="weeklies", languages=["ES"])
    assert list(corpus.labels.values_list("number", "name")) == list(enumerate(LABELS, start=1))
    assert (corpus.name, corpus.languages) == ("weeklies", ["es"])


def test_grant_role_twice_is_once(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.grant_role(corpus=corpus, user=cast.ada, role="annotator")
    assert Membership.objects.filter(corpus=corpus, user=cast.ada, ended_at=None).count() == 1


@pytest.mark.parametrize("role", ["researcher", "admin"])
def test_annotator_is_not_given_a_role_that_sees_marks(
    corpus: Corpus, cast: SimpleNamespace, role: str
) -> None:
    with pytest.raises(Conflict):
        actions.grant_role(corpus=corpus, user=cast.ada, role=role)
    assert queries.roles_of(cast.ada, corpus) == {"annotator"}


def test_researcher_never_becomes_annotator_even_after_leaving(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.leave(corpus=corpus, user=cast.rhea)
    with pytest.raises(Conflict):
        actions.grant_role(corpus=corpus, user=cast.rhea, role="annotator")


def test_change_roles_swaps_roles_that_do_not_go_together(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.change_roles(corpus=corpus, user=cast.ada, roles=["researcher"])
    assert queries.roles_of(cast.ada, corpus) == {"researcher"}


def test_change_roles_needs_at_least_one(corpus: Corpus, cast: SimpleNamespace) -> None:
    with pytest.raises(GoldpanError):
        actions.change_roles(corpus=corpus, user=cast.ada, roles=[])


def test_last_admin_cannot_leave_or_lose_the_role(corpus: Corpus, cast: SimpleNamespace) -> None:
    with pytest.raises(Conflict):
        actions.leave(corpus=corpus, user=cast.hanne)
    with pytest.raises(Conflict):
        actions.change_roles(corpus=corpus, user=cast.hanne, roles=["researcher"])
    assert queries.roles_of(cast.hanne, corpus) == {"admin"}


def test_admin_may_leave_when_there_is_another(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.grant_role(corpus=corpus, user=cast.rhea, role="admin")
    actions.leave(corpus=corpus, user=cast.hanne)
    assert queries.roles_of(cast.hanne, corpus) == set()


def test_leaving_keeps_the_membership_as_history(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.leave(corpus=corpus, user=cast.ada)
    (membership,) = Membership.objects.filter(corpus=corpus, user=cast.ada)
    assert membership.ended_at is not None


def test_invitations_of_an_admin_who_leaves_are_closed(corpus: Corpus, cast: SimpleNamespace) -> None:
    actions.grant_role(corpus=corpus, user=cast.rhea, role="admin")
    _, token = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    actions.leave(corpus=corpus, user=cast.hanne)
    assert queries.invitation_of(token) is None


def test_invitation_keeps_only_the_digest_of_its_token(corpus: Corpus, cast: SimpleNamespace) -> None:
    invitation, token = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    assert token not in str(Invitation.objects.filter(pk=invitation.pk).values().get())


def test_revoked_invitation_does_not_work(corpus: Corpus, cast: SimpleNamespace) -> None:
    invitation, _ = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    actions.revoke(invitation=invitation)
    with pytest.raises(Gone):
        actions.accept(invitation=invitation, user=cast.dov)
    with pytest.raises(Conflict):
        actions.revoke(invitation=invitation)


def test_invitation_expires(corpus: Corpus, cast: SimpleNamespace) -> None:
    invitation, _ = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Gone):
        actions.accept(invitation=invitation, user=cast.dov)


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_at_once_with_one_invitation_the_second_finds_it_used(corpus: Corpus) -> None:
    """As a double click sends them, with the same username."""
    _, token = actions.invite(corpus=corpus, roles=["annotator"], made_by=make_user("hanne"))

    def sign_up() -> User:
        return actions.sign_up(token=token, username="fay", full_name="Fay Wu", password=PASSWORD)

    with transaction.atomic():
        first = sign_up()
        second = Meanwhile(sign_up)
        assert second.waits()
    with pytest.raises(Gone):
        second.result()
    assert User.objects.get(username="fay") == first


@pytest.mark.parametrize("roles", [[], ["annotator", "admin"], ["emperor"]])
def test_invite_refuses_roles_that_cannot_be(corpus: Corpus, cast: SimpleNamespace, roles: list[str]) -> None:
    with pytest.raises(GoldpanError):
        actions.invite(corpus=corpus, roles=roles, made_by=cast.hanne)


def test_admin_cannot_reset_the_password_of_members_of_other_corpora(
    corpus: Corpus, cast: SimpleNamespace
) -> None:
    assert queries.may_reset_password(cast.hanne, cast.ada)
    other = actions.create_corpus(slug="weeklies")
    actions.grant_role(corpus=other, user=cast.ada, role="annotator")
    assert not queries.may_reset_password(cast.hanne, cast.ada)
    actions.grant_role(corpus=other, user=cast.hanne, role="admin")
    assert queries.may_reset_password(cast.hanne, cast.ada)


def test_only_a_site_admin_resets_the_password_of_one(corpus: Corpus, cast: SimpleNamespace) -> None:
    root = make_user("root", is_superuser=True)
    actions.grant_role(corpus=corpus, user=root, role="researcher")
    assert not queries.may_reset_password(cast.hanne, root)
    assert queries.may_reset_password(root, cast.hanne)


def test_a_sites_admin_cannot_become_annotator(corpus: Corpus) -> None:
    """A site admin has read access to every corpus."""
    root = make_user("root", is_superuser=True)
    with pytest.raises(Conflict, match="can't be researchers or admins"):
        actions.grant_role(corpus=corpus, user=root, role="annotator")
