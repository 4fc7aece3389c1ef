"""The smallest page on which an extractor errs, from the error view to the source on the screen."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.pages.models import Page
from annotator.runs.models import Extraction, ShrunkPage
from annotator.runs.shrinking import MAX_ERROR
from annotator.runs.tasks import shrink_page
from tests.annotator.scored import give_gold
from tests.factories import MakePage, label_block
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def extraction(make_page: MakePage) -> Extraction:
    """Everything on the page, of which the last paragraph alone is gold."""
    page: Page = make_page()
    give_gold(page, [label_block(page.documents.get().blocks[-1])])
    return Extraction.objects.get(document__page=page, extractor__name="everything")


def ask(client: Client, extraction: Extraction, **changes: Any) -> Response:
    page = extraction.document.page
    start, end = extraction.document.blocks[0]
    asked = {"start": start, "end": end, "kind": "wrong", "labels": "body"} | changes
    return client.post(reverse("shrink", args=[page.corpus.slug, extraction.extractor_id, page.pk]), asked)


def test_the_source_is_shown(rhea: Client, extraction: Extraction) -> None:
    address = ask(rhea, extraction).headers["Location"]
    assert "data-moving" in rhea.get(address).content.decode()
    row = ShrunkPage.objects.get()
    shrink_page(row.pk)
    row.refresh_from_db()
    assert row.is_minimal
    start, end = extraction.document.blocks[0]
    assert row.html == extraction.document.text[start:end]
    shown = rhea.get(address).content.decode()
    assert f'<code id="html">{row.html}</code>' in shown
    assert "data-moving" not in shown


def test_an_error_has_one_smallest_page(rhea: Client, extraction: Extraction) -> None:
    first, again = ask(rhea, extraction), ask(rhea, extraction)
    assert first.headers["Location"] == again.headers["Location"]


def test_what_is_no_error_says_so_and_can_be_tried_again(rhea: Client, extraction: Extraction) -> None:
    address = ask(rhea, extraction, kind="missed").headers["Location"]
    row = ShrunkPage.objects.get()
    shrink_page(row.pk)
    assert "everything takes these words: it does not miss them" in rhea.get(address).content.decode()
    ask(rhea, extraction, kind="missed")
    row.refresh_from_db()
    assert row.state == "waiting"


def test_a_worker_without_the_version_leaves_it_to_others(rhea: Client, extraction: Extraction) -> None:
    type(extraction.extractor).objects.filter(pk=extraction.extractor_id).update(version="0")
    ask(rhea, extraction)
    row = ShrunkPage.objects.get()
    shrink_page(row.pk)
    row.refresh_from_db()
    assert (row.state, row.faults) == ("waiting", 1)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"start": -1}, 400),
        ({"labels": "nothing"}, 400),
        ({"end": 10**9}, 422),
        ({"start": 5, "end": 5}, 422),
        ({"start": 0, "end": MAX_ERROR + 1}, 422),
    ],
)
def test_errors_that_cannot_be(
    rhea: Client, extraction: Extraction, changes: dict[str, object], status: int
) -> None:
    assert ask(rhea, extraction, **changes).status_code == status
    assert not ShrunkPage.objects.exists()


def test_nobody_of_another_corpus_sees_it(
    client: Client, cast: SimpleNamespace, rhea: Client, extraction: Extraction
) -> None:
    address = ask(rhea, extraction).headers["Location"]
    client.force_login(cast.dov)
    assert client.get(address).status_code == 404
