"""Law 1 on every page: the text in the browser is the stored one, and spans survive save and reload."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from tqdm import tqdm

from annotator.annotations.actions import open_round
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from extraction.sandbox import Parser
from launcher import chromium
from tests.browser.offsets import SPANS, Outcome, check
from tests.conftest import FLAGS
from tests.corpora import records
from tests.factories import PASSWORD, make_user
from tests.processes import web


def run(limit: int | None = None) -> str:
    """Every page opened in the workbench by a real browser on a real server."""
    corpus = create_corpus(slug="bench-offsets", name="Offsets")
    annotator = make_user("bench", password=PASSWORD)
    grant_role(corpus=corpus, user=annotator, role="annotator")
    with Parser() as parser:
        pages = [_page(corpus, record.raw, parser) for record in records(limit)]
    with tempfile.TemporaryDirectory() as folder, web(Path(folder)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        window = browser.new_page()
        window.goto(f"{site}/sign-in/")
        window.fill("[name=username]", annotator.username)
        window.fill("[name=password]", PASSWORD)
        window.click("form button.primary")
        window.wait_for_url(f"{site}/")
        outcomes = [
            check(site, window, page, annotator) for page in tqdm(pages, desc="offsets", disable=None)
        ]
        browser.close()
    return _report(outcomes)


def _page(corpus: object, raw: bytes, parser: Parser) -> Page:
    page = add_page(corpus=corpus, raw=raw).page
    claimed = work.claim(Page, page.pk)
    if claimed is None or build_document(claimed, parser) is None:
        raise SystemExit(f"{page.sha256} could not be built")
    open_round(page=page)
    return page


def _report(outcomes: list[Outcome]) -> str:
    wrong = [outcome for outcome in outcomes if outcome.problems]
    lines = [
        "## Exact offsets",
        "",
        f"{len(outcomes)} pages opened in Chromium, in page and in reading view (SHA-256 of the text), then "
        f"up to {SPANS} random spans on each marked through the DOM, saved, reloaded, compared: "
        f"{sum(outcome.spans for outcome in outcomes)} spans, {len(wrong)} pages with a difference.",
    ]
    lines += [f"- {outcome.page}: {', '.join(outcome.problems)}" for outcome in wrong]
    return "\n".join(lines)
