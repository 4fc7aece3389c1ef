"""Style sheets and images that were captured with a page: stored with it, once, within limits."""

import base64
import gzip
import io
import json
import typing
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.test import Client, TestCase
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from annotator.annotations import actions as annotating
from annotator.common import storage, work
from annotator.corpora.actions import create_corpus, end_role, grant_role
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus, User
from annotator.fetching.client import Fetched, Fetcher
from annotator.fetching.errors import NotAnswered, NotThere
from annotator.pages.actions import add_page
from annotator.pages.assets import actions, fetching, queries, tasks
from annotator.pages.assets.addresses import page_of, token_of
from annotator.pages.assets.models import AssetFetch, AssetKind, FetchSource, Look, PageAsset
from annotator.pages.models import Page
from annotator.releases.takedown import take_down
from extraction.asset_sandbox import AssetSandbox
from extraction.formats.records import Asset
from tests.extraction.assets.files import bomb, png
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

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


# ---- what is served ----

HTML = """<!doctype html><title>Bridge</title><link rel=stylesheet href=/main.css><h1>Bridge opens</h1>
<p>The bridge, closed for most of the year, opened again on Monday.<img src=/bridge.png><img src=/bomb.png>"""
URL = "https://news.example/bridge"
MAIN = Asset("https://news.example/main.css", b"h1 { background: url(bridge.png) }", "text/css")
PHOTO = Asset("https://news.example/bridge.png", png(60, 40), "image/png")
BOMB = Asset("https://news.example/bomb.png", bomb(60_000, 60_000), "image/png")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[AssetSandbox]:
    with AssetSandbox() as started:
        yield started


@pytest.fixture
def page(make_page: MakePage, sandbox: AssetSandbox) -> Page:
    made = make_page(HTML, url=URL)
    actions.store_assets(page=made, assets=[MAIN, PHOTO, BOMB])
    build(made, sandbox)
    return made


def build(page: Page, sandbox: AssetSandbox) -> Look:
    assert page.document
    actions.request_look(document=page.document)
    claimed = work.claim(Look, Look.objects.get(document=page.document).pk)
    assert claimed
    assert actions.build_look(claimed, sandbox)
    return claimed


def image_url(page: Page, user: User, digest: str = "") -> str:
    digest = digest or page.assets.get(url=PHOTO.url).served_sha256
    return reverse("captured-image", args=[token_of(user, page.pk), digest])


def test_a_view_is_made_with_the_assets(page: Page) -> None:
    look = Look.objects.get(document=page.document)
    view = json.loads(storage.get(look.view_sha256))
    photo = page.assets.get(url=PHOTO.url)
    assert view["css"] == [f'h1 {{ background: url("{photo.served_sha256}") }}']
    assert ["img", {"data-asset": photo.served_sha256}, 1] in view["ops"]
    assert (look.sheets, look.images, look.missing_sheets) == (1, 1, [])
    assert (photo.kind, photo.width, photo.height) == (AssetKind.IMAGE, 60, 40)
    bomb = page.assets.get(url=BOMB.url)
    assert (bomb.kind, bomb.served_sha256) == (AssetKind.REFUSED, "")
    assert "pixels" in bomb.refusal


