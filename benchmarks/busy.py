"""An import on a machine that others keep busy: nothing fails, and gold elsewhere reaches the leaderboard."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from statistics import median
from typing import NamedTuple

from django.db.models import Sum

from annotator import pipeline
from annotator.annotations.models import Round
from annotator.common.work import work_models
from annotator.corpora.models import Corpus, User
from annotator.home.actions import create_corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from annotator.runs.models import Extraction
from annotator.scoring.leaderboard.actions import request_leaderboard
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.queries import state_of
from annotator.scoring.models import Measurement, Score
from benchmarks.load_server import serving
from extraction.sandbox import Parser
from tests import factories
from tests.corpora import records

PAGES, DECISIONS, LOOPS = 300, 30, 8
# Seconds between two decisions, and between two looks.
PAUSE, LOOK = 5.0, 0.1


def run(limit: int | None = None) -> str:
    """Import PAGES real pages beside LOOPS busy loops, while DECISIONS are made in another corpus."""
    pages = limit or PAGES
    decisions = _to_decide(min(DECISIONS, pages))
    imported = create_corpus(slug="busy-import", name="Import")
    with serving(), _busy(LOOPS):
        began = time.monotonic()
        for number, record in enumerate(islice(cycle(records()), pages)):
            raw = record.raw + f"<!-- {number} -->".encode()
            pipeline.enqueue(add_page(corpus=imported, raw=raw, url=record.url or "").page)
        waits = [_decide(decision) for decision in decisions]
        while not _is_done(imported, pages):
            time.sleep(1)
        seconds = time.monotonic() - began
    failed = sum(model.objects.of_corpus(imported).failed().count() for model in work_models())
    lost = Measurement.objects.of_corpus(imported).exclude(error="").count()
    put_off = sum(
        model.objects.of_corpus(imported).aggregate(n=Sum("faults"))["n"] or 0 for model in work_models()
    )
    return "\n".join(
        [
            "## On a busy machine",
            "",
            f"{pages} pages imported beside {LOOPS} busy loops in {seconds:.0f} s: {failed} failures, "
            f"{lost} metrics lost, work put off {put_off} times. Meanwhile {len(waits)} decisions in another "
            f"corpus reached the leaderboard after {median(waits):.1f} s at the median, "
            f"{max(waits):.1f} s at most.",
        ]
    )


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    """Programs of others that use all the CPU they can get, each in a session of its own."""
    command = [sys.executable, "-c", "while True: pass"]
    started = [subprocess.Popen(command, start_new_session=True) for _ in range(loops)]
    try:
        yield
    finally:
        for each in started:
            each.kill()
            each.wait()


class Decision(NamedTuple):
    page: Page
    # Who has not submitted it yet.
    annotator: User


def _to_decide(count: int) -> list[Decision]:
    """Pages of a corpus that one of two annotators has submitted."""
    corpus = factories.make_corpus()
    Corpus.objects.filter(pk=corpus.pk).update(audit_share=0)  # an audit would wait for a person
    people = factories.make_cast(corpus)
    with Parser() as parser:
        make_page = factories.page_maker(corpus, parser)
        pages = [make_page(extracted=True) for _ in range(count)]
    for page in pages:
        _submit(page, people.ada)
    return [Decision(page, people.ben) for page in pages]


def _submit(page: Page, annotator: User) -> None:
    factories.annotate(page, annotator, [factories.span_of(page, "Bridge opens", "headline")])


def _is_done(corpus: Corpus, pages: int) -> bool:
    """Whether every page can be annotated, every extractor has run, and nothing is open."""
    extractions = Extraction.objects.filter(document__page__corpus=corpus).count()
    return (
        Round.objects.filter(page__corpus=corpus).count() == pages
        and extractions == pages * corpus.enabled.count()
        and not any(model.objects.of_corpus(corpus).open().exists() for model in work_models())
    )


def _decide(decision: Decision) -> float:
    """Seconds from the last submission of a page to a leaderboard with every score against its gold."""
    time.sleep(PAUSE)
    page = decision.page
    _submit(page, decision.annotator)
    began = time.monotonic()
    pipeline.slot_submitted(page.rounds.get().pk, is_last=True, is_controlled=False)
    wanted = page.corpus.enabled.count()
    while Score.objects.filter(gold__page=page, finished_at__isnull=False).count() < wanted:
        time.sleep(LOOK)
    while not _board_is_up_to_date(page.corpus):
        time.sleep(LOOK)
    return time.monotonic() - began


def _board_is_up_to_date(corpus: Corpus) -> bool:
    """What an open leaderboard asks for every second; asking has a newer one computed."""
    stored, is_asked = request_leaderboard(corpus=corpus, filters=LeaderboardFilters())
    if is_asked:
        pipeline.enqueue(stored)
    return stored.state == state_of(corpus)
