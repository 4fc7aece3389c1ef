"""Pages that are imported by their addresses come with their style sheets and images, fetched for real."""

import json
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from annotator.common import storage
from annotator.corpora.models import Corpus
from annotator.pages import tasks as pages
from annotator.pages.assets import tasks
from annotator.pages.assets.models import AssetFetch, Look, PageAsset
from annotator.pages.feeds.models import FollowedFeed
from annotator.pages.imports.models import Import, ImportAddress, Stage
from annotator.pages.models import Page
from annotator.releases.takedown import take_down
from tests.annotator.fetching.sites import Site, redirect, response
from tests.annotator.pages.imports.made import work_on
from tests.annotator.pages.imports.test_addresses import fetch
from tests.extraction.assets.files import png
from tests.factories import ARTICLE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

HEAD = "<link rel=stylesheet href=/main.css><img src=/photo.png>"


def article(number: int, more: str = "") -> bytes:
    return response(ARTICLE.format(number=number).replace("<body>", f"<body>{HEAD}{more}").encode())


@pytest.fixture
def gazette(good: Site) -> Site:
    """A site of two articles with one look, of which its robots.txt keeps programs away."""
    good.answers |= {
        "/robots.txt": response(b"User-agent: *\nDisallow: /main.css\n", content_type="text/plain"),
        "/one": article(1, "<img src=/gone.png><img src=/inside.png>"),
        "/two": article(2),
        "/main.css": response(b"@import 'more.css'; h1 { color: red }", content_type="text/css"),
        "/more.css": response(b"p { background: url(dot.png) }", content_type="text/css"),
        "/photo.png": response(png(60, 40), content_type="image/png"),
        "/dot.png": response(png(3, 3), content_type="image/png"),
        "/inside.png": redirect("http://169.254.169.254/latest/photo.png"),
    }
    assert HEAD in good.answers["/one"].decode()  # type: ignore[union-attr]
    return good


def import_lines(client: Client, *lines: str, **asked: str) -> Import:
    client.post("/c/dailies/imports/addresses/", {"addresses": "\n".join(lines), **asked})
    return fetch(client)


def work_on_pages() -> None:
    """What workers do with new pages: parse them, fetch what they name, make their views."""
    for page in Page.objects.filter(finished_at=None).order_by("pk"):
        pages.build_document(page.pk)
        tasks.request_look(page.pk)
    for row in AssetFetch.objects.open().order_by("pk"):
        tasks.fetch_assets(row.pk)
    for look in Look.objects.open():
        tasks.build_look(look.pk)


def test_imported_addresses_bring_their_look(
    cast: SimpleNamespace, corpus: Corpus, hanne: Client, gazette: Site
) -> None:
    run = import_lines(hanne, gazette.url("/one"), gazette.url("/two"), with_assets="on")
    assert (run.stage, run.new) == (Stage.COMPLETED, 2)
    waiting = hanne.get(f"/c/dailies/imports/{run.pk}/state/").content.decode()
    assert "0 of 2" in waiting
    assert "data-moving" in waiting, "the screen follows the fetching"
    work_on_pages()
    view = json.loads(storage.get(Look.objects.get(document__page__url=gazette.url("/one")).view_sha256))
    assert view["dressed"]
    assert "h1 { color: red }" in view["css"][0]
    assert PageAsset.objects.filter(url=gazette.url("/photo.png"), width=60).count() == 2
    for path in ("/main.css", "/more.css", "/photo.png", "/dot.png", "/gone.png", "/inside.png"):
        assert gazette.paths().count(path) == 1, f"{path}: once for both pages"
    one, two = AssetFetch.objects.order_by("pk")
    assert (one.found, one.missing, two.found, two.missing) == (4, 2, 4, 0)
    assert one.requested_by == cast.hanne
    assert "404" in one.problems[gazette.url("/gone.png")]
    assert "169.254.169.254" in one.problems[gazette.url("/inside.png")]
    screen = " ".join(hanne.get(f"/c/dailies/imports/{run.pk}/state/").content.decode().split())
    assert "2 of 2 · 8 files" in screen
    assert "2 style sheets and images could not be fetched; the pages are shown without them" in screen
    assert gazette.url("/gone.png") in screen
    assert "2 of 2 pages have their styles" in screen
    assert "data-moving" not in screen


