"""The cast: ada and ben annotate, cleo adjudicates, rhea researches, hanne is admin, dov is an outsider."""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as examples
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from annotator.corpora.guideline import queries as guideline
from annotator.corpora.models import Corpus, User
from annotator.demo.clock import Clock
from extraction.sandbox import Parser
from tests import chromium, factories
from tests.contexts import PATIENCE

# A busy machine is slow at drawing examples, and at trying them; that is no fault of what is tested.
examples.register_profile("goldpan", deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("goldpan")
expect.set_options(timeout=PATIENCE)

# Without these, a headless Chromium looks for its makers' servers.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en-US",  # whatever the machine's, where Chromium's translations are installed
]

# The files that take longest, longest first: begun late, one of them would go on alone after all the others.
LONGEST = (
    "tests/annotator/scoring/totals/test_exact.py",
    "tests/launcher/test_monitoring.py",
    "tests/browser/test_accessibility.py",
    "tests/annotator/quality/checks/test_indistinguishable.py",
    "tests/browser/nothing_lost/test_one_window.py",
    "tests/annotator/pages/imports/test_published_sets.py",
    "tests/browser/test_offsets.py",
    "tests/annotator/test_demo.py",
    "tests/browser/test_hostile.py",
    "tests/workers/test_workers.py",
    "tests/browser/test_journey.py",
    "tests/launcher/test_install.py",
)

# What these do depends on several processes and on time, so one fails when the machine stands still.
TRIED_AGAIN = ("tests/browser/", "tests/js/", "tests/launcher/", "tests/workers/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After pytest-django, which puts tests without a database last, and before a random order."""
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(LONGEST)))
    for item in items:
        if "browser" in item.keywords or item.nodeid.startswith(TRIED_AGAIN):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The one Chromium of this process, whose tests open contexts of their own in it."""
    started = playwright.chromium.launch(executable_path=chromium.find_shell(), args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium as people have it, where tests use its headless shell."""
    started = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    """One parser child for all tests that build documents in this process."""
    with Parser() as started:
        yield started


@pytest.fixture(autouse=True)
def clean_process() -> Iterator[None]:
    """Undo what a request leaves in the process after its test: its language, and what is cached."""
    yield
    translation.activate(settings.LANGUAGE_CODE)
    # Rules are known by corpus and version, and tests of a shared corpus write versions of their own.
    guideline._rules_beside.cache_clear()
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture
def at_noon() -> Iterator[None]:
    """Django's clock stands still: no day, week or month turns while a test counts what was done in one.

    At noon of tomorrow, so that what was made before the test is made before.
    """
    tomorrow = timezone.now() + timedelta(days=1)
    with Clock(tomorrow.replace(hour=12, minute=0, second=0, microsecond=0)).running():
        yield


@pytest.fixture
def same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """What gets a seed from now on draws as in every other run, for tests that a rare draw would fail.

    That is a study design that is changed, and a corpus unless it was made before, as a shared one is.
    """
    monkeypatch.setattr(secrets, "randbits", Random(20101).getrandbits)


@pytest.fixture
def corpus(db: None, request: pytest.FixtureRequest) -> Corpus:
    """The test's own, or that of all tests of a module that has `shared_corpus` or `shared_cast` in use."""
    if "shared_corpus" in request.fixturenames:
        shared: Corpus = request.getfixturevalue("shared_corpus")
        return Corpus.objects.get(pk=shared.pk)
    return factories.make_corpus()


@pytest.fixture
def cast(corpus: Corpus, request: pytest.FixtureRequest) -> SimpleNamespace:
    """Everybody, by first name; dov has an account and no role. Shared as the corpus is."""
    if "shared_cast" in request.fixturenames:
        shared = vars(request.getfixturevalue("shared_cast"))
        known = User.objects.in_bulk([person.pk for person in shared.values()])
        return SimpleNamespace(**{name: known[person.pk] for name, person in shared.items()})
    return factories.make_cast(corpus)


@pytest.fixture
def hanne(client: Client, cast: SimpleNamespace) -> Client:
    """The browser in which hanne, the admin, is signed in."""
    client.force_login(cast.hanne)
    return client


@pytest.fixture
def rhea(client: Client, cast: SimpleNamespace) -> Client:
    """The browser in which rhea, the researcher, is signed in."""
    client.force_login(cast.rhea)
    return client


@pytest.fixture
def make_page(corpus: Corpus, parser: Parser) -> factories.MakePage:
    """make_page(html=..., url=...) -> a page with its document and its main round."""
    return factories.page_maker(corpus, parser)


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows made now are there for all tests of the module; a test's own changes are undone after it.

    For tests that look at one large scene. Not for tests with committed rows (`transactional_db`).
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def shared_corpus(shared_rows: None) -> Corpus:
    return factories.make_corpus()


@pytest.fixture(scope="module")
def shared_cast(shared_corpus: Corpus) -> SimpleNamespace:
    return factories.make_cast(shared_corpus)


@pytest.fixture(scope="module")
def make_shared_page(shared_corpus: Corpus, parser: Parser) -> factories.MakePage:
    return factories.page_maker(shared_corpus, parser)


@pytest.fixture
def signed_in() -> factories.SignedIn:
    """signed_in(user) -> a client in which they are signed in."""

    def client_of(user: User) -> Client:
        client = Client(headers={"accept": "application/json"})
        client.force_login(user)
        return client

    return client_of
