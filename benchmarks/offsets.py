"""Invariant 1 on every page: the browser's text equals the stored one, and spans survive save and reload."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from tqdm import tqdm

from annotator.annotations.actions import open_round
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from benchmarks import published_corpora
from extraction.documents.document import Document
from extraction.formats import BadRecord
from extraction.formats.records import PageRecord
from extraction.parsing.repairs import ENOUGH
from extraction.sandbox import Parser
from tests import chromium
from tests.browser import workbench
from tests.browser.offsets import SPANS, Outcome, building, check, parsed
from tests.conftest import FLAGS
from tests.corpora import records as own_records
from tests.factories import PASSWORD, make_user
from tests.processes import web

SAMPLING = 20  # one page in so many is marked, saved and reloaded in the workbench


@dataclass
class OffsetCounts:
    """The results of one corpus."""

    title: str
    pages: int = 0
    spans: int = 0
    saved: int = 0
    saved_spans: int = 0
    wrong: list[Outcome] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    short: list[str] = field(default_factory=list)

    def take(self, location: str, document: Document, outcome: Outcome) -> None:
        """Count a page that was rendered in both views."""
        self.spans += outcome.spans
        if outcome.problems:
            self.wrong.append(outcome)
        if document.repairs:
            repairs = ", ".join(document.repairs)
            self.repaired.append(f"{location}: {repairs}, {len(document.text):,} characters")
        elif len(document.text) < ENOUGH:
            self.short.append(f"{location}: {len(document.text)} characters; {_why_short(document)}")


def run(limit: int | None = None) -> str:
    """Render every page in Chromium by the app's modules, and a sample of them in the workbench."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        counts, share = _build_all(browser, limit)
        _save_all(browser, share)
        browser.close()
    return _report(counts)


Share = list[tuple[OffsetCounts, PageRecord]]


def _build_all(browser: Browser, limit: int | None) -> tuple[list[OffsetCounts], Share]:
    counts: list[OffsetCounts] = []
    share: Share = []
    with building(browser) as builder:
        for title, records in _corpora(limit):
            count = OffsetCounts(title)
            counts.append(count)
            for record in tqdm(records, desc=f"offsets: {title}", disable=None):
                count.pages += 1
                if isinstance(record, BadRecord):
                    count.refused.append(f"{record.location}: {record.reason}")
                    continue
                document = parsed(record.raw, record.charset)
                if isinstance(document, str):
                    count.refused.append(f"{record.location}: {document}")
                    continue
                count.take(record.location, document, builder.check(record.location, document))
                if count.pages % SAMPLING == 1:
                    share.append((count, record))
    return counts, share


def _corpora(limit: int | None) -> Iterator[tuple[str, list[PageRecord | BadRecord]]]:
    known = published_corpora.found()
    for corpus in known:
        yield corpus.title, list(published_corpora.records(corpus, limit))
    if not known:
        yield "our own demo pages", list(own_records(limit))


def _why_short(document: Document) -> str:
    """Return why a page has little text."""
    raw = (document.raw or b"").lower()
    scripts = sum(isinstance(event, list) and event[0] == "script" for event in document.events)
    if b"<frameset" in raw:
        return "a frameset, whose frames were not captured"
    if not document.text:
        return f"an empty page, which its {scripts} scripts would have filled"
    return f"this is all its text: \u201c{' '.join(document.text.split())[:80]}\u201d"


def _save_all(browser: Browser, share: Share) -> None:
    corpus = create_corpus(slug="bench-offsets", name="Offsets")
    annotator = make_user("bench", password=PASSWORD)
    grant_role(corpus=corpus, user=annotator, role="annotator")
    with Parser() as parser, tempfile.TemporaryDirectory() as folder, web(Path(folder)) as site:
        window = browser.new_page()
        workbench.sign_in(window, site, annotator.username)
        for count, record in tqdm(share, desc="offsets: saved and reloaded", disable=None):
            _save(count, check(site, window, create_page(corpus, record.raw, parser), annotator))


def _save(count: OffsetCounts, outcome: Outcome) -> None:
    count.saved += 1
    count.saved_spans += outcome.spans
    if outcome.problems:
        count.wrong.append(outcome)


def create_page(corpus: Corpus, raw: bytes, parser: Parser) -> Page:
    """Add and parse a page, and open its round."""
    page = add_page(corpus=corpus, raw=raw).page
    claimed = work.claim(Page, page.pk)
    if claimed is None or build_document(claimed, parser) is None:
        raise SystemExit(f"{page.sha256} could not be built")
    open_round(page=page)
    return page


def _report(counts: list[OffsetCounts]) -> str:
    rows = [
        f"| {c.title} | {c.pages:,} | {c.pages - len(c.refused):,} | {c.spans:,} | {c.saved} "
        f"| {c.saved_spans:,} | {len(c.refused)} | {len(c.repaired)} | {len(c.short)} | {len(c.wrong)} |"
        for c in counts
    ]
    lines = [
        "## Exact offsets",
        "",
        f"{sum(c.pages for c in counts):,} pages built in Chromium by the app's own modules, in page "
        "and in reading view: SHA-256 of the text, order of its nodes, random spans to the DOM and back. "
        f"One in {SAMPLING} also opened in the workbench: up to {SPANS} spans marked, saved and reloaded.",
        "",
        "| corpus | pages | built | spans | saved pages | saved spans | refused | repaired "
        f"| below {ENOUGH} characters | with a difference |",
        "| --- " + "| ---: " * 9 + "|",
        *rows,
    ]
    for title, listed in (
        ("Refused, by which limit", [line for c in counts for line in c.refused]),
        ("Repaired", [line for c in counts for line in c.repaired]),
        (f"Below {ENOUGH} characters, and why", [line for c in counts for line in c.short]),
        ("With a difference", [f"{o.page}: {', '.join(o.problems)}" for c in counts for o in c.wrong]),
    ):
        if listed:
            lines += ["", f"{title}:", "", *(f"- {line}" for line in listed)]
    return "\n".join(lines)
