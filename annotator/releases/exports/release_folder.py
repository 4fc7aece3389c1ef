"""Writes a release as a folder: gold, manifest, datasheets, citation, errata, tombstones and checksums."""

from collections import Counter
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from annotator.releases.canonical_json import canonical_json
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.facts import facts_of
from annotator.releases.exports.gold_records import Progress, records
from annotator.releases.models import Release
from annotator.releases.queries import errata_of, tombstones_of
from extraction.formats.citation import CITATION, ZENODO, citation, zenodo
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, ZipSink

SPLITS, MANIFEST, SUMS, LOSSES = "splits.json", "manifest.json", "SHA256SUMS", "losses.json"


def write_release(
    contents: Contents, release: Release, folder: Path, *, step: Progress, losses: Counter[Loss]
) -> int:
    """Write a finished release into an empty folder; return the number of pages.

    Reproducible byte for byte until a page is taken down or an erratum is added. The manifest never changes.
    """
    writer, facts = contents.writer, facts_of(contents)
    found = records(contents, step, losses)
    if isinstance(writer, FolderWriter):
        count = writer.write_folder(found, folder if writer.at_root else folder / "gold", facts)
    else:
        with (folder / f"gold.{writer.suffix}").open("wb") as stream:
            count = writer.write(found, stream, facts)
    texts = [*_texts(release, facts), (LOSSES, canonical_json(dict(losses)))]
    for name, text in texts:
        (folder / name).write_text(text, encoding="utf-8", newline="")
    _write_sums(folder)
    return count


def archive(folder: Path, path: Path) -> None:
    """Write the folder as one file, reproducible byte for byte."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=6) as made:
        sink = ZipSink(made)
        for file in _files(folder):
            sink.add(file.relative_to(folder).as_posix(), file)


def _texts(release: Release, facts: DatasetFacts) -> Iterator[tuple[str, str]]:
    yield MANIFEST, release.manifest
    for language, text in release.datasheets.items():
        yield ("datasheet.md" if language == "en" else f"datasheet.{language}.md"), text
    yield CITATION, citation(facts)
    yield ZENODO, zenodo(facts)
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
