"""From an adjudicator's decision to the changed figures in a researcher's open browser: alone, and beside an
import and a run of another extractor.

All is real: the processes of `make run`, and two people in Chromium: the keys that the adjudicator presses,
and the leaderboard that the researcher has open.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import NamedTuple

from django.db import transaction
from django.urls import reverse
from playwright.sync_api import Page as Window
from playwright.sync_api import sync_playwright

from annotator import pipeline
from annotator.corpora.actions import set_audit_share
from annotator.corpora.models import Corpus, User
from annotator.gold.actions import claim_next
from annotator.gold.models import Adjudication
from annotator.pages.models import Page
from annotator.runs.actions import register
from annotator.runs.models import Extraction
from annotator.runs.running import start_run
from benchmarks.load_server import serving
from benchmarks.results import yes_no
from extraction.sandbox import Parser
from tests import chromium, factories
from tests.annotator.gold.test_adjudication import FIRST, SECOND, THIRD, finalise, paragraph
from tests.browser import workbench
from tests.conftest import FLAGS

DECISIONS = 100
MEDIAN, WORST = 2.0, 5.0
# An extractor that is not enabled by default.
RERUN = "bte"
# Seconds at most between two decisions, so that they fall at any time between two looks of the board.
PAUSE = 2.0
# A figure that has not changed by then never does.
PATIENCE = 120.0

# Notes when which numbers of pages stood in the rows of extractors.
RECORD = """() => {
  const board = document.getElementById("board");
  const pages = () => [...board.querySelectorAll("table[data-rows] tbody:not(.people) tr")]
    .map((row) => Number(row.querySelectorAll("td.n")[4]?.textContent));
  window.seen = [];
  const note = () => window.seen.push({ at: Date.now() / 1000, pages: pages() });
  new MutationObserver(note).observe(board, { childList: true });
  note();
}"""
SEEN = """([pages, rows]) => window.seen.find(
  (seen) => seen.pages.length >= rows && seen.pages.every((each) => each === pages))?.at"""


class Waits(NamedTuple):
    """Seconds from each decision to its figures, the load at the end, and what else went on."""

    title: str
    seconds: list[float]
    load: float
    meanwhile: str


def run(limit: int | None = None) -> str:
    """Decide disputes one after the other, alone and beside other work."""
    decisions = min(limit or DECISIONS, DECISIONS)
    corpus, people = _disputes(2 * decisions)
    with serving() as (port, _roles), _windows(port, people, corpus) as windows:
        deciding = Deciding(corpus, people.cleo, windows)
        alone = Waits("alone", [deciding.decide() for _ in range(decisions)], os.getloadavg()[0], "")
        with _busy(corpus, 50 * decisions):
            seconds = [deciding.decide() for _ in range(decisions)]
            meanwhile = _meanwhile(corpus, 2 * decisions)
            beside = Waits("beside an import and a run", seconds, os.getloadavg()[0], meanwhile)
    return "\n".join(_report(decisions, [alone, beside]))


def _report(decisions: int, rows: list[Waits]) -> Iterator[str]:
    yield "## Live"
    yield ""
    yield (
        f"From the adjudicator's key to the changed figures of all extractors in an open leaderboard, "
        f"{decisions} decisions each time; at most {MEDIAN:.0f} s at the median and {WORST:.0f} s at worst."
    )
    yield ""
    yield "| | median s | 95th percentile | worst s | met | load at the end |"
    yield "| --- | ---: | ---: | ---: | --- | ---: |"
    for row in rows:
        ordered = sorted(row.seconds)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        met = yes_no(median(ordered) <= MEDIAN and ordered[-1] <= WORST)
        waits = f"{median(ordered):.2f} | {p95:.2f} | {ordered[-1]:.2f}"
        yield f"| {row.title} | {waits} | {met} | {row.load:.0f} |"
    yield ""
    yield from (row.meanwhile for row in rows if row.meanwhile)


class Windows(NamedTuple):
    """The address of the site, the adjudicator's screen, and the researcher's leaderboard."""

    site: str
    screen: Window
    board: Window


class Deciding:
    """An adjudicator who decides one dispute after the other, and the board on which it is to be seen."""

    def __init__(self, corpus: Corpus, user: User, windows: Windows) -> None:
        self._corpus, self._user, self._windows = corpus, user, windows
        self._extractors = corpus.enabled.filter(ended_at=None).count()
        self._decided = 0

    def decide(self) -> float:
        """Seconds from the key that makes the next page's gold to its figures on the board."""
        time.sleep(random.uniform(0, PAUSE))
        _site, screen, board = self._windows
        address = self._open_next()
        screen.keyboard.press("Shift+A")
        workbench.until(screen, "window.goldpan.sender.isEmpty")
        began = time.time()
        screen.keyboard.press("Control+Enter")
        self._decided += 1
        end = time.monotonic() + PATIENCE
        while not (at := board.evaluate(SEEN, [self._decided, self._extractors])):
            assert time.monotonic() < end, board.evaluate("window.seen.at(-1)")
            # Not a mere sleep: both windows speak to this process.
            board.wait_for_timeout(100)
        screen.wait_for_url(lambda url: url != address)
        return float(at) - began

    def _open_next(self) -> str:
        held = claim_next(corpus=self._corpus, user=self._user)
        assert held
        site, screen, _board = self._windows
        address = site + reverse("adjudicate", args=[self._corpus.slug, held.pk])
        screen.goto(address)
        workbench.ready(screen)
        return address


