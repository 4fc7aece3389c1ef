"""Invariant 1 in a real browser: sixty fixed pages in both views, every fifth through save and reload."""

from itertools import islice
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser

from annotator.annotations.actions import claim_on
from annotator.corpora.models import Corpus
from annotator.demo.older import PAGES as DEMO
from benchmarks import published_corpora
from extraction.documents.document import Document
from extraction.formats.records import PageRecord
from tests import golden
from tests.browser import hostile, hostile_features, hostile_shapes
from tests.browser.conftest import SignIn
from tests.browser.offsets import Outcome, building, check, parsed
from tests.factories import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = 60
SAVED = 5  # every so many pages are marked, saved and reloaded
OF_EACH = 8  # pages of each published corpus, where there are any


def fixed_pages() -> list[tuple[str, bytes]]:
    """Published pages where they lie beside the project, then our own: always the same ones."""
    pages = [
        (f"{corpus.folder}/{record.location}", record.raw)
        for corpus in published_corpora.found()
        for record in islice(published_corpora.records(corpus), OF_EACH)
        if isinstance(record, PageRecord)
    ]
    pages += [(page.name, (page / "source.html").read_bytes()) for page in golden.PAGES]
    pages += [(page.name, page.read_bytes()) for page in sorted(DEMO.glob("*.html"))]
    ours = (*hostile_shapes.PAGES, *hostile.PAGES, *hostile_features.PAGES)
    pages += [(page.name, page.raw) for page in ours if not page.refusal]
    return pages[:PAGES]


def test_offsets_survive_the_browser(browser: Browser) -> None:
    pages = fixed_pages()
    assert len(pages) == PAGES
    with building(browser) as builder:
        outcomes = [builder.check(location, document_of(raw)) for location, raw in pages]
    assert [outcome for outcome in outcomes if outcome.problems] == []
    assert sum(outcome.spans for outcome in outcomes) == 100 * PAGES


def document_of(raw: bytes) -> Document:
    document = parsed(raw)
    assert isinstance(document, Document), document
    return document


def test_spans_survive_save_and_reload(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    window = sign_in(cast.ada)
    outcomes = [check(site, window, make_page(raw), cast.ada) for _, raw in fixed_pages()[::SAVED]]
    assert [outcome for outcome in outcomes if outcome.problems] == []
    assert sum(outcome.spans for outcome in outcomes) > 30 * len(outcomes)


def test_a_page_in_another_order_is_found(browser: Browser) -> None:
    """The proof can fail: a text, a digest, or a map of offsets that is not the page's."""
    document = document_of(b"<p>One</p><p>Two</p>")
    with building(browser) as builder:
        assert builder.check("right", document) == Outcome("right", 100, [])
        moved = [document.nodes[1], document.nodes[0]]
        assert builder.check("moved", with_(document, nodes=moved)).problems
        assert builder.check("other digest", with_(document, sha256="0" * 64)).problems


def with_(document: Document, **changes: object) -> Document:
    fields = {name: getattr(document, name) for name in document.__dataclass_fields__}
    return Document(**{**fields, **changes})


def test_a_page_whose_text_differs_is_refused(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    """The browser builds one text, the server has the digest of another."""
    page = make_page()
    page.documents.update(sha256="0" * 64)
    slot = claim_on(page=page, annotator=cast.ada)
    window = sign_in(cast.ada)
    window.goto(f"{site}/c/dailies/slots/{slot.key}/")
    window.wait_for_selector("html[data-ready='refused']")
