"""Style sheets and images that were captured with a page: stored with it, once, within limits."""

import pytest
from django.test import TestCase

from annotator.common import storage
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.assets import actions
from annotator.pages.assets.models import AssetKind, PageAsset
from annotator.releases.takedown import take_down
from extraction.formats.records import Asset

pytestmark = pytest.mark.django_db

SHEET = Asset("https://news.example/main.css", b"p { color: red }", "text/css")
IMAGE = Asset("https://news.example/bridge.png", b"\x89PNG...", "image/png")


def test_assets_are_stored_as_captured(corpus: Corpus) -> None:
    page = add_page(corpus=corpus, raw=b"<p>one", assets=[SHEET, IMAGE]).page
    stored = {asset.url: (storage.get(asset.sha256), asset.media_type) for asset in page.assets.all()}
    assert stored == {asset.url: (asset.raw, asset.media_type) for asset in (SHEET, IMAGE)}


def test_a_known_page_gets_the_assets_that_it_lacks(corpus: Corpus) -> None:
    add_page(corpus=corpus, raw=b"<p>one", assets=[SHEET])
    again = add_page(corpus=corpus, raw=b"<p>one", assets=[Asset(SHEET.url, b"other"), IMAGE])
    kept = {asset.url: storage.get(asset.sha256) for asset in again.page.assets.all()}
    assert not again.new
    assert kept == {SHEET.url: SHEET.raw, IMAGE.url: IMAGE.raw}


def test_what_is_too_large_is_recorded_without_its_bytes(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_ASSET_BYTES", 10)
    page = add_page(corpus=corpus, raw=b"<p>one", assets=[SHEET, Asset("https://a.example/b", b"small")]).page
    large, small = page.assets.order_by("id")
    assert (large.sha256, large.kind, small.kind) == ("", AssetKind.REFUSED, "")
    assert "16 bytes" in large.refusal


def test_a_page_has_no_more_assets_than_it_may(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MAX_ASSETS", 1)
    page = add_page(corpus=corpus, raw=b"<p>one", assets=[SHEET, IMAGE]).page
    assert [asset.url for asset in page.assets.all()] == [SHEET.url]


def test_a_take_down_removes_the_assets_that_no_other_page_has(corpus: Corpus) -> None:
    page = add_page(corpus=corpus, raw=b"<p>one", assets=[SHEET, IMAGE]).page
    add_page(corpus=corpus, raw=b"<p>two", assets=[SHEET])
    digests = {asset.url: asset.sha256 for asset in page.assets.all()}
    with TestCase.captureOnCommitCallbacks(execute=True):
        take_down(page=page, reason="asked for")
    assert storage.get(digests[SHEET.url]) == SHEET.raw
    with pytest.raises(FileNotFoundError):
        storage.get(digests[IMAGE.url])
    assert PageAsset.objects.filter(page=page).count() == 0
