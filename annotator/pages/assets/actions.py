"""Writes about assets: store them as captured, and make the views that are served with them."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotator.common import storage, work
from annotator.pages.assets.models import AssetKind, Look, PageAsset
from annotator.pages.assets.queries import usable_assets
from annotator.pages.files import keep_files, keep_files_of
from annotator.pages.models import Page, StoredDocument
from extraction.asset_sandbox import AssetSandbox, BuiltView, CapturedSheet
from extraction.assets.data_urls import images_in
from extraction.assets.errors import AssetRefused
from extraction.documents.view.captured_assets import Picture
from extraction.formats.records import Asset

# Of one page; what is beyond is not stored.
MAX_ASSETS = 1_000
MAX_BYTES = 64 * 1024 * 1024
# Of one asset; a larger one is recorded without its bytes.
MAX_ASSET_BYTES = 12 * 1024 * 1024
MAX_URL = 4_000


@transaction.atomic
def store_assets(*, page: Page, assets: Iterable[Asset], fetched_at: datetime | None = None) -> int:
    """Store what the page does not have yet, by address; return how many that were.

    Views that were made without them are made again.
    """
    keep_files_of(page.pk)
    known = dict(page.assets.values_list("url", "size"))
    left = MAX_BYTES - sum(known.values())
    rows: list[PageAsset] = []
    for asset in assets:
        if asset.url in known or not asset.raw or len(asset.url) > MAX_URL or len(known) >= MAX_ASSETS:
            continue
        is_stored = len(asset.raw) <= min(left, MAX_ASSET_BYTES)
        left -= len(asset.raw) if is_stored else 0
        known[asset.url] = len(asset.raw)
        rows.append(_row(page, asset, fetched_at, is_stored=is_stored))
    PageAsset.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        for look in Look.objects.filter(document__page=page):
            work.reopen(look)
    return len(rows)


def _row(page: Page, asset: Asset, fetched_at: datetime | None, *, is_stored: bool) -> PageAsset:
    row = PageAsset(
        page=page,
        url=asset.url.replace("\0", ""),
        size=len(asset.raw),
        media_type=asset.media_type[:100].replace("\0", ""),
        fetched_at=fetched_at,
    )
    if is_stored:
        row.sha256 = storage.put(asset.raw)
    else:
        row.kind, row.refusal = AssetKind.REFUSED, f"it has {len(asset.raw):,} bytes, which is too much"
    return row


def request_look(*, document: StoredDocument) -> Look | None:
    """Ask for the view with the page's assets; None if it was asked for before."""
    look, new = Look.objects.get_or_create(document=document)
    return look if new else None


def build_look(look: Look, sandbox: AssetSandbox) -> bool:
    """Read what is new among the assets of a claimed look's page, and make the view; False if it failed."""
    try:
        built = build_with_assets(look.document, sandbox)
    except AssetRefused as refusal:
        work.fail(look, error=str(refusal))
        return False
    with transaction.atomic():
        keep_files_of(look.document.page_id)
        return work.finish(
            look,
            view_sha256=storage.put_compressed(built.view),
            sheets=built.sheets,
            images=built.images,
            missing_sheets=list(built.missing_sheets),
            missing_images=list(built.missing_images),
        )


def build_with_assets(document: StoredDocument, sandbox: AssetSandbox) -> BuiltView:
    """The document's view with the page's assets, of which those that are new are read first.

    Raises AssetRefused if it cannot be made.
    """
    assets = PageAsset.objects.filter(page=document.page_id)
    _store_embedded(document.page, assets)
    for asset in assets.filter(kind=""):
        _prepare(asset, sandbox)
    return sandbox.build_view(
        storage.get(document.packed_sha256),
        url=document.page.url,
        encoding=document.encoding,
        sheets=_sheets(assets),
        pictures=_pictures(assets),
    )


def _store_embedded(page: Page, assets: QuerySet[PageAsset]) -> None:
    """Store the images that the page and its new sheets hold in `data:` addresses."""
    sheets = assets.filter(kind="", media_type="text/css").exclude(sha256="").values_list("sha256", flat=True)
    for digest in (page.sha256, *sheets):
        store_assets(page=page, assets=images_in(storage.get(digest)))


def _prepare(asset: PageAsset, sandbox: AssetSandbox) -> None:
    """Find out what the asset is, and make the image that is served in its place."""
    if _found_before(asset):
        return
    row = PageAsset.objects.filter(pk=asset.pk)
    try:
        found = sandbox.prepare(storage.get(asset.sha256), asset.media_type)
    except AssetRefused as refusal:
        row.update(kind=AssetKind.REFUSED, refusal=str(refusal)[:200])
        return
    with transaction.atomic():
        keep_files_of(asset.page_id)
        row.update(
            kind=AssetKind(found.kind),
            served_sha256=storage.put(found.data) if found.data else "",
            served_type=found.media_type,
            width=found.width,
            height=found.height,
        )


@transaction.atomic
def _found_before(asset: PageAsset) -> bool:
    """Whether the same bytes were prepared for another page; the asset is then as they are."""
    keep_files()
    fields = ("kind", "refusal", "served_sha256", "served_type", "width", "height")
    twins = usable_assets().filter(sha256=asset.sha256, media_type=asset.media_type).exclude(kind="")
    twin = twins.values(*fields).first()
    return twin is not None and bool(PageAsset.objects.filter(pk=asset.pk).update(**twin))


def _sheets(assets: QuerySet[PageAsset]) -> Iterable[CapturedSheet]:
    sheets = assets.filter(kind=AssetKind.SHEET).order_by("id")
    return (CapturedSheet(url, storage.get(digest)) for url, digest in sheets.values_list("url", "sha256"))


def _pictures(assets: QuerySet[PageAsset]) -> dict[str, Picture]:
    images = assets.filter(kind=AssetKind.IMAGE).values_list("url", "served_sha256", "width", "height")
    return {url: Picture(digest, width, height) for url, digest, width, height in images}
