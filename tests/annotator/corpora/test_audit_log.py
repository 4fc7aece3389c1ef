"""The audit log: what admins, sign-ins and commands leave in it, and who reads it."""

import csv
import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from types import SimpleNamespace
from typing import Any, NamedTuple

import pgtrigger
import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.transaction import TransactionManagementError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.common.errors import Conflict
from annotator.corpora.actions import accept, create_corpus, end_role, grant_role, invite
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction, AuditEvent, AuditSource
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import PASSWORD, MakePage, SignedIn, annotate, make_user, span_of

pytestmark = pytest.mark.django_db


class Deed(NamedTuple):
    """A form that an admin sends, and the event that it leaves."""

    route: str
    form: dict[str, str]
    item: str = ""
    is_about_ben: bool = False
    of: str = ""  # what the address names besides the corpus


DEEDS: dict[AuditAction, Callable[[Page], Deed]] = {
    AuditAction.INVITATION_CREATED: lambda page: Deed("invite", {"roles": "adjudicator"}, item="*"),
    AuditAction.ROLE_GRANTED: lambda page: Deed(
        "roles-change", {"roles": "adjudicator"}, "adjudicator", is_about_ben=True, of="ben"
    ),
    AuditAction.ROLE_ENDED: lambda page: Deed("member-leave", {}, "annotator", is_about_ben=True, of="ben"),
    AuditAction.PASSWORD_LINK_CREATED: lambda page: Deed("password-reset", {}, is_about_ben=True, of="ben"),
    AuditAction.AUDIT_SHARE_CHANGED: lambda page: Deed("audit-share", {"percent": "10"}),
    AuditAction.GOLD_REOPENED: lambda page: Deed(
        "gold-reopen", {"version": "1", "why": "Bridge opens"}, page.sha256, of="page"
    ),
    AuditAction.RELEASE_REQUESTED: lambda page: Deed("release-create", {"note": "Bridge opens"}, "1"),
    AuditAction.RELEASE_TERMS_CHANGED: lambda page: Deed("release-terms", {"licence": "CC0"}),
    AuditAction.EXPORT_REQUESTED: lambda page: Deed("export-request", {"format": "jsonl"}, item="*"),
    AuditAction.PAGE_TAKEN_DOWN: lambda page: Deed(
        "take-down",
        {"digest": page.sha256, "reason": "Bridge opens", "typed_name": page.corpus.name},
        page.sha256,
    ),
}


@pytest.fixture
def page(cast: SimpleNamespace, make_page: MakePage) -> Page:
    """A page with gold on which ada and ben agree."""
    made = make_page()
    for person in (cast.ada, cast.ben):
        annotate(made, person, [span_of(made, "Bridge opens", "headline")])
    finalise(made)
    return made


@pytest.fixture
def ada(db: None) -> None:
    make_user("ada", password=PASSWORD)


def log(action: AuditAction) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action))


def test_what_an_admin_does_is_logged_with_their_name(
    corpus: Corpus, cast: SimpleNamespace, page: Page, client: Client
) -> None:
    client.force_login(cast.hanne)
    for action, deed_on in DEEDS.items():
        with transaction.atomic():
            _is_logged(action, deed_on(page), page, cast, client)
            transaction.set_rollback(True)


def _is_logged(action: AuditAction, deed: Deed, page: Page, cast: SimpleNamespace, client: Client) -> None:
    keys = {"ben": [cast.ben.pk], "page": [page.pk], "": []}
    before = AuditEvent.objects.latest("pk").pk
    answer = client.post(reverse(deed.route, args=[page.corpus.slug, *keys[deed.of]]), deed.form)
    assert answer.status_code in (200, 302), action
    events = AuditEvent.objects.filter(pk__gt=before)
    event = events.get(action=action)
    assert (event.person, event.corpus, event.source) == (cast.hanne, page.corpus, AuditSource.WEB), action
    assert event.address == "127.0.0.1", action
    assert event.about == (cast.ben if deed.is_about_ben else None), action
    assert event.item == deed.item or deed.item == "*", action
    written = json.dumps(list(events.values_list("item", "changes")))
    assert "Bridge" not in written, f"{action}: nothing that is on a page, or said of it"
    if answer.status_code == 200:
        (token,) = (
            part for part in answer.content.decode().split('"') if part.startswith("http://testserver/")
        )
        assert token.rstrip("/").rpartition("/")[2] not in written, f"{action}: no link that opens anything"


def test_signing_in_and_out_is_logged_and_no_password_is(client: Client, ada: None) -> None:
    for name, password in (("ada", "wrong-word"), ("a-password", "wrong-word"), ("ada", PASSWORD)):
        client.post(reverse("sign-in"), {"username": name, "password": password})
    client.post(reverse("sign-out"))
    events = AuditEvent.objects.order_by("pk")
    assert [(event.action, str(event.person), str(event.about)) for event in events] == [
        ("sign_in_failed", "None", "Ada"),
        ("sign_in_failed", "None", "None"),
        ("signed_in", "Ada", "None"),
        ("signed_out", "Ada", "None"),
    ]
    assert not [event for event in events if event.item or event.changes]


