"""The same releases, built and exported on two databases, are the same byte for byte.

Each database has its own keys, people, order of pages and files, and its own processes.
"""

import os
from pathlib import Path

from tests.databases import made

EXPORT = """
import sys
import django
django.setup()
from django.core.management import call_command
for name, format, number in ("first", "jsonl", 1), ("second", "scrapinghub", 2), ("second.zip", "jsonl", 2):
    call_command("export", "dailies", format, f"{sys.argv[1]}/{name}", release=number)
"""


def test_releases_are_the_same_bytes_on_two_databases(tmp_path: Path) -> None:
    homes, folders = ([tmp_path / f"{what} {number}" for number in (1, 2)] for what in ("home", "out"))
    for folder in (*homes, *folders):
        folder.mkdir()
    with made(homes[0], like=os.environ.get("TEST_TEMPLATE", "")) as one:
        one.migrate()
        with made(homes[1], like=one.name) as two:
            for seed, (database, folder) in enumerate(zip((one, two), folders, strict=True), start=1):
                database.run("-m", "tests.annotator.releases.elsewhere", str(seed))
                database.run("-c", EXPORT, str(folder))
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in folders
    )
    assert len(first) > 2 * 8
    assert [name for name in first | second if first.get(name) != second.get(name)] == []
