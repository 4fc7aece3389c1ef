"""A backup that an earlier Goldpan made, restored by this one."""

from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from launcher import encryption
from tests.databases import ROOT, made


def test_backup_of_the_previous_migration_is_restored_and_migrated(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, now = sorted(path.stem for path in (ROOT / "annotator" / "migrations").glob("0*.py"))[-2:]
    key, archive = tmp_path / "key", tmp_path / "old.tar.age"
    file = Path("files", "ab", "cd")
    monkeypatch.setenv("GOLDPAN_BACKUP_RECIPIENTS", encryption.make_identity(key))
    with made(tmp_path / "old") as old, made(tmp_path / "new") as new:
        old.migrate(before)
        with django_db_blocker.unblock(), old.rows(before) as models, transaction.atomic(using=old.name):
            corpus = models.get_model("annotator.Corpus")(slug="dailies", name="Zeitungen\u2028ñ", seed=7)
            corpus.save(using=old.name)
            corpus.guidelines.create(number=1, texts={"en": "x"})
            corpus.pages.create(sha256="ab" * 32, size=3, url="https://daily.example/1")
        (tmp_path / "old" / file).parent.mkdir(parents=True)
        (tmp_path / "old" / file).write_bytes(b"raw")

        old.run("-m", "launcher", "backup", str(archive))
        new.run("-m", "launcher", "restore", "--identity", str(key), str(archive))

        new.run("manage.py", "migrate", "--check")
        with django_db_blocker.unblock(), new.rows(now) as models:
            pages = models.get_model("annotator.Page").objects.using(new.name)
            found = list(pages.values_list("corpus__name", "corpus__seed", "sha256", "size", "url"))
        assert found == [("Zeitungen\u2028ñ", 7, "ab" * 32, 3, "https://daily.example/1")]
        assert (tmp_path / "new" / file).read_bytes() == b"raw"
