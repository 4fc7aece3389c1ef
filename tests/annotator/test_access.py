"""Every route has its row in the table of roles, and keeps to it; annotators are blind (invariant 4)."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from annotator.agreement.actions import request_report
from annotator.agreement.selection import ReportSelection
from annotator.annotations.actions import claim_next
from annotator.annotations.models import Annotation
from annotator.api.webhooks.models import Webhook
from annotator.common import work
from annotator.common.roles import ROUTES, Access
from annotator.common.templatetags.layout import MENU_ITEM_AT, item_at
from annotator.corpora.actions import invite
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication, Gold
from annotator.gold.versions import add_gold
from annotator.pages.feeds.actions import follow_feed
from annotator.pages.feeds.models import FollowedFeed
from annotator.pages.imports.models import Import
from annotator.pages.imports.preview import Preview
from annotator.pages.imports.uploads import start_upload
from annotator.pages.models import Page
from annotator.practice.actions import waive_practice
from annotator.practice.models import PracticePage
from annotator.quality.bias.actions import request_report as request_bias_report
from annotator.releases.exports.actions import request_export, write_export
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.models import Export
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.runs.models import Run, ShrunkPage
from annotator.scoring.actions import pairs_of_gold, request_scores, score
from annotator.scoring.models import Score
from annotator.training.models import LearningCurve
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import finalise, paragraph
from tests.annotator.practice.made import ask, corpus_with_gold, practise
from tests.annotator.releases.made import release as make_release
from tests.annotator.training.made import models_in_every_state
from tests.factories import CAST, MakePage, SignedIn, annotate, extract_all, span_of
from tests.responses import Response

pytestmark = pytest.mark.django_db


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


def test_every_part_of_the_menu_is_an_address() -> None:
    addresses = [address.removeprefix("/c/<slug:slug>/") for _name, address in routes()]
    for start in MENU_ITEM_AT:
        assert any(address.startswith(start) for address in addresses), start


@pytest.mark.parametrize(
    ("path", "item"),
    [
        ("/", "home"),
        ("/health/", "health"),
        ("/audit-log/", "health"),
        ("/account/", ""),
        ("/c/dailies/", "corpus"),
        ("/c/dailies/attention/", "corpus"),
        ("/c/dailies/gold/7/", "corpus"),
        ("/c/dailies/styles/", "corpus"),
        ("/c/dailies/leaderboard/compare/", "leaderboard"),
        ("/c/dailies/leaderboard/3/errors/", "leaderboard"),
        ("/c/dailies/releases/2/", "releases"),
        ("/c/dailies/imports/addresses/", "imports"),
        ("/c/dailies/models/1/", "runs"),
        ("/c/dailies/practice/setting/", "settings"),
        ("/c/dailies/settings/people/invite/", "people"),
        ("/c/dailies/settings/labels/", "settings"),
        ("/c/dailies/audit-log/", "people"),
    ],
)
def test_the_menu_marks_where_one_is(path: str, item: str) -> None:
    assert item_at(path, "dailies") == item


def test_the_table_lets_annotators_annotate_and_nothing_else() -> None:
    """Whoever widens a row has to say so here too."""
    open_to_annotators = {
        name for name, wanted in ROUTES.items() if isinstance(wanted, frozenset) and "annotator" in wanted
    }
    assert open_to_annotators == {
        "next",
        *("annotate", "annotate-view", "annotate-reserve", "annotate-save", "annotate-heartbeat"),
        *("annotate-submit", "annotate-skip", "annotate-reopen"),
        *OWN_PAGES,
        *("practice", "practice-next", "practice-feedback", "practice-submit"),
        *("guideline", "guideline-version", "guideline-compare", "guideline-example"),
    }


def test_a_route_without_a_row_is_closed(
    shared_cast: SimpleNamespace, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert signed_in(shared_cast.hanne).get("/").status_code == 200
    monkeypatch.delitem(ROUTES, "home")
    assert signed_in(shared_cast.hanne).get("/").status_code == 403


# ---- a corpus in which everything exists, to be reached or not ----

SECRETS = ("kept-by-ben", "what ada noted")


Keys = dict[str, int | uuid.UUID]
OWN_PAGES = ("own-pages", "own-pages-list")


@pytest.fixture(scope="module")
def full(
    shared_cast: SimpleNamespace, shared_corpus: Corpus, make_shared_page: MakePage, parser: Parser
) -> Keys:
    """A page with gold and scores, a disputed one, and one that ben has open; keys for the addresses."""
    cast, corpus, make_page = shared_cast, shared_corpus, make_shared_page
    practised = practised_page(corpus, cast, parser)
    gold_page = make_page()
    for person in (cast.ada, cast.ben):
        note = SECRETS[0] if person == cast.ben else ""
        annotate(gold_page, person, [paragraph(gold_page, "The council said", "body")], note=note)
    gold = finalise(gold_page)
    assert isinstance(gold, Gold)
    disputed = make_page()
    annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")], note=SECRETS[1])
    annotate(disputed, cast.ben, note=SECRETS[0])
    finalise(disputed)
    make_page()
    held_by_ben = claim_next(corpus=corpus, annotator=cast.ben)
    extraction = extract_all(gold_page)[0]
    for row in request_scores(pairs_of_gold(gold)):
        score(work.claim(Score, row.pk))
    made = make_release(corpus)
    curve = LearningCurve.objects.create(corpus=corpus, release=made, labels="main")
    models_in_every_state(corpus, cast.hanne)
    invitation, _token = invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    return {
        "slot": held_by_ben.key,
        "adjudication": Adjudication.objects.get().pk,
        "extractor": extraction.extractor_id,
        "page": gold_page.pk,
        "report": request_report(corpus=corpus, selection=ReportSelection()).pk,
        "shown": request_bias_report(corpus=corpus).pk,
        "export": written_export(corpus, cast.hanne).pk,
        "import": previewed_import(corpus, cast.hanne).pk,
        "feed": followed_feed(corpus, cast.hanne).pk,
        "invitation": invitation.pk,
        "member": cast.ben.pk,
        "job": given_job(gold_page).pk,
        "shrunk": ShrunkPage.objects.create(
            extraction=extraction, start=0, end=5, is_missing=True, labels="main"
        ).pk,
        "practised": practised.slot.key,
        "webhook": Webhook.objects.create(
            url="https://hooks.example.org/", events=["gold.decided"], corpus=corpus, made_by=cast.hanne
        ).pk,
        "curve": curve.pk,
        "run": Run.objects.create(corpus=corpus, extractor=extraction.extractor).pk,
    }


def practised_page(corpus: Corpus, cast: SimpleNamespace, parser: Parser) -> PracticePage:
    """A page of practice that ben has submitted; from then on ben and ada are qualified."""
    ask(corpus, cast.hanne, corpus_with_gold(parser, cast.hanne, pages=2), max_attempts=1)
    page = practise(corpus, cast.ben, note=SECRETS[0])
    for person in (cast.ada, cast.ben):
        waive_practice(corpus=corpus, annotator=person, by=cast.hanne, reason="enough")
    return page


def written_export(corpus: Corpus, user: User) -> Export:
    export = request_export(Contents(corpus=corpus, format="jsonl"), user=user)
    write_export(work.claim(Export, export.pk))
    return export


def previewed_import(corpus: Corpus, user: User) -> Import:
    """An upload of one file, of which the preview is there."""
    run = start_upload(corpus=corpus, user=user)
    now = timezone.now()
    found = asdict(Preview(pages=1, records=1))
    Import.objects.filter(pk=run.pk).update(name="a.html", uploaded_at=now, previewed_at=now, preview=found)
    return run


def followed_feed(corpus: Corpus, user: User) -> FollowedFeed:
    address = "https://gazette.example/feed.xml"
    return follow_feed(corpus=corpus, url=address, every_hours=24, daily_cap=5, user=user)


def given_job(page: Page) -> ReparseJob:
    run = Reparse.objects.create(corpus=page.corpus, version="older")
    return ReparseJob.objects.create(run=run, page=page, document_before=page.document)


# Whose key it is, by the beginning of the route's name: `<uuid:key>` is a slot's, `<id:pk>` any other row's.
KEYS = {
    "annotate": "slot",
    "practice": "practised",
    "adjudicate": "adjudication",
    "agreement": "report",
    "suggestion": "shown",
    "export": "export",
    "import": "import",
    "feed": "feed",
    "invitation": "invitation",
    "roles": "member",
    "password": "member",
    "member": "member",
    "reparsing": "job",
    "shrunk": "shrunk",
    "extractor": "extractor",
    "run": "run",
    "curve": "curve",
    "webhook": "webhook",
}


def addresses(full: Keys) -> Iterator[tuple[str, str]]:
    """Each route of a corpus, with the true keys of rows that belong to somebody else."""
    for name, pattern in routes():
        if isinstance(ROUTES[name], frozenset):
            own = full[KEYS[name.partition("-")[0]]] if re.search("<id:pk>|<uuid:key>", pattern) else 0
            known = {"<slug:slug>": "dailies", "<id:pk>": own, "<uuid:key>": own}
            known |= {"<id:number>": 1, "<slug:name>": "story"}
            known |= {f"<id:{kind}>": key for kind, key in full.items()}
            yield name, "".join(str(known.get(part, part)) for part in re.split("(<[^>]+>)", pattern))


def both_methods(client: Client, address: str) -> list[Response]:
    return [client.get(address), client.post(address, {}, content_type="application/json")]


def test_the_addresses_are_of_rows_that_are_there(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    """The refusals below are refusals of the person: whose role it is finds something at each address."""
    clients = {role: signed_in(getattr(shared_cast, name)) for name, role in CAST.items()}
    clients["adjudicator"].post("/c/dailies/adjudicate/next/")
    for route, address in addresses(full):
        allowed = ROUTES[route]
        assert isinstance(allowed, frozenset)
        role = min(allowed & set(clients))
        assert clients[role].get(address, follow=True).status_code in (200, 405), f"{role} at {route}"


# What ada is refused is looked at below.
@pytest.mark.parametrize("name", ["ben", "cleo", "rhea", "hanne", "dov"])
def test_nobody_passes_a_route_of_another_role(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn, name: str
) -> None:
    client = signed_in(getattr(shared_cast, name))
    for route, address in addresses(full):
        for answer in both_methods(client, address):
            allowed = CAST.get(name) in ROUTES[route]
            if not allowed:
                assert answer.status_code == (403 if name in CAST else 404), f"{name} at {route}"


def test_an_annotator_reaches_no_mark_of_another_and_no_gold(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    """By any route, with the true keys of rows that are not theirs: only refusals, and no secret in them."""
    client = signed_in(shared_cast.ada)
    for route, address in addresses(full):
        for answer in both_methods(client, address):
            body = answer.content.decode(errors="replace")
            assert SECRETS[0] not in body, f"{route} shows what ben noted"
            assert answer.status_code == 403 or "annotator" in ROUTES[route], f"ada at {route}"
            if route not in ("next", "practice", "own-pages", "own-pages-list") and not route.startswith(
                "guideline"
            ):
                assert answer.status_code in (302, 400, 403, 404, 405, 410, 422), (
                    f"{route}: {answer.status_code}"
                )


def test_an_annotators_own_screens_hold_nothing_of_others(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    client = signed_in(shared_cast.ada)
    own = Annotation.objects.filter(annotator=shared_cast.ada)
    own_addresses = ["/", *(f"/c/dailies/slots/{annotation.slot.key}/" for annotation in own)]
    for address in own_addresses:
        body = client.get(address, headers={"accept": "text/html"}).content.decode()
        assert SECRETS[0] not in body


def test_an_adjudicator_reaches_only_their_own_dispute(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    address = f"/c/dailies/adjudications/{full['adjudication']}/"
    client = signed_in(shared_cast.cleo)
    assert client.get(address).status_code == 410
    client.post("/c/dailies/adjudicate/next/")
    assert client.get(address).status_code == 200


def test_a_stranger_is_sent_to_sign_in(full: Keys) -> None:
    for route, address in addresses(full):
        answer = Client().get(address)
        assert answer.status_code == 302, route
        assert answer["Location"].startswith("/sign-in/"), route
    assert ROUTES["home"] is Access.SIGNED_IN


def test_gold_made_later_is_no_news_to_an_annotator(
    full: Keys, shared_cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    annotation = Annotation.objects.filter(annotator=shared_cast.ada).first()
    client, address = signed_in(shared_cast.ada), f"/c/dailies/slots/{annotation.slot.key}/view.json"
    before = client.get(address).content
    add_gold(document=annotation.document, verdict="several", spans=[], source="imported")
    assert (
        signed_in(shared_cast.ada).get(f"/c/dailies/slots/{annotation.slot.key}/view.json").content == before
    )
