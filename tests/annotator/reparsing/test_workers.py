"""A hundred pages, real workers: projected exactly where the text is the same, reported where it is not, and
no moment at which a reader sees half of it."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg2
import pytest

from annotator import pipeline
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page, StoredDocument
from annotator.reparsing import actions, queries
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.runs.models import CorpusExtractor
from tests.annotator.scored import score_all
from tests.factories import MakePage, extract_all
from tests.held import settings
from tests.processes import environment, periodic, purge_queues, wait_for, worker

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = 100
# By name: imported, it would plant its parser in this process.
APP = "tests.annotator.reparsing.planted_worker"
EVERY = 4  # of so many pages, one has small print in its gold
HTML = """<!doctype html><html lang=en><head><title>Page {number}</title></head><body>
<nav>{menu}</nav><article><h1>Ferry {number} returns to the island</h1>
<p>Paragraph one of {number}: the island will have a passenger ferry again, said the harbour.</p>
<p>Read more about {number}</p>
<p>Paragraph two of {number}:<br> two boats a day make the crossing{small}, with a dozen bicycles.</p>
<p>The island will have a passenger ferry again, said the harbour.</p>
</article></body></html>"""
SMALL = " <small>in rough weather only one of them, says notice {number}</small>"

# One row a page: does its gold speak of its document, and is every enabled extractor scored against it?
READER = """
select p.id, d.version, g.id is not null and g.document_id = p.document_id,
       (select count(*) from annotator_extraction e where e.document_id = p.document_id
            and e.finished_at is not null and e.error = ''),
       (select count(*) from annotator_score s where s.gold_id = g.id and s.finished_at is not null)
from annotator_page p
join annotator_storeddocument d on d.id = p.document_id
left join annotator_gold g on g.page_id = p.id and g.current
"""


class Reader(threading.Thread):
    """Polls without a pause, from a connection of its own, and keeps what must not be."""

    def __init__(self, extractors: int) -> None:
        super().__init__(daemon=True)
        self.extractors = extractors
        self.looks = 0
        self.seen_both = 0
        self.wrong: list[tuple[object, ...]] = []
        self._over = threading.Event()

    def watch_until(self, is_so: Callable[[], bool], what: str) -> None:
        wait_for(lambda: bool(self.wrong) or is_so(), what)
        assert self.wrong == []

    def run(self) -> None:
        connection = psycopg2.connect(environment()["DATABASE_URL"])
        connection.autocommit = True
        with connection.cursor() as cursor:
            while not self._over.is_set():
                cursor.execute(READER)
                rows = cursor.fetchall()
                self.looks += 1
                self.seen_both += len({row[1] for row in rows}) > 1
                whole = (True, self.extractors, self.extractors)
                self.wrong += [row for row in rows if tuple(row[2:]) != whole]
        connection.close()

    def __enter__(self) -> "Reader":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()


@pytest.fixture
def pages(corpus: Corpus, make_page: MakePage) -> list[Page]:
    """With gold on three blocks, each extracted by two programs and scored."""
    purge_queues()
    quick = ("everything", "boilerpipe-default")
    CorpusExtractor.objects.filter(corpus=corpus).exclude(extractor__name__in=quick).delete()
    return [_with_gold(make_page, number) for number in range(PAGES)]


def _with_gold(make_page: MakePage, number: int) -> Page:
    small = SMALL.format(number=number) if number % EVERY == 0 else ""
    menu = " ".join(f"<a href=/{index}>Section {index}</a>" for index in range(number % 7 + 1))
    page = make_page(HTML.format(number=number, menu=menu, small=small), opened=False)
    document = page.document
    wanted = ("Ferry", "Paragraph one", "Paragraph two")
    spans = [
        (start, end, "headline" if text.startswith("Ferry") else "body", "unanimous")
        for start, end in document.blocks
        for text in [document.text[start:end]]
        if text.startswith(wanted)
    ]
    assert len(spans) == len(wanted)
    gold = add_gold(document=document, verdict="article", spans=spans, source="unanimous")
    extract_all(page)
    score_all(gold)
    return page


def test_no_reader_sees_half_of_a_re_parse(
    corpus: Corpus, pages: list[Page], newer: str, tmp_path: Path
) -> None:
    """A worker is killed in the middle, too."""
    reader = Reader(extractors=2)
    # By each of its two processes.
    held = settings("annotator.reparsing.actions:_switch", after=PAGES // 4)
    with reader, periodic(tmp_path), worker(tmp_path, name="one", app=APP, settings=held) as victim:
        run = actions.start(corpus=corpus)
        pipeline.enqueue_first(queries.open_jobs(run))
        reader.watch_until(lambda: _done(run) > PAGES // 5, "a fifth of the pages")
        os.killpg(victim.pid, signal.SIGKILL)
        assert _done(run) < PAGES
        looked = reader.looks
        reader.watch_until(lambda: reader.looks > looked + PAGES, "many looks at what was left halfway")
        with worker(tmp_path, name="two", app=APP):
            reader.watch_until(lambda: _done(run) == PAGES, "every page")
    assert reader.seen_both, "the reader saw nothing of the way from one version to the other"
    assert reader.wrong == []
    _check_rows(run, newer)
    for page in pages:
        _check_gold(page)


def _done(run: Reparse) -> int:
    return run.jobs.filter(finished_at__isnull=False, error="").count()


def _check_rows(run: Reparse, version: str) -> None:
    """Exactly one result per page: one document of the version, one projected gold."""
    assert not run.jobs.failed().exists()
    assert StoredDocument.objects.filter(version=version).count() == PAGES
    assert Gold.objects.filter(current=True, document__version=version).count() == PAGES
    assert Gold.objects.count() == 2 * PAGES


def _check_gold(page: Page) -> None:
    """Against offsets that the texts themselves give: each block begins with words that are there once."""
    job = ReparseJob.objects.get(page=page)
    text, old = job.document.text, job.document_before.text
    assert text != old
    for row, before in zip(job.intervals, job.gold_before.spans, strict=True):
        quote = old[slice(*before[:2])]
        start = text.index(quote[:18])
        end = text.index("\n", start)
        wanted = quote
        if "rough weather" in quote:
            ((low, high),) = row["missing"]
            assert "rough weather only one of them" in old[low:high]
            assert (row["outcome"], row["characters"] > 30) == ("lost", True)
            wanted = quote.replace(quote[quote.index(" in rough") : quote.index(", with a dozen")], "")
        else:
            assert (row["outcome"], row["missing"]) == ("same", [])
        found = " ".join(text[low:high] for low, high in row["pieces"])
        assert found.split() == wanted.replace("\n", " ").split() or "".join(found.split()) == "".join(
            wanted.split()
        )
        assert (row["pieces"][0][0], row["pieces"][-1][1]) == (start, end)
        assert row["source"] == "unanimous"
    projected = [[*piece, row["label"], "projected"] for row in job.intervals for piece in row["pieces"]]
    assert projected == job.gold.spans