def test_attempts_during_a_lockout_do_not_fill_the_log(client: Client, ada: None) -> None:
    for _ in range(8):
        client.post(reverse("sign-in"), {"username": "ada", "password": "wrong"})
    assert len(log(AuditAction.SIGN_IN_FAILED)) == 5


def test_a_command_is_logged_as_such(corpus: Corpus, make_page: MakePage) -> None:
    call_command("take_down", corpus.slug, make_page().sha256, reason="asked for")
    (event,) = log(AuditAction.PAGE_TAKEN_DOWN)
    assert (event.source, event.person, event.address) == (AuditSource.COMMAND_LINE, None, None)


def test_what_is_undone_is_not_logged(corpus: Corpus, cast: SimpleNamespace) -> None:
    """ada, an annotator, would become adjudicator, and is refused as researcher."""
    invitation, _ = invite(corpus=corpus, roles=["adjudicator", "researcher"], made_by=cast.hanne)
    with pytest.raises(Conflict):
        accept(invitation=invitation, user=cast.ada)
    assert not log(AuditAction.INVITATION_ACCEPTED)
    assert not AuditEvent.objects.filter(about=cast.ada, item="adjudicator").exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_logged_outside_the_transaction_of_the_deed() -> None:
    with pytest.raises(TransactionManagementError):
        record(AuditAction.SIGNED_IN)


# ---- reading ----


def read(client: Client, address: str, **query: Any) -> list[AuditEvent]:
    return client.get(address, query).context["shown"].rows


def test_an_admin_reads_their_corpus_and_a_superuser_the_site(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    create_corpus(slug="other", creator=cast.dov)
    own = reverse("audit-log", args=[corpus.slug])
    assert {event.corpus for event in read(signed_in(cast.hanne), own)} == {corpus}
    root = make_user("root", is_superuser=True)
    for name in ("site-audit-log", "site-audit-log-file"):
        assert signed_in(cast.hanne).get(reverse(name)).status_code == 403
    shown = read(signed_in(root), reverse("site-audit-log"))
    assert {str(event.corpus) for event in shown} == {"Dailies", "other", "None"}


def test_a_superuser_who_annotates_reads_nothing_of_that_corpus(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    cast.ada.is_superuser = True
    cast.ada.save()
    shown = read(signed_in(cast.ada), reverse("site-audit-log"))
    assert shown
    assert corpus not in {event.corpus for event in shown}


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ({}, 1),
        ({"action": "role_ended"}, 1),
        ({"action": "role_granted"}, 0),
        ({"person": "CLEO"}, 1),
        ({"person": "nobody"}, 0),
        ({"since": "2020-01-01"}, 1),
        ({"since": "2999-01-01"}, 0),
        ({"until": "2020-01-01"}, 0),
        ({"action": "made-up", "since": "soon", "before": "x"}, 1),
    ],
)
def test_the_log_is_filtered_on_the_screen_and_in_the_file(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, query: dict[str, str], number: int
) -> None:
    end_role(corpus=corpus, user=cast.cleo, role="adjudicator")
    last = AuditEvent.objects.latest("pk").pk
    shown = read(hanne, reverse("audit-log", args=[corpus.slug]), **query)
    assert len([event for event in shown if event.pk == last]) == number
    address = reverse("audit-log-file", args=[corpus.slug])
    of_file = hanne.get(address, {**query, "format": "jsonl"}).getvalue().decode()
    assert [json.loads(line)["item"] for line in of_file.splitlines()] == [event.item for event in shown]


@pytest.mark.parametrize(("hour", "zone"), [(12, "UTC"), (0, "Pacific/Pago_Pago"), (23, "Pacific/Apia")])
def test_days_that_are_filtered_are_those_that_are_shown(
    corpus: Corpus, hanne: Client, hour: int, zone: str
) -> None:
    """In UTC, where people's day is the one before or the one after too."""
    grant_role(corpus=corpus, user=make_user("eve"), role="adjudicator")
    with pgtrigger.ignore():
        AuditEvent.objects.filter(pk=AuditEvent.objects.latest("pk").pk).update(
            at=datetime(2026, 3, 2, hour, 30, tzinfo=UTC)
        )
    with timezone.override(zone):
        for day, count in (("2026-03-01", 0), ("2026-03-02", 1), ("2026-03-03", 0)):
            shown = read(hanne, reverse("audit-log", args=[corpus.slug]), since=day, until=day)
            assert [event.action for event in shown] == ["role_granted"] * count, day


def test_the_file_is_safe_to_open_in_a_spreadsheet(corpus: Corpus, hanne: Client) -> None:
    grant_role(corpus=corpus, user=make_user("+eve"), role="adjudicator")
    answer = hanne.get(reverse("audit-log-file", args=[corpus.slug]))
    rows = list(csv.DictReader(StringIO(answer.getvalue().decode())))
    assert (rows[0]["about"], rows[0]["action"], rows[0]["corpus"]) == ("'+eve", "role_granted", "dailies")


def test_the_log_needs_as_many_queries_for_one_event_as_for_many(
    corpus: Corpus, cast: SimpleNamespace, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(cast.hanne)
    address = reverse("audit-log", args=[corpus.slug])
    for _ in range(2):
        with django_assert_num_queries(5):
            assert client.get(address).status_code == 200
        for number in range(60):
            invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne, note=str(number))
