"""Every route has its row in the table of roles, and keeps to it; annotators are blind (law 4)."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotator.annotations.actions import claim_next
from annotator.annotations.models import Annotation
from annotator.common.roles import ROUTES, Access
from annotator.corpora.models import Corpus, User
from annotator.gold.actions import add_gold
from annotator.gold.models import Adjudication
from annotator.scoring.models import Score
from tests.annotator.gold.test_settling import paragraph, settle
from tests.factories import MakePage, SignedIn, annotate, extract_all, span_of

pytestmark = pytest.mark.django_db

EVERYBODY = ("ada", "ben", "cleo", "rhea", "hanne", "dov")
ROLE_OF = {
    "ada": "annotator",
    "ben": "annotator",
    "cleo": "adjudicator",
    "rhea": "researcher",
    "hanne": "admin",
}


def routes() -> Iterator[tuple[str, str]]:
    """Name and address pattern of every route there is."""
    yield from _walk(get_resolver().url_patterns, "/")


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, address)
        else:
            yield str(pattern.name), address


def test_every_route_has_a_row_in_the_table() -> None:
    assert {name for name, _address in routes()} == set(ROUTES)


def test_every_route_that_names_roles_names_a_corpus() -> None:
    for name, address in routes():
        if isinstance(ROUTES[name], frozenset):
            assert address.startswith("/c/<slug:slug>/"), f"{name} checks roles of no corpus"


def test_a_route_without_a_row_is_closed(
    cast: SimpleNamespace, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert signed_in(cast.hanne).get("/").status_code == 200
    monkeypatch.delitem(ROUTES, "home")
    assert signed_in(cast.hanne).get("/").status_code == 403


# ---- a corpus in which everything exists, to be reached or not ----

SECRETS = ("kept-by-ben", "what ada noted")


@pytest.fixture
def full(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> dict[str, int]:
    """A settled page with scores, a disputed one, and one that ben has open; keys for the addresses."""
    settled = make_page()
    for person in (cast.ada, cast.ben):
        note = SECRETS[0] if person == cast.ben else ""
        annotate(settled, person, [paragraph(settled, "The council said", "body")], note=note)
    settle(settled)
    disputed = make_page()
    annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")], note=SECRETS[1])
    annotate(disputed, cast.ben, note=SECRETS[0])
    settle(disputed)
    make_page()
    held_by_ben = claim_next(corpus=corpus, annotator=cast.ben)
    extraction = extract_all(settled)[0]
    return {
        "slot": held_by_ben.pk,
        "adjudication": Adjudication.objects.get().pk,
        "extraction": extraction.pk,
    }


def addresses(full: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Each route of a corpus, with the key of a real row that belongs to somebody else."""
    for name, pattern in routes():
        if not isinstance(ROUTES[name], frozenset):
            continue
        kind = "adjudication" if name.startswith("adjudicate") else "slot"
        key = full["extraction"] if name.startswith(("glass", "leaderboard-pages")) else full[kind]
        address = pattern.replace("<slug:slug>", "dailies")
        while "<" in address:
            head, _, rest = address.partition("<")
            address = f"{head}{key}{rest.partition('>')[2]}"
        yield name, address


def both_methods(client: Client, address: str) -> list[object]:
    return [client.get(address), client.post(address, {}, content_type="application/json")]


@pytest.mark.parametrize("name", EVERYBODY)
def test_nobody_passes_a_route_of_another_role(
    full: dict[str, int], cast: SimpleNamespace, signed_in: SignedIn, name: str
) -> None:
    client = signed_in(getattr(cast, name))
    for route, address in addresses(full):
        for answer in both_methods(client, address):
            allowed = ROLE_OF.get(name) in ROUTES[route]
            if not allowed:
                assert answer.status_code == (403 if name in ROLE_OF else 404), f"{name} at {route}"


def test_an_annotator_reaches_no_mark_of_another_and_no_gold(
    full: dict[str, int], cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    """By any route, with the true keys of rows that are not hers: only refusals, and no secret in them."""
    client = signed_in(cast.ada)
    for route, address in addresses(full):
        for answer in both_methods(client, address):
            body = answer.content.decode(errors="replace")
            assert SECRETS[0] not in body, f"{route} shows what ben noted"
            if "pk" in address or route not in ("next",):
                assert answer.status_code in (302, 403, 404, 405, 410, 422), f"{route}: {answer.status_code}"


def test_an_annotators_own_screens_hold_nothing_of_others(
    full: dict[str, int], cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    client = signed_in(cast.ada)
    own = Annotation.objects.filter(annotator=cast.ada)
    addresses_of_hers = ["/", *(f"/c/dailies/slots/{annotation.slot_id}/" for annotation in own)]
    for address in addresses_of_hers:
        body = client.get(address, headers={"accept": "text/html"}).content.decode()
        assert SECRETS[0] not in body


def test_a_superuser_who_annotates_is_an_annotator(cast: SimpleNamespace, signed_in: SignedIn) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_superuser=True)
    assert signed_in(cast.ada).get("/c/dailies/leaderboard/").status_code == 403


def test_an_adjudicator_reaches_only_the_dispute_in_her_hands(
    full: dict[str, int], cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    address = f"/c/dailies/adjudications/{full['adjudication']}/"
    client = signed_in(cast.cleo)
    assert client.get(address).status_code == 404
    client.post("/c/dailies/settle/")
    assert client.get(address).status_code == 200


def test_a_stranger_is_sent_to_sign_in(full: dict[str, int]) -> None:
    for route, address in addresses(full):
        answer = Client().get(address)
        assert answer.status_code == 302, route
        assert answer["Location"].startswith("/sign-in/"), route
    assert ROUTES["home"] is Access.SIGNED_IN


def test_gold_made_later_is_no_news_to_an_annotator(
    full: dict[str, int], cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    annotation = Annotation.objects.filter(annotator=cast.ada).first()
    before = signed_in(cast.ada).get(f"/c/dailies/slots/{annotation.slot_id}/view.json").content
    add_gold(document=annotation.document, verdict="several", spans=[], source="imported")
    assert signed_in(cast.ada).get(f"/c/dailies/slots/{annotation.slot_id}/view.json").content == before
    assert Score.objects.count() == 0
