"""Imports made for tests."""

import io
import zipfile
from collections.abc import Iterator, Mapping

from django.test import Client
from django.utils import timezone

from annotator.corpora.models import Corpus, User
from annotator.pages.actions import AddedPage
from annotator.pages.feeds.actions import follow_feed
from annotator.pages.feeds.models import FeedEntry, FollowedFeed
from annotator.pages.imports import tasks
from annotator.pages.imports.actions import confirm_import, import_addresses
from annotator.pages.imports.importing import held, import_records
from annotator.pages.imports.models import Import, Stage
from annotator.pages.imports.uploads import PART_BYTES, add_file, add_part, finish_upload, start_upload


def run_import(run: Import) -> Iterator[AddedPage | None]:
    """Import the rest of a path in this process; the row is read again at the end."""
    with held(run) as claimed:
        yield from import_records(claimed)
    run.refresh_from_db()


def upload(client: Client, files: Mapping[str, bytes], *, slug: str = "dailies") -> Import:
    """Upload files as the screen does; the import, ready to be looked through."""
    begun = client.post(f"/c/{slug}/imports/start/")
    assert begun.status_code == 201, begun.content
    addresses = begun.json()
    for name, data in files.items():
        asked = client.post(addresses["files"], {"name": name, "size": len(data)}, "application/json")
        assert asked.status_code == 201, asked.content
        for offset in range(0, len(data), PART_BYTES):
            part = data[offset : offset + PART_BYTES]
            address = f"{asked.json()['parts']}?offset={offset}"
            sent = client.post(address, part, content_type="application/octet-stream")
            assert sent.json() == {"received": offset + len(part)}, sent.content
    ready = client.post(addresses["ready"])
    assert ready.status_code == 200, ready.content
    return Import.objects.get(pk=ready.json()["screen"].rstrip("/").rpartition("/")[2])


def work_on(run: Import) -> Import:
    """Take the import's next step in this process, as a worker would."""
    tasks.work_on_import(run.pk)
    run.refresh_from_db()
    return run


def import_all(
    client: Client, files: Mapping[str, bytes], *, with_gold: bool = False, slug: str = "dailies"
) -> Import:
    """Upload, preview, confirm and import."""
    run = work_on(upload(client, files, slug=slug))
    assert run.stage == Stage.PREVIEWED, (run.stage, run.error)
    chosen = {"with_assets": "on"} | ({"with_gold": "on"} if with_gold else {})
    client.post(f"/c/{run.corpus.slug}/imports/{run.pk}/confirm/", chosen)
    return work_on(run)


def previewed_import(corpus: Corpus, user: User) -> Import:
    """An upload of two pages and a picture that was looked through."""
    run = start_upload(corpus=corpus, user=user)
    files = {"story.html": b"<p>A story.", "more.html": b"<p>More.", "picture.png": b"\x89PNG\r\n"}
    for name, data in files.items():
        add_part(file=add_file(run=run, name=f"harbour/{name}", size=len(data)), offset=0, data=data)
    finish_upload(run=run)
    return work_on(run)


def completed_import(corpus: Corpus, user: User) -> Import:
    """Such an upload, imported."""
    run = previewed_import(corpus, user)
    confirm_import(run=run, with_gold=False, with_assets=True, user=user)
    return work_on(run)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def previewed_addresses(corpus: Corpus, user: User) -> Import:
    """A list of addresses before it is fetched; one of them is never asked."""
    listed = [
        "https://harbourgazette.example/2026/11/bridge",
        "https://valley.example/mill",
        "http://10.0.0.1/",
    ]
    return import_addresses(corpus=corpus, text="\n".join(listed), user=user, with_assets=True)


def followed_feed(corpus: Corpus, user: User) -> FollowedFeed:
    """A feed that was checked, of which one page waits for the next day."""
    feed = follow_feed(
        corpus=corpus, url="https://harbourgazette.example/feed.xml", every_hours=6, daily_cap=5, user=user
    )
    FollowedFeed.objects.filter(pk=feed.pk).update(
        title="Harbour Gazette", checked_at=timezone.now(), finished_at=timezone.now(), listed=6, taken=5
    )
    url = f"{feed.url}/6"
    FeedEntry.objects.create(
        feed=feed, corpus=corpus, url=url, digest="6" * 64, site="harbourgazette.example"
    )
    return feed
