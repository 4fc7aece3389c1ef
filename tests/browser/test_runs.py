"""An admin starts a run, pauses, resumes and cancels it, and watches one complete; outputs are uploaded."""

import json
from pathlib import Path

import pytest

from annotator.corpora.actions import create_corpus, grant_role
from annotator.runs.models import Run
from extraction.sandbox import Parser
from tests.browser.conftest import SignIn
from tests.browser.test_keyboard_walk import arrive
from tests.factories import PASSWORD, make_user, page_maker
from tests.processes import A_WHILE, worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECONDS = 1000 * A_WHILE


def test_runs_are_started_paused_resumed_cancelled_and_watched(
    site: str, parser: Parser, sign_in: SignIn, tmp_path: Path
) -> None:
    corpus = create_corpus(slug="dailies", name="Dailies")
    page = page_maker(corpus, parser)(opened=False)
    hanne = make_user("hanne", password=PASSWORD)
    grant_role(corpus=corpus, user=hanne, role="admin")
    window = sign_in(hanne)
    window.goto(f"{site}/c/dailies/")
    window.keyboard.press("g")
    window.keyboard.press("n")
    arrive(window, "text=Nothing is waiting or running.")
    window.select_option("[name=extractor]", "tree-filter")
    window.fill("[name=parameters]", "depth=3")
    window.get_by_role("button", name="Start run").click()
    arrive(window, ".badge:text-is('queued')")
    window.keyboard.press("p")
    arrive(window, ".badge:text-is('paused')")
    window.keyboard.press("p")
    arrive(window, ".badge:text-is('queued')")
    window.get_by_role("button", name="Cancel run").click()
    arrive(window, ".badge:text-is('cancelled')")
    # Another goes on to its end, seen without loading the screen again.
    window.goto(f"{site}/c/dailies/runs/")
    window.select_option("[name=extractor]", "bte")
    window.get_by_role("button", name="Start run").click()
    arrive(window, ".badge:text-is('queued')")
    window.evaluate("document.activeElement.blur()")
    with worker(tmp_path):
        window.wait_for_selector("text=On the leaderboard since", timeout=SECONDS)
        window.goto(f"{site}/c/dailies/runs/")
        outputs = json.dumps({page.sha256: "Bridge opens", "nobody": "x"}).encode()
        upload = {"name": "out.json", "mimeType": "application/json", "buffer": outputs}
        window.set_input_files("#outputs", upload)  # type: ignore[arg-type]
        window.fill("[name=name]", "reader")
        window.fill("[name=version]", "1")
        window.get_by_role("button", name="Upload", exact=True).click()
        window.wait_for_selector("text=No such page", timeout=SECONDS)
        window.wait_for_selector("text=On the leaderboard since", timeout=SECONDS)
    assert [run.stage for run in Run.objects.order_by("pk")] == ["cancelled", "completed", "completed"]
