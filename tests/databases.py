"""Databases of their own, on the server of the tests, with processes that work on them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg2
from django.apps.registry import Apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader

ROOT = Path(__file__).resolve().parents[1]


class Elsewhere:
    """A database and a folder of files, for `manage.py` in a process of its own."""

    def __init__(self, name: str, home: Path) -> None:
        parts = urlsplit(os.environ["DATABASE_URL"])
        url = urlunsplit(parts._replace(path=f"/{name}"))
        self.name = name
        self._environment = {**os.environ, "DATABASE_URL": url, "GOLDPAN_HOME": str(home)}

    def run(self, *command: str) -> None:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self._environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def migrate(self, *to: str) -> None:
        """To the newest state, or to that of such a migration of ours."""
        self.run("manage.py", "migrate", "-v0", *(["annotator", *to] if to else []))

    @contextmanager
    def rows(self, migration: str) -> Iterator[Apps]:
        """The models as they were after such a migration; their rows are those of this database."""
        connections.databases[self.name] = {**connections[DEFAULT_DB_ALIAS].settings_dict, "NAME": self.name}
        try:
            yield MigrationLoader(None).project_state(("annotator", migration)).apps
        finally:
            connections[self.name].close()
            del connections[self.name]
            del connections.databases[self.name]


def create(name: str, home: Path, *, like: str = "") -> Elsewhere:
    """An empty database, or a copy of one that nobody is connected to."""
    _tell_server(f"create database {name}" + (f" template {like}" if like else ""))
    return Elsewhere(name, home)


@contextmanager
def made(home: Path, *, like: str = "") -> Iterator[Elsewhere]:
    """Such a database under a name of its own; gone afterwards."""
    name = f"elsewhere_{uuid4().hex[:12]}"
    try:
        yield create(name, home, like=like)
    finally:
        _tell_server(f"drop database if exists {name} with (force)")


def _tell_server(command: str) -> None:
    with closing(psycopg2.connect(os.environ["DATABASE_URL"])) as server, server.cursor() as cursor:
        server.autocommit = True
        cursor.execute(command)
