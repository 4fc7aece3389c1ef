"""Tables: CSV, Parquet, a Hugging Face folder and Croissant, as other programs read them."""

import csv
import dataclasses
import io
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

from extraction.formats import WRITERS, PageRecord
from extraction.formats.citation import citation
from extraction.formats.csv_table import escaped, unescaped
from extraction.formats.huggingface import card
from extraction.formats.licences import licence_of
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.formats.exported import FACTS, made_pages, of_document, pages, plain

csv.field_size_limit(1 << 27)


def written(
    name: str, records: list[PageRecord] | tuple[PageRecord, ...], facts: DatasetFacts = FACTS
) -> bytes:
    stream = io.BytesIO()
    assert WRITERS[name].write(records, stream, facts) == len(records)
    return stream.getvalue()


def folder_of(name: str, folder: Path) -> Path:
    writer = WRITERS[name]
    assert isinstance(writer, FolderWriter)
    writer.write_folder(pages(), folder, FACTS)
    return folder


def csv_rows(records: list[PageRecord] | tuple[PageRecord, ...]) -> list[dict[str, str]]:
    text = written("csv", records).decode()
    return [
        {key: unescaped(cell) for key, cell in row.items()}
        for row in csv.DictReader(io.StringIO(text, newline=""))
    ]


@given(made_pages())
@settings(max_examples=50, deadline=None)
def test_csv_holds_texts_and_spans(records: list[PageRecord]) -> None:
    for row, record in zip(csv_rows(records), records, strict=True):
        assert record.gold
        assert row["text"] == record.document.text
        assert json.loads(row["spans"]) == plain(record.gold.spans)
        assert (row["url"], row["split"], row["verdict"]) == (record.url, record.split, record.gold.verdict)
        first = [span for span in record.gold.spans if span.label == "headline"]
        assert row["headline"] == "\n".join(record.document.text[start:end] for start, end, _ in first)


@given(made_pages())
@settings(max_examples=50, deadline=None)
def test_no_cell_of_a_csv_file_runs_and_what_was_changed_is_told(records: list[PageRecord]) -> None:
    losses_of = WRITERS["csv"].losses_of
    rows = csv.reader(io.StringIO(written("csv", records).decode(), newline=""))
    next(rows)
    for row, record in zip(rows, records, strict=True):
        assert not [cell for cell in row if cell[:1] in set("=+-@\t\r")]
        assert (Loss.FORMULAS in losses_of(record)) == any(unescaped(cell) != cell for cell in row)


def test_what_a_spreadsheet_would_run_is_counted_by_cells() -> None:
    losses_of = WRITERS["csv"].losses_of
    document = parse(b"<p>Said</p><p>=1 and =2</p>")
    said, sums = (Span(*block, "body") for block in document.blocks)
    kept = of_document(document, b"", [said, sums], 0)
    assert not losses_of(kept), "the second text of a label begins no cell"
    assert losses_of(of_document(document, b"", [said, sums._replace(label="comments")], 0))
    assert losses_of(dataclasses.replace(kept, url="=1"))
    gold = dataclasses.replace(kept.gold, reason="-")
    assert losses_of(dataclasses.replace(kept, gold=gold))


@pytest.mark.parametrize("cell", ["=1", "'=1", "''", "'", "a'", "", "-", "''=1"])
def test_an_escaped_cell_is_restored(cell: str) -> None:
    assert unescaped(escaped(cell)) == cell


def test_pandas_reads_csv_and_parquet() -> None:
    import pandas as pd

    table = pd.read_csv(io.BytesIO(written("csv", pages())), keep_default_na=False)
    frame = pd.read_parquet(io.BytesIO(written("parquet", pages())))
    assert list(frame.sha256) == list(table.sha256) == [record.sha256 for record in pages()]
    assert [unescaped(text) for text in table.text] == list(frame.text)


def test_parquet_holds_everything() -> None:
    import pyarrow.parquet as pq

    rows = pq.read_table(io.BytesIO(written("parquet", pages()))).to_pylist()
    for row, record in zip(rows, pages(), strict=True):
        assert record.gold
        assert row["html"] == record.raw
        assert [[each["start"], each["end"], each["label"]] for each in row["spans"]] == plain(
            record.gold.spans
        )
        assert [each["annotator"] for each in row["annotations"]] == ["annotator-1", "annotator-2"]
        assert (row["text"], row["split"], row["site"]) == (record.document.text, record.split, record.site)


