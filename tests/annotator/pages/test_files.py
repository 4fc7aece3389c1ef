"""While files are stored, and until rows name them, none can be removed."""

from collections.abc import Callable

import pytest
from django.db import connection, transaction

from annotator.common import storage, work
from annotator.corpora.actions import create_corpus
from annotator.pages.assets import actions as assets
from annotator.pages.assets.models import Look
from annotator.pages.files import keep_files
from extraction.asset_sandbox import AssetSandbox, PreparedAsset
from extraction.formats.records import Asset
from extraction.sandbox import Parser
from tests.extraction.assets.files import png
from tests.factories import page_maker

pytestmark = pytest.mark.django_db(transaction=True)

HTML = """<!doctype html><title>Bridge</title><link rel=stylesheet href=/main.css><h1>Bridge opens</h1>
<p>The bridge, closed for most of the year, opened again on Monday.<img src=/bridge.png>"""
SHEET = Asset("https://news.example/main.css", b"h1 { color: red }", "text/css")
PHOTO = Asset("https://news.example/bridge.png", png(60, 40), "image/png")
HELD = """select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
    and mode = 'ShareLock' and classid::bigint << 32 | objid::bigint = hashtextextended('files', 0))"""


def holds_the_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HELD)
        return bool(cursor.fetchone()[0])


def test_the_lock_is_seen() -> None:
    with transaction.atomic():
        assert not holds_the_lock()
        keep_files()
        assert holds_the_lock()
    assert not holds_the_lock()


def test_every_file_of_a_page_is_stored_under_the_lock(
    monkeypatch: pytest.MonkeyPatch, parser: Parser
) -> None:
    stored: list[tuple[str, bool]] = []

    def watched(name: str, put: Callable[[bytes], str]) -> Callable[[bytes], str]:
        def store(data: bytes) -> str:
            stored.append((name, holds_the_lock()))
            return put(data)

        return store

    for name in ("put", "put_compressed"):
        monkeypatch.setattr(storage, name, watched(name, getattr(storage, name)))
    with AssetSandbox() as sandbox:
        made = page_maker(create_corpus(slug="dailies"), parser)(HTML, url="https://news.example/bridge")
        assets.store_assets(page=made, assets=[SHEET, PHOTO])
        assets.request_look(document=made.document)
        prepare = sandbox.prepare
        running: list[bool] = []

        def watched_prepare(raw: bytes, media_type: str) -> PreparedAsset:
            running.append(holds_the_lock())
            return prepare(raw, media_type)

        monkeypatch.setattr(sandbox, "prepare", watched_prepare)
        claimed = work.claim(Look, Look.objects.get().pk)
        assert claimed
        assert assets.build_look(claimed, sandbox)
    # The page, its document and view; sheet and photo; the photo as it is served; the view with them.
    assert [name for name, _ in stored] == [
        "put",
        "put",
        "put_compressed",
        "put",
        "put",
        "put",
        "put_compressed",
    ]
    assert all(held for _, held in stored)
    # What takes long holds nobody up.
    assert running == [False, False]
