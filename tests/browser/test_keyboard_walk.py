"""A researcher's day without a mouse: board, pages behind a row, error view, comparison, a run."""

import pytest
from playwright.sync_api import Page as Window

from annotator.corpora.actions import create_corpus, grant_role
from annotator.runs.actions import enable
from annotator.runs.models import Run, RunStage
from annotator.scoring.models import Analysis
from annotator.scoring.tasks import analyse
from extraction.sandbox import Parser
from tests.annotator.scored import give_gold
from tests.browser.conftest import SignIn
from tests.factories import PASSWORD, make_user, page_maker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Keys of Tab that somebody presses at most.
MOST_TABS = 60
MOST_CHOICES = 60


def tab_to(window: Window, text: str) -> None:
    """Press Tab until the focus is on what has this text, or this label."""
    for _ in range(MOST_TABS):
        window.keyboard.press("Tab")
        focused = window.evaluate(
            "(() => { const e = document.activeElement;"
            " return [e.textContent, ...[...(e.labels ?? [])].map((l) => l.textContent)].join(' ') })()"
        )
        if text in " ".join(focused.split()):
            return
    raise AssertionError(f"no way to {text!r} by Tab")


def choose(window: Window, value: str) -> None:
    """Walk down a list of choices. Letters typed at a busy machine are not taken for one word."""
    window.keyboard.press("Home")
    for _ in range(MOST_CHOICES):
        if window.evaluate("document.activeElement.value") == value:
            return
        window.keyboard.press("ArrowDown")
    raise AssertionError(f"no choice {value!r}")


def arrive(window: Window, selector: str) -> None:
    """Wait until a screen is there and hears keys."""
    window.wait_for_selector(selector)
    window.wait_for_load_state()


def press(window: Window, *keys: str) -> None:
    for key in keys:
        window.keyboard.press(key)


def test_a_researcher_walks_from_the_board_to_a_paused_run_by_keys_alone(
    site: str, parser: Parser, sign_in: SignIn
) -> None:
    corpus = create_corpus(slug="dailies", name="Dailies")
    for name in ("everything", "bte"):
        enable(corpus=corpus, name=name)
    make_page = page_maker(corpus, parser)
    for _ in range(2):
        give_gold(make_page(opened=False))
    hanne = make_user("hanne", password=PASSWORD)
    for role in ("researcher", "admin"):
        grant_role(corpus=corpus, user=hanne, role=role)
    window = sign_in(hanne)
    window.goto(f"{site}/c/dailies/")
    press(window, "g", "l")
    arrive(window, "table.board")
    # The pages behind a row, the worst of them, the next one by one key, and back.
    press(window, "j", "Enter")
    arrive(window, "text=2 pages, worst first")
    press(window, "j", "Enter")
    arrive(window, "text=1 of 2")
    arrive(window, "[data-differences] li")
    press(window, "]")
    arrive(window, "text=2 of 2")
    arrive(window, "[data-differences] li")
    press(window, "Escape")
    arrive(window, "text=2 pages, worst first")
    press(window, "g", "l")
    arrive(window, "table.board")
    tab_to(window, "Compare two")
    press(window, "Enter")
    arrive(window, "text=The figures are being computed.")
    for analysis in Analysis.objects.filter(finished_at=None):
        analyse(analysis.pk)
    arrive(window, "text=Too few pages to tell.")
    press(window, "g", "n")
    arrive(window, "text=Nothing is waiting or running.")
    press(window, "r")
    tab_to(window, "Extractor")
    choose(window, "tree-filter")
    tab_to(window, "Parameters")
    window.keyboard.type("depth=3")
    press(window, "Enter")
    arrive(window, ".badge:text-is('queued')")
    press(window, "p")
    arrive(window, ".badge:text-is('paused')")
    run = Run.objects.get()
    assert (run.stage, str(run)) == (RunStage.PAUSED, "tree-filter (depth 3)")