def test_a_group_of_rows_ends_where_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr("extraction.formats.parquet._GROUP", 4000)
    file = pq.ParquetFile(io.BytesIO(written("parquet", pages())))
    assert file.num_row_groups > 2
    assert file.metadata.num_rows == len(pages())


@pytest.fixture(scope="module")
def hub_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hub")


def test_datasets_loads_the_folder(tmp_path: Path, hub_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(hub_home))
    import datasets

    found = datasets.load_dataset(str(folder_of("huggingface", tmp_path)), cache_dir=str(hub_home))
    counted = Counter({"dev": "validation"}.get(record.split, record.split) for record in pages())
    assert {split: len(found[split]) for split in found} == counted
    by_digest = {row["sha256"]: row for split in found for row in found[split]}
    for record in pages():
        row = by_digest[record.sha256]
        assert row["text"] == record.document.text
        assert [[each["start"], each["end"], each["label"]] for each in row["spans"]] == plain(
            record.gold.spans
        )


def test_the_card_has_its_header(tmp_path: Path) -> None:
    import yaml

    card = (folder_of("huggingface", tmp_path) / "README.md").read_text(encoding="utf-8")
    _, header, body = card.split("---\n", 2)
    found = yaml.safe_load(header)
    assert found["license"] == "cc-by-4.0"
    assert found["pretty_name"] == FACTS.title
    assert found["language"] == ["en", "es"]
    assert body.startswith("\n# Dailies\n")


TYPED = 'Bridge \U0001f309, \U00020bb7, é: "#\u2028\u2029\x85\x7f\ufeff\\\n---\nlicense: mit'


def test_yaml_holds_whatever_somebody_typed() -> None:
    import yaml

    facts = DatasetFacts(name=TYPED, note=TYPED, licence=TYPED)
    _, header, _body = card([], 0, facts).split("---\n", 2)
    found = yaml.safe_load(header)
    assert (found["pretty_name"], found["license_name"]) == (TYPED, TYPED)
    cited = yaml.safe_load(citation(facts))
    assert (cited["title"], cited["abstract"]) == (TYPED, TYPED)
    assert cited["authors"] == [{"name": f"Contributors of {TYPED}"}]


def test_a_set_without_splits_is_one_part(tmp_path: Path) -> None:
    writer = WRITERS["huggingface"]
    assert isinstance(writer, FolderWriter)
    unsplit = [dataclasses.replace(record, split="") for record in pages()]
    writer.write_folder(unsplit, tmp_path, FACTS)
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["train.parquet"]
    assert "are not split" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_mlcroissant_validates_and_reads_the_folder(tmp_path: Path) -> None:
    file = folder_of("croissant", tmp_path) / "croissant.json"
    command = [sys.executable, "-m", "tests.extraction.formats.croissant_judge", str(file), "train"]
    said = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    assert not said["errors"]
    assert not [
        warning for warning in said["warnings"] if "citeAs" not in warning and "datePublished" not in warning
    ]
    assert said["is_v1_1"]
    assert said["has_collection_type"]
    train = [record for record in pages() if record.split == "train"]
    assert sorted(said["rows"]) == sorted([record.sha256, record.document.text] for record in train)


def test_the_names_of_licences_are_known_however_they_are_spelled() -> None:
    assert licence_of("cc by_sa 4.0").spdx == "CC-BY-SA-4.0"
    assert licence_of("https://creativecommons.org/licenses/by/4.0/").spdx == "CC-BY-4.0"
    assert licence_of("CC BY 4.0, but ask first") is None


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_two_exports_are_the_same_bytes_without_a_clock_in_them(name: str) -> None:
    first, second = written_any(name), written_any(name)
    assert first == second
    assert not re.search(rb"2026-1[0-9]-", first)


def written_any(name: str) -> bytes:
    stream = io.BytesIO()
    WRITERS[name].write(pages(), stream, FACTS)
    return stream.getvalue()
