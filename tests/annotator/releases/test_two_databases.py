"""The same release, built and exported on two databases, is the same byte for byte.

Each database has its own keys, people, order of pages and files, and its own processes.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Elsewhere, made


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Elsewhere]]:
    """Two databases with the same corpus."""
    homes = [tmp_path_factory.mktemp("home") for _ in range(2)]
    with made(homes[0], like=os.environ.get("TEST_TEMPLATE", "")) as one:
        one.migrate()
        with made(homes[1], like=one.name) as two:
            for seed, database in enumerate((one, two), start=1):
                database.run("-m", "tests.annotator.releases.elsewhere", str(seed))
            yield [one, two]


@pytest.mark.parametrize("format_", ["jsonl", "scrapinghub"])
@pytest.mark.parametrize("number", [1, 2])
def test_a_release_is_the_same_bytes_on_two_databases(
    databases: list[Elsewhere], tmp_path: Path, number: int, format_: str
) -> None:
    folders = [tmp_path / str(index) for index in range(len(databases))]
    for database, folder in zip(databases, folders, strict=True):
        database.run("manage.py", "export", "dailies", format_, str(folder), "--release", str(number))
    one, two = ({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                for folder in folders)  # fmt: skip
    assert len(one) >= 8
    assert [name for name in one | two if one.get(name) != two.get(name)] == []


def test_an_archive_of_it_is_the_same_bytes_on_two_databases(
    databases: list[Elsewhere], tmp_path: Path
) -> None:
    archives = [tmp_path / f"{index}.zip" for index in range(len(databases))]
    for database, path in zip(databases, archives, strict=True):
        database.run("manage.py", "export", "dailies", "jsonl", str(path), "--release", "2")
    assert archives[0].read_bytes() == archives[1].read_bytes()
