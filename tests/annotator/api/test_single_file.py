"""Pages that SingleFile sends: rendered, at their address, a slice of the board; and no archives."""

import zipfile
from io import BytesIO
from types import SimpleNamespace

import pytest

from annotator.common import work
from annotator.common.roles import Scope
from annotator.pages.actions import build_document
from annotator.pages.models import Page
from extraction.sandbox import Parser
from tests.annotator.api.client import Api
from tests.annotator.api.test_pages import upload
from tests.annotator.scored import give_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

SAVED = """<!DOCTYPE html> <html lang=en><!--
 Page saved with SingleFile
 url: https://gazette.example/bridge
--><meta charset=utf-8><title>Bridge opens</title><h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again.
<p>People who live near it have been asked to use the other road until then, and buses will go round."""
ADDRESS = "https://gazette.example/bridge"


def test_a_page_that_singlefile_sends_is_a_rendered_one(
    cast: SimpleNamespace, make_page: MakePage, parser: Parser
) -> None:
    sent = Api(cast.hanne, Scope.IMPORT).send(
        "/corpora/dailies/single-file", file=upload(SAVED.encode()), url=ADDRESS
    )
    assert sent.status_code == 201, sent.content
    assert sent.json()["page"]["capture"] == "rendered"
    page = Page.objects.get()
    assert (page.url, page.site) == (ADDRESS, "gazette.example")
    assert page.captured_at
    build_document(work.claim(Page, page.pk), parser)
    give_gold(page)
    give_gold(make_page(opened=False))
    reading = Api(cast.rhea, Scope.READ)
    counted = {
        of: reading.get("/corpora/dailies/board", of=of).json()["pages"] for of in ("", "capture:rendered")
    }
    assert counted == {"": 2, "capture:rendered": 1}
    assert reading.get("/corpora/dailies/board", of="capture:painted").status_code == 422


def zip_html(*, marked: bool, tail: int = 0) -> bytes:
    """HTML with an archive in it, as SingleFile writes self-extracting pages."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("index.html", SAVED)
    begin = b"<!doctype html><html%s><body><script>/* unpacks */</script><!--sfz-data" % (
        b" data-sfz" if marked else b""
    )
    return (
        begin + packed.getvalue() + b"--><sfz-extra-data>" + b"x" * tail + b"</sfz-extra-data></body></html>"
    )


@pytest.mark.parametrize("page", [zip_html(marked=False), zip_html(marked=True, tail=2 << 20)])
def test_html_that_unpacks_an_archive_is_refused_with_the_reason(cast: SimpleNamespace, page: bytes) -> None:
    answer = Api(cast.hanne).send("/corpora/dailies/single-file", file=upload(page), url=ADDRESS)
    assert answer.status_code == 422
    assert "file format HTML" in answer.json()["detail"]
    assert not Page.objects.exists()
