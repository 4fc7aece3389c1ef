"""The cast: ada and ben annotate, cleo adjudicates, rhea researches, hanne is admin, dov is an outsider."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.test import Client
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Playwright, sync_playwright

from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.runs.actions import enable_defaults
from extraction.sandbox import Parser
from launcher import chromium
from tests import factories

# A busy machine is slow at drawing examples, and at trying them; that is no fault of what is tested.
settings.register_profile("goldpan", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("goldpan")

CAST = {
    "ada": "annotator",
    "ben": "annotator",
    "cleo": "adjudicator",
    "rhea": "researcher",
    "hanne": "admin",
}


# Without these, a headless Chromium looks for its makers' servers.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The one Chromium of a module, whose tests open contexts of their own in it.

    None outlives its module: half an hour of hostile pages leaves little of a browser.
    """
    started = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    """One parser child for all tests that build documents in this process."""
    with Parser() as started:
        yield started


@pytest.fixture
def corpus(db: None) -> Corpus:
    made = create_corpus(slug="dailies", name="Dailies", languages=["en", "es"])
    enable_defaults(corpus=made)
    return made


@pytest.fixture
def cast(corpus: Corpus) -> SimpleNamespace:
    """Everybody, by first name; dov has an account and no role."""
    people = {name: factories.make_user(name) for name in (*CAST, "dov")}
    for name, role in CAST.items():
        grant_role(corpus=corpus, user=people[name], role=role)
    return SimpleNamespace(**people)


@pytest.fixture
def make_page(corpus: Corpus, parser: Parser) -> factories.MakePage:
    """make_page(html=..., url=...) -> a page with its document and its main round."""
    return factories.page_maker(corpus, parser)


@pytest.fixture
def signed_in() -> factories.SignedIn:
    """signed_in(user) -> a client of hers."""

    def client_of(user: User) -> Client:
        client = Client(headers={"accept": "application/json"})
        client.force_login(user)
        return client

    return client_of
