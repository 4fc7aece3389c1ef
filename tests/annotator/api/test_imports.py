"""Imports by the API: files of every size, and lists of addresses."""

from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.imports import uploads
from annotator.pages.imports.models import Import
from tests.annotator.api.client import Api
from tests.annotator.pages.imports.made import work_on
from tests.factories import ARTICLE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast", "shared_corpus")]

HTML = ARTICLE.format(number=7).encode()


def test_a_file_of_any_size_comes_in(cast: SimpleNamespace) -> None:
    """Django holds one of less than 2.5 MB in memory; nothing is in an empty one, which is refused later."""
    padding = b"<!--" + b" " * (2 * uploads.PART_BYTES) + b"-->"
    files = [
        SimpleUploadedFile("large.html", HTML + padding, "text/html"),
        SimpleUploadedFile("empty.html", b"", "text/html"),
    ]
    api = Api(cast.hanne)
    sent = api.send("/corpora/dailies/imports", files=files)
    assert sent.status_code == 202, sent.content
    run = Import.objects.get()
    assert [(file.name, file.received, file.parts) for file in run.files.all()] == [
        ("large.html", len(HTML + padding), 3),
        ("empty.html", 0, 0),
    ]
    work_on(run)
    assert api.post(f"/corpora/dailies/imports/{run.pk}/start", b"").status_code == 200
    work_on(run)
    assert (run.new, run.refused) == (1, 1)
    assert run.records.get(location="empty.html").reason == "the page is empty: it has no bytes"


def test_a_list_without_a_new_address_leaves_no_import_behind(corpus: Corpus, cast: SimpleNamespace) -> None:
    known = "https://gazette.example/known"
    add_page(corpus=corpus, raw=HTML, url=known)
    api, address = Api(cast.hanne), "/corpora/dailies/imports/addresses"
    refused = api.post(address, {"addresses": [known]})
    assert (refused.status_code, refused.json()["detail"]) == (409, "There is no new address to fetch.")
    refused = api.post(address, {"addresses": ["http://127.0.0.1/"]})
    reason = "No address can be fetched. http://127.0.0.1/: it leads to 127.0.0.1, which is no address"
    assert (refused.status_code, refused.json()["detail"].startswith(reason)) == (409, True)
    assert api.get("/corpora/dailies/imports").json()["items"] == []
    assert api.post(address, {"addresses": [known], "fetch_known": True}).json()["stage"] == "queued"