def _disputes(count: int) -> tuple[Corpus, SimpleNamespace]:
    """A corpus with so many pages on which two annotators disagree."""
    corpus = factories.make_corpus()
    set_audit_share(corpus=corpus, share=0)  # an audit would wait for a person
    people = factories.make_cast(corpus)
    with Parser() as parser:
        make_page = factories.page_maker(corpus, parser)
        for _ in range(count):
            _disputed(make_page(extracted=True), people)
    return corpus, people


def _disputed(page: Page, people: SimpleNamespace) -> None:
    third = paragraph(page, THIRD, "body")
    factories.annotate(page, people.ada, [paragraph(page, FIRST, "body"), third])
    factories.annotate(page, people.ben, [paragraph(page, SECOND, "body"), third])
    assert isinstance(finalise(page), Adjudication)


@contextmanager
def _windows(port: int, people: SimpleNamespace, corpus: Corpus) -> Iterator[Windows]:
    """Two browsers, each with its own session."""
    site = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        stack.callback(browser.close)

        def window_of(user: User) -> Window:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            workbench.give_session(context, site, user)
            return context.new_page()

        screen, board = window_of(people.cleo), window_of(people.rhea)
        board.goto(site + reverse("leaderboard", args=[corpus.slug]))
        board.evaluate(RECORD)
        yield Windows(site, screen, board)


@contextmanager
def _busy(corpus: Corpus, pages: int) -> Iterator[None]:
    """Import so many pages into the corpus, and run another extractor over it."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pages):
            text = factories.ARTICLE.format(number=f"{number} of an import")
            Path(folder, f"{number:06}.html").write_text(text, encoding="utf-8")
        command = [sys.executable, "manage.py", "import_pages", corpus.slug, "html", folder]
        importing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with transaction.atomic():
                started = start_run(corpus=corpus, extractor=register(RERUN))
                pipeline.run_requested(started)
            yield
        finally:
            importing.terminate()
            importing.wait()


def _meanwhile(corpus: Corpus, disputed: int) -> str:
    pages = corpus.pages.count() - disputed
    built = corpus.pages.exclude(document=None).count() - disputed
    rerun = Extraction.objects.filter(
        document__page__corpus=corpus, extractor__name=RERUN, finished_at__isnull=False
    ).count()
    return f"Meanwhile {pages} pages came in, {built} were parsed, and {RERUN} ran on {rerun}."
