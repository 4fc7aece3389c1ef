"""Writes a release as a folder: gold, manifest, datasheets, errata, tombstones and checksums."""

from collections.abc import Callable, Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import QuerySet

from annotator.common.verdicts import WITH_SPANS
from annotator.gold.models import Gold
from annotator.releases.canonical_json import canonical_json
from annotator.releases.exports.gold_records import ARTICLES_ONLY, record_of
from annotator.releases.models import Release, ReleasePage
from annotator.releases.queries import errata_of, rows_of, tombstones_of
from extraction import formats
from extraction.formats.records import PageRecord

SPLITS, MANIFEST, SUMS = "splits.json", "manifest.json", "SHA256SUMS"
# The modification time of all files in an archive, so that it is reproducible.
FIXED_DATE = (1980, 1, 1, 0, 0, 0)

Progress = Callable[[int], None]


def write_release(release: Release, format: str, folder: Path, *, step: Progress) -> int:
    """Write a finished release into an empty folder; return the number of pages.

    Reproducible byte for byte until a page is taken down or an erratum is added. The manifest never changes.
    """
    writer, rows = formats.WRITERS[format], _rows(release, format).iterator(chunk_size=100)
    records = _records(rows, format, step)
    if hasattr(writer, "write_folder"):
        gold = folder / "gold"
        gold.mkdir()
        count = int(writer.write_folder(records, gold))
    else:
        with (folder / f"gold.{format}").open("wb") as stream:
            count = int(writer.write(records, stream))
    for name, text in _texts(release):
        (folder / name).write_text(text, encoding="utf-8", newline="")
    _write_sums(folder)
    return count


def count_of(release: Release, format: str) -> int:
    """Return how many pages of the release the format can hold."""
    return _rows(release, format).count()


def archive(folder: Path, path: Path) -> None:
    """Write the folder as one file, reproducible byte for byte."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=6) as made:
        for file in _files(folder):
            info = ZipInfo(file.relative_to(folder).as_posix(), FIXED_DATE)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with file.open("rb") as source, made.open(info, "w", force_zip64=True) as target:
                while chunk := source.read(1 << 20):
                    target.write(chunk)


def _rows(release: Release, format: str) -> QuerySet[ReleasePage]:
    rows = rows_of(release)
    return rows if format not in ARTICLES_ONLY else rows.filter(gold__verdict__in=WITH_SPANS)


def _records(rows: Iterator[ReleasePage], format: str, step: Progress) -> Iterator[PageRecord]:
    for number, row in enumerate(rows, start=1):
        yield record_of(_as_released(row), ARTICLES_ONLY.get(format, "main"))
        step(number)


def _as_released(row: ReleasePage) -> Gold:
    """Return the gold, with the page's metadata as released."""
    gold = row.gold
    for name in ("url", "charset", "language"):
        setattr(gold.page, name, row.metadata[name])
    return gold


def _texts(release: Release) -> Iterator[tuple[str, str]]:
    yield MANIFEST, release.manifest
    for language, text in release.datasheets.items():
        yield ("datasheet.md" if language == "en" else f"datasheet.{language}.md"), text
    yield SPLITS, canonical_json(dict(release.rows.values_list("sha256", "split")))
    # Ordered independently of database keys and collation.
    errata = sorted(errata_of(release), key=lambda each: (each.sha256, each.description))
    yield "errata.json", canonical_json([_erratum(each) for each in errata])
    yield "takedowns.json", canonical_json([each.page.sha256 for each in tombstones_of(release)])


def _erratum(row: Any) -> dict[str, Any]:
    corrected = row.corrected_in.number if row.corrected_in else None
    return {"sha256": row.sha256, "description": row.description, "corrected_in": corrected}


def _write_sums(folder: Path) -> None:
    lines = []
    for file in _files(folder):
        with file.open("rb") as source:
            lines.append(
                f"{file_digest(source, 'sha256').hexdigest()}  {file.relative_to(folder).as_posix()}\n"
            )
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