def test_an_image_of_two_pages_is_decoded_once(
    page: Page, make_page: MakePage, sandbox: AssetSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_page(HTML.replace("Monday", "Tuesday"), url=URL)
    actions.store_assets(page=other, assets=[MAIN, PHOTO, BOMB])
    monkeypatch.setattr(AssetSandbox, "prepare", None)
    build(other, sandbox)
    assert other.assets.get(url=PHOTO.url).served_sha256 == page.assets.get(url=PHOTO.url).served_sha256


def test_new_assets_make_a_new_view(page: Page, sandbox: AssetSandbox) -> None:
    before = queries.look_of(page.document)
    actions.store_assets(page=page, assets=[PHOTO])
    assert Look.objects.get().finished_at
    actions.store_assets(page=page, assets=[Asset("https://news.example/bomb.gif", png(2, 3))])
    assert Look.objects.get().finished_at is None
    assert queries.look_of(page.document) == before


def test_a_page_with_assets_is_found_by_the_sweep(make_page: MakePage) -> None:
    made, bare = make_page(HTML, url=URL), make_page()
    actions.store_assets(page=made, assets=[MAIN])
    tasks.request_missing()
    tasks.request_missing()
    assert [look.document for look in Look.objects.all()] == [made.document]
    tasks.request_look(bare.pk)
    assert Look.objects.count() == 1


def test_pages_with_their_styles_are_counted(page: Page, make_page: MakePage, corpus: Corpus) -> None:
    make_page(HTML.replace("Monday", "Friday"))
    make_page("<!doctype html><style>p{color:red}</style><p>A page of its own style, all of it.")
    assert queries.styles_of(Page.objects.filter(corpus=corpus)) == (2, 3, 0)


def test_a_page_waits_for_its_styles_from_when_it_is_parsed(
    make_page: MakePage, sandbox: AssetSandbox
) -> None:
    """Else the screen of an import stops looking between the two."""
    made = make_page(HTML, url=URL)
    alone = Page.objects.filter(pk=made.pk)
    assert queries.styles_of(alone).open == 0
    actions.store_assets(page=made, assets=[MAIN])
    assert queries.styles_of(alone).open == 1
    tasks.request_look(made.pk)
    assert queries.styles_of(alone).open == 1
    build(made, sandbox)
    assert queries.styles_of(alone).open == 0


def test_the_screen_shows_the_frame_to_which_images_are_limited(
    page: Page, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    slot = annotating.claim_next(corpus=page.corpus, annotator=cast.ada)
    assert slot
    client = signed_in(cast.ada)
    payload = client.get(reverse("annotate", args=[page.corpus.slug, slot.key])).context["payload"]
    look = Look.objects.get()
    assert payload["urls"]["view"].endswith(f"?look={look.view_sha256[:12]}")
    view = client.get(payload["urls"]["view"])
    assert json.loads(gzip.decompress(view.content))["dressed"]
    frame = client.get(payload["urls"]["frame"])
    policy = frame.headers["Content-Security-Policy"].split("; ")
    assert f"img-src data: http://testserver{payload['urls']['frame']}" in policy
    assert {"style-src 'unsafe-inline'", "default-src 'none'", "sandbox allow-same-origin"} < {*policy}
    assert payload["urls"]["frame_quirks"] == f"{payload['urls']['frame']}quirks"
    assert signed_in(cast.ben).get(payload["urls"]["frame"]).status_code == 404


def test_an_image_is_served_as_made_here(page: Page, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    response = signed_in(cast.ada).get(image_url(page, cast.ada))
    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    assert Image.open(io.BytesIO(response.content)).size == (60, 40)
    assert PHOTO.raw not in response.content
    assert "immutable" in response["Cache-Control"]
    assert "private" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "sandbox" in response["Content-Security-Policy"]


def test_images_are_served_to_those_alone_to_whom_the_page_is_shown(
    page: Page, cast: SimpleNamespace, signed_in: SignedIn, client: Client, corpus: Corpus
) -> None:
    own = image_url(page, cast.ada)
    other = create_corpus(slug="other", name="Other", languages=["en"])
    grant_role(corpus=other, user=cast.dov, role="admin")
    assert client.get(own).status_code == 404, "signed out"
    assert signed_in(cast.ben).get(own).status_code == 404, "another's address"
    assert signed_in(cast.dov).get(image_url(page, cast.dov)).status_code == 404, "another corpus's member"
    ada = signed_in(cast.ada)
    raw = page.assets.get(url=PHOTO.url).sha256
    for digest in ("0" * 64, raw, page.sha256, page.document.view_sha256):
        assert ada.get(image_url(page, cast.ada, digest)).status_code == 404, digest
    token = token_of(cast.ada, page.pk)
    for guessed in ("0" * 64, "A" * 32, token[:-1], token[:-4] + "AAAA", str(page.pk)):
        assert ada.get(own.replace(token, guessed)).status_code == 404, guessed
    end_role(corpus=corpus, user=cast.ada, role="annotator")
    assert ada.get(own).status_code == 404, "no member any more"


def test_the_address_of_a_page_reveals_nothing_of_its_key(cast: SimpleNamespace) -> None:
    tokens = {page: token_of(cast.ada, page) for page in range(1, 60)}
    assert {page: page_of(cast.ada, token) for page, token in tokens.items()} == {
        page: page for page in tokens
    }
    assert tokens[7] == token_of(cast.ada, 7)
    assert {len(token) for token in tokens.values()} == {32}
    assert len({token[:6] for token in tokens.values()}) == len(tokens), "no common beginning"
    assert page_of(cast.ben, tokens[7]) is None


def test_a_take_down_removes_what_is_served(page: Page) -> None:
    look, photo = Look.objects.get(), page.assets.get(url=PHOTO.url)
    with TestCase.captureOnCommitCallbacks(execute=True):
        take_down(page=page, reason="asked for")
    for digest in (look.view_sha256, photo.sha256, photo.served_sha256):
        with pytest.raises(FileNotFoundError):
            storage.get(digest)
    assert Look.objects.get().view_sha256 == ""


def test_assets_of_a_page_taken_down_are_used_no_more(
    page: Page, make_page: MakePage, sandbox: AssetSandbox, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    """An interrupted take-down leaves rows that name files which are gone, or go any moment."""
    ada, own = signed_in(cast.ada), image_url(page, cast.ada)
    served = page.assets.get(url=PHOTO.url).served_sha256
    PageAsset.objects.filter(page=page).update(fetched_at=timezone.now())
    take_down(page=page, reason="asked for")
    assert page.assets.count() == 3
    assert ada.get(own).status_code == 404
    day_before = timezone.now() - timedelta(days=1)
    assert queries.fetched_since(day_before, url=PHOTO.url, corpus=page.corpus_id) is None
    Look.objects.all().delete()
    assert not queries.without_look().exists()
    storage.remove(served)
    other = make_page(HTML.replace("Monday", "Tuesday"), url=URL)
    actions.store_assets(page=other, assets=[PHOTO])
    build(other, sandbox)
    assert storage.get(other.assets.get(url=PHOTO.url).served_sha256)


def test_images_within_a_page_of_single_file_are_assets(make_page: MakePage) -> None:
    data = base64.b64encode(PHOTO.raw).decode()
    html = f"<!-- Page saved with SingleFile --><p>One paragraph.<img src='data:image/png;base64,{data}'>"
    page = make_page(html)
    [asset] = page.assets.all()
    assert storage.get(asset.sha256) == PHOTO.raw
    assert asset.url.startswith("data:,")


def test_images_within_a_page_are_shown_beside_its_captured_ones(
    make_page: MakePage, sandbox: AssetSandbox
) -> None:
    data = base64.b64encode(png(11, 12)).decode()
    page = make_page(HTML.replace("/bomb.png", f"data:image/png;base64,{data}"), url=URL)
    actions.store_assets(page=page, assets=[MAIN, PHOTO])
    look = build(page, sandbox)
    assert (look.images, look.missing_images) == (2, [])
    embedded = page.assets.get(url__startswith="data:,")
    assert (embedded.width, embedded.height) == (11, 12)


# ---- fetching what is missing ----


class Web:
    """Stands in for the fetcher: a few addresses, and what was asked for."""

    def __init__(self, answers: dict[str, bytes]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def fetch(self, url: str, *, accept: frozenset[str]) -> Fetched:
        self.asked.append(url)
        if url not in self.answers:
            raise NotThere("the site answered with status 404")
        kind = "text/css" if "text/css" in accept else "image/png"
        return Fetched(
            url=url, status=200, body=self.answers[url], media_type=kind, charset="",
            fetched_at=timezone.now(),
        )  # fmt: skip


def fetch(page: Page, source: str, web: Web, sandbox: AssetSandbox, admin: User) -> AssetFetch:
    [row] = fetching.request_fetches(corpus=page.corpus, source=FetchSource(source), by=admin)
    claimed = work.claim(AssetFetch, row.pk)
    assert claimed
    assert fetching.fetch_missing(claimed, sandbox, typing.cast("Fetcher", web))
    return AssetFetch.objects.get(pk=row.pk)


def test_what_a_page_lacks_is_fetched_on_an_admins_word(
    make_page: MakePage, sandbox: AssetSandbox, cast: SimpleNamespace
) -> None:
    page = make_page(HTML, url=URL)
    css = b"@import 'more.css'; h1 { background: url(bridge.png) }"
    web = Web({MAIN.url: css, "https://news.example/more.css": b"p {}", PHOTO.url: PHOTO.raw})
    row = fetch(page, "origin", web, sandbox, cast.hanne)
    assert (row.found, row.missing) == (3, 1)
    assert web.asked == [MAIN.url, PHOTO.url, BOMB.url, "https://news.example/more.css"]
    assert all(asset.fetched_at for asset in page.assets.all())
    look = fetching.look_to_make(row)
    assert look
    claimed = work.claim(Look, look.pk)
    assert claimed
    assert actions.build_look(claimed, sandbox)
    assert queries.styles_of(Page.objects.filter(pk=page.pk)) == (1, 1, 0)
    event = AuditEvent.objects.get(action="assets_requested")
    assert (event.person, event.item) == (cast.hanne, "origin")


def test_the_archive_is_asked_for_what_it_had_at_the_time(
    make_page: MakePage, sandbox: AssetSandbox, cast: SimpleNamespace
) -> None:
    page = make_page(HTML, url=URL)
    Page.objects.filter(pk=page.pk).update(captured_at=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC))
    web = Web({})
    row = fetch(page, "archive", web, sandbox, cast.hanne)
    assert (row.found, row.missing) == (0, 3)
    assert web.asked[:2] == [
        "https://web.archive.org/web/20240506070809cs_/https://news.example/main.css",
        "https://web.archive.org/web/20240506070809im_/https://news.example/bridge.png",
    ]


def test_a_site_that_does_not_answer_is_not_asked_for_ever(
    make_page: MakePage, sandbox: AssetSandbox, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each address uses up a visit, the next visit goes on with the next one."""

    class DeadWeb(Web):
        def fetch(self, url: str, *, accept: frozenset[str]) -> Fetched:
            self.asked.append(url)
            raise NotAnswered("the site did not answer in time")

    monkeypatch.setattr(fetching, "VISIT", 0)
    page, web = make_page(HTML, url=URL), DeadWeb({})
    [row] = fetching.request_fetches(corpus=page.corpus, source=FetchSource.ORIGIN, by=cast.hanne)
    for _visit in range(3):
        claimed = work.claim(AssetFetch, row.pk)
        assert claimed
        assert not fetching.fetch_missing(claimed, sandbox, typing.cast("Fetcher", web))
    claimed = work.claim(AssetFetch, row.pk)
    assert claimed
    assert fetching.fetch_missing(claimed, sandbox, typing.cast("Fetcher", web))
    row.refresh_from_db()
    assert web.asked == [MAIN.url, PHOTO.url, BOMB.url]
    assert (row.state, row.missing, len(row.problems)) == ("done", 3, 3)


def test_only_an_admin_can_have_it_fetched(
    make_page: MakePage, cast: SimpleNamespace, signed_in: SignedIn, corpus: Corpus
) -> None:
    make_page(HTML, url=URL)
    for who, status in ((cast.rhea, 403), (cast.hanne, 302)):
        answer = signed_in(who).post(reverse("styles-fetch", args=[corpus.slug]), {"source": "origin"})
        assert answer.status_code == status
    assert AssetFetch.objects.get().requested_by == cast.hanne
    assert signed_in(cast.hanne).post(reverse("styles-fetch", args=[corpus.slug])).status_code == 400
    AssetFetch.objects.update(missing=1, problems={MAIN.url: "the site answered with status 404"})
    screen = signed_in(cast.rhea).get(reverse("styles", args=[corpus.slug])).content.decode()
    shown = " ".join(screen.split())
    for words in ("0 of 1 page has its styles", "1 of 1", "1 could not be fetched", MAIN.url, "status 404"):
        assert words in shown
    assert "styles/fetch" not in screen
