"""From page to page in a real browser: the next is there before it is asked for; only work counts as time."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page

from annotator.annotations.models import Annotation, Slot
from annotator.corpora.actions import create_corpus, grant_role
from extraction.sandbox import Parser
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import make_user, page_maker
from tests.processes import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IDLE_AFTER = 30
MINUTE = 60


@pytest.fixture
def people(transactional_db: None, parser: Parser) -> SimpleNamespace:
    """Ada, before a corpus of three pages."""
    corpus = create_corpus(slug="dailies", name="Dailies")
    ada = make_user("ada")
    grant_role(corpus=corpus, user=ada, role="annotator")
    make = page_maker(corpus, parser)
    for _page in range(3):
        make()
    return SimpleNamespace(corpus=corpus, ada=ada)


class Views:
    """Every answer with a page in it, as the browser's network layer reports it once it is whole."""

    def __init__(self, window: Page) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        self._loaded: list[str] = []
        session = window.context.new_cdp_session(window)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", lambda event: self._loaded.append(event["requestId"]))
        session.send("Network.enable")

    def _answered(self, event: dict[str, Any]) -> None:
        self._answers[event["requestId"]] = event["response"]

    def of(self, slot: Slot) -> list[tuple[str, bool]]:
        """Address, and whether it came from the browser's own cache."""
        answers = [self._answers[each] for each in self._loaded if each in self._answers]
        return [
            (each["url"], each["fromDiskCache"] or each.get("fromPrefetchCache", False))
            for each in answers
            if f"/slots/{slot.key}/" in each["url"] and "/view.json" in each["url"]
        ]


@pytest.fixture
def home(people: SimpleNamespace, sign_in: SignIn) -> Page:
    """A window of the annotator."""
    return sign_in(people.ada)


@pytest.fixture
def views(home: Page) -> Views:
    return Views(home)


@pytest.fixture
def window(home: Page) -> Page:
    """It, with the first page open."""
    home.click("main .btn.primary")
    workbench.ready(home)
    return home


def _in_window(window: Page, happened: Callable[[], bool], what: str) -> None:
    """As `wait_for`, while what the browser says is heard."""
    wait_for(lambda: window.wait_for_timeout(1) or happened(), what)


def test_the_next_page_is_there_before_it_is_asked_for(
    views: Views, window: Page, people: SimpleNamespace
) -> None:
    reserved = Slot.objects.exclude(reserved_at=None).filter(annotator=people.ada)
    _in_window(window, reserved.exists, "the next page")
    waiting = reserved.get()
    _in_window(window, lambda: bool(views.of(waiting)), "what is fetched ahead")
    ((ahead, was_cached),) = views.of(waiting)
    assert not was_cached
    assert not Annotation.objects.filter(slot=waiting).exists(), "nothing was shown yet"
    window.keyboard.press("c")
    workbench.submit(window)
    workbench.ready(window)
    assert f"/slots/{waiting.key}/" in window.url
    _in_window(window, lambda: len(views.of(waiting)) > 1, "the page itself")
    assert views.of(waiting) == [(ahead, False), (ahead, True)]
    assert Annotation.objects.filter(slot=waiting).exists()


def _pass(window: Page, seconds: int) -> None:
    """Let the browser's own clock go on, as fast as it has nothing to do; then it stands."""
    session = window.context.new_cdp_session(window)
    over: list[object] = []
    session.on("Emulation.virtualTimeBudgetExpired", lambda event: over.append(event))
    policy = {"policy": "pauseIfNetworkFetchesPending", "budget": seconds * 1000}
    session.send("Emulation.setVirtualTimePolicy", policy)
    _in_window(window, lambda: bool(over), f"{seconds} seconds")


def _shown(window: Page) -> int:
    minutes, seconds = window.inner_text("[data-active]").split(":")
    return MINUTE * int(minutes) + int(seconds)


def test_only_time_with_input_counts_and_it_is_stored(window: Page) -> None:
    _pass(window, MINUTE)
    assert _shown(window) == 0, "an open window alone is no work"
    window.keyboard.press("j")
    _pass(window, 10)
    assert 9 <= _shown(window) <= 11
    _pass(window, 5 * MINUTE)
    assert _shown(window) == IDLE_AFTER
    window.keyboard.press("2")
    passed = 0
    # The clock does not stand still for the browser's database, by which a change goes first.
    while not passed or not window.evaluate("window.goldpan.saver.isEmpty"):
        passed += 2
        assert passed < MINUTE
        _pass(window, 2)
    workbench.saved(window)
    assert IDLE_AFTER <= Annotation.objects.get().active_seconds <= IDLE_AFTER + passed


# A browser without a screen hides no window: what it would say is said for it.
HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_out_of_sight_no_time_counts(window: Page) -> None:
    window.keyboard.press("j")
    _pass(window, 5)
    window.evaluate(HIDE)
    hidden = _shown(window)
    _pass(window, 20)
    assert hidden <= _shown(window) <= hidden + 1
