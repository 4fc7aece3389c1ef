"""Writes about assets: store them as captured."""

from collections.abc import Iterable
from datetime import datetime

from annotator.common import storage
from annotator.pages.assets.models import AssetKind, PageAsset
from annotator.pages.models import Page
from extraction.formats.records import Asset

# Of one page; what is beyond is not stored.
MAX_ASSETS = 1_000
MAX_BYTES = 64 * 1024 * 1024
# Of one asset; a larger one is recorded without its bytes.
MAX_ASSET_BYTES = 12 * 1024 * 1024
MAX_URL = 4_000


def store_assets(*, page: Page, assets: Iterable[Asset], fetched_at: datetime | None = None) -> int:
    """Store what the page does not have yet, by address; return how many that were."""
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
