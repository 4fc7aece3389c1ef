"""Law 1 in a real browser: thirty fixed pages, both views, a hundred random spans each."""

from types import SimpleNamespace

import pytest

from annotator.annotations.actions import claim_on
from annotator.corpora.models import Corpus
from tests.browser.conftest import SignIn
from tests.browser.offsets import check
from tests.corpora import records
from tests.factories import PASSWORD, MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = 30


def test_offsets_survive_the_browser(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    cast.ada.set_password(PASSWORD)
    cast.ada.save()
    window = sign_in(cast.ada)
    pages = [make_page(record.raw) for record in records(PAGES)]
    outcomes = [check(site, window, page, cast.ada) for page in pages]
    assert [outcome for outcome in outcomes if outcome.problems] == []
    assert sum(outcome.spans for outcome in outcomes) > 50 * len(pages)


def test_a_page_whose_text_differs_is_refused(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    """The proof can fail: the browser builds one text, the server has the digest of another."""
    cast.ada.set_password(PASSWORD)
    cast.ada.save()
    page = make_page()
    page.documents.update(sha256="0" * 64)
    slot = claim_on(page=page, annotator=cast.ada)
    window = sign_in(cast.ada)
    window.goto(f"{site}/c/dailies/slots/{slot.pk}/")
    window.wait_for_selector("html[data-ready='refused']")