def test_without_the_admins_word_nothing_but_pages_is_fetched(
    corpus: Corpus, hanne: Client, gazette: Site
) -> None:
    import_lines(hanne, gazette.url("/one"))
    work_on_pages()
    assert gazette.paths() == ["/robots.txt", "/one"]
    assert not AssetFetch.objects.exists()


def test_what_does_not_answer_is_asked_for_later_and_the_rest_is_shown(
    corpus: Corpus, hanne: Client, gazette: Site
) -> None:
    gazette.answers["/photo.png"] = response(status="503 Later")
    import_lines(hanne, gazette.url("/two"), with_assets="on")
    work_on_pages()
    row = AssetFetch.objects.get()
    assert (row.finished_at, row.returns, row.found) == (None, 1, 3)
    assert row.enqueued_at > timezone.now() + timedelta(minutes=1)
    assert Look.objects.get().sheets == 2, "the page is dressed with what has come"
    gazette.answers["/photo.png"] = response(png(60, 40), content_type="image/png")
    work_on_pages()
    row.refresh_from_db()
    assert (row.found, row.missing, row.error) == (4, 0, "")
    assert gazette.paths().count("/main.css") == 1


def test_a_site_that_never_answers_ends_as_a_reason(corpus: Corpus, hanne: Client, gazette: Site) -> None:
    gazette.answers["/photo.png"] = response(status="503 Later")
    import_lines(hanne, gazette.url("/two"), with_assets="on")
    for _visit in range(3):
        assert AssetFetch.objects.open().exists()
        work_on_pages()
    row = AssetFetch.objects.get()
    assert (row.missing, row.error) == (1, "")
    assert "503" in row.problems[gazette.url("/photo.png")]
    assert gazette.paths().count("/photo.png") == 3


def test_fetching_waits_until_the_page_is_parsed(corpus: Corpus, hanne: Client, gazette: Site) -> None:
    import_lines(hanne, gazette.url("/two"), with_assets="on")
    tasks.fetch_assets(AssetFetch.objects.get().pk)
    row = AssetFetch.objects.get()
    assert (row.finished_at, row.attempts, row.found) == (None, 0, 0)
    work_on_pages()
    assert AssetFetch.objects.get().found == 4


def test_an_import_with_fetched_looks_can_be_undone(corpus: Corpus, hanne: Client, gazette: Site) -> None:
    run = import_lines(hanne, gazette.url("/one"), with_assets="on")
    work_on_pages()
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert work_on(run).stage == Stage.UNDONE, run.error
    assert not Page.objects.exists()
    assert not AssetFetch.objects.exists()


def test_taking_a_page_down_forgets_what_it_named(corpus: Corpus, hanne: Client, gazette: Site) -> None:
    import_lines(hanne, gazette.url("/one"), with_assets="on")
    work_on_pages()
    page = Page.objects.get()
    take_down(page=page, reason="asked for")
    assert AssetFetch.objects.get().problems == {}
    address = ImportAddress.objects.get()
    assert (address.url, address.location) == ("", f"{page.sha256}-1")


def test_a_command_and_a_feed_fetch_looks_as_they_are_told(
    corpus: Corpus, hanne: Client, gazette: Site, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text(gazette.url("/one"))
    call_command("import_pages", "dailies", "urls", str(tmp_path / "list.txt"), "--no-assets")
    assert not AssetFetch.objects.exists()
    (tmp_path / "more.txt").write_text(gazette.url("/two"))
    call_command("import_pages", "dailies", "urls", str(tmp_path / "more.txt"))
    assert [row.page.url for row in AssetFetch.objects.all()] == [gazette.url("/two")]
    asked = {"every_hours": 24, "daily_cap": 5}
    post = hanne.post
    post("/c/dailies/feeds/follow/", {"url": gazette.url("/feed"), "with_assets": "on", **asked})
    post("/c/dailies/feeds/follow/", {"url": gazette.url("/bare"), **asked})
    assert {feed.url: feed.with_assets for feed in FollowedFeed.objects.all()} == {
        gazette.url("/feed"): True,
        gazette.url("/bare"): False,
    }
