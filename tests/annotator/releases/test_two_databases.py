"""The same release, made and exported on two databases: the same bytes.

Each database has its own keys, people and order of pages, and its own files. Processes of their own make and
export them, as on two machines.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg2
import pytest

ROOT = Path(__file__).resolve().parents[3]


class Elsewhere:
    """A database and a folder of files, for `manage.py` in a process of its own."""

    def __init__(self, name: str, home: Path) -> None:
        parts = urlsplit(os.environ["DATABASE_URL"])
        url = urlunsplit(parts._replace(path=f"/{name}"))
        self._environment = {**os.environ, "DATABASE_URL": url, "GOLDPAN_HOME": str(home)}

    def run(self, *command: str) -> None:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self._environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Elsewhere]]:
    """Two, each filled with the same history in its own way."""
    one, two = (f"release_{uuid4().hex[:12]}" for _ in range(2))
    made = [Elsewhere(name, tmp_path_factory.mktemp(name)) for name in (one, two)]
    with closing(psycopg2.connect(os.environ["DATABASE_URL"])) as server, server.cursor() as cursor:
        server.autocommit = True
        try:
            cursor.execute(f"create database {one}")
            made[0].run("manage.py", "migrate", "-v0")
            cursor.execute(f"create database {two} template {one}")
            for seed, database in enumerate(made, start=1):
                database.run("-m", "tests.annotator.releases.elsewhere", str(seed))
            yield made
        finally:
            for name in (two, one):
                cursor.execute(f"drop database if exists {name} with (force)")


@pytest.mark.parametrize("format_", ["jsonl", "scrapinghub"])
@pytest.mark.parametrize("number", [1, 2])
def test_a_release_is_the_same_bytes_on_two_databases(
    databases: list[Elsewhere], tmp_path: Path, number: int, format_: str
) -> None:
    folders = [tmp_path / str(place) for place in range(len(databases))]
    for database, folder in zip(databases, folders, strict=True):
        database.run("manage.py", "export", "dailies", format_, str(folder), "--release", str(number))
    one, two = ({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                for folder in folders)  # fmt: skip
    assert len(one) >= 8
    assert [name for name in one | two if one.get(name) != two.get(name)] == []


def test_an_archive_of_it_is_the_same_bytes_on_two_databases(
    databases: list[Elsewhere], tmp_path: Path
) -> None:
    archives = [tmp_path / f"{place}.zip" for place in range(len(databases))]
    for database, path in zip(databases, archives, strict=True):
        database.run("manage.py", "export", "dailies", "jsonl", str(path), "--release", "2")
    assert archives[0].read_bytes() == archives[1].read_bytes()
