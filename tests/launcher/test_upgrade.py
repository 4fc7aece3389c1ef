"""What an earlier Goldpan has stored: a backup restored by this one, and a database migrated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from extraction import extractors
from launcher import encryption
from tests.databases import ROOT, made

EARLIER = "0007_labels_given_since"
NO_ARTICLE = {"verdict": "not_article", "distinguishable_labels": []}


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a database of an earlier Goldpan, to be copied: its migrations take ten seconds."""
    with made(tmp_path_factory.mktemp("earlier")) as database:
        database.migrate(EARLIER)
        yield database.name


def test_backup_of_the_previous_migration_is_restored_and_migrated(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch, earlier: str
) -> None:
    before, now = sorted(path.stem for path in (ROOT / "annotator" / "migrations").glob("0*.py"))[-2:]
    key, archive = tmp_path / "key", tmp_path / "old.tar.age"
    file = Path("files", "ab", "cd")
    monkeypatch.setenv("GOLDPAN_BACKUP_RECIPIENTS", encryption.make_identity(key))
    with made(tmp_path / "old", like=earlier) as old, made(tmp_path / "new") as new:
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


def test_data_of_a_later_version_is_refused(tmp_path: Path, earlier: str) -> None:
    with made(tmp_path, like=earlier) as database:
        later = "INSERT INTO django_migrations (app, name, applied) VALUES ('annotator', '9999_later', now())"
        command = f'from django.db import connection; connection.cursor().execute("{later}")'
        database.run("manage.py", "shell", "-v0", "-c", command)
        with pytest.raises(AssertionError, match="later version of Goldpan, which made 9999_later"):
            database.migrate()


def test_what_extractors_were_tuned_on_is_kept(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, earlier: str
) -> None:
    """Of another version than the installed one, pages that count apart for no known reason are added."""
    before, now = EARLIER, "0008_pages_tuned_on_are_rows"
    installed = extractors.get("goldpan")
    known, neighbour, own, other, stated = min(installed.tuned_on), *(letter * 64 for letter in "abcd")
    with made(tmp_path, like=earlier) as database:
        with (
            django_db_blocker.unblock(),
            database.rows(before) as models,
            transaction.atomic(using=database.name),
        ):

            def create(model: str, **values: Any) -> Any:
                return models.get_model(f"annotator.{model}").objects.using(database.name).create(**values)

            def extractor(name: str, version: str, **values: Any) -> Any:
                return create("Extractor", name=name, version=version, family=name, **values)

            corpus = create("Corpus", slug="dailies", name="Dailies", seed=7)
            corpus.guidelines.create(number=1, texts={"en": "x"})
            extractor("goldpan", installed.version)
            extractor("published", "1", uploaded_in=corpus, can_be_arm=False, tuned_on_pages=[stated])
            tuned = [extractor("goldpan", "earlier"), extractor("gone", "1")]
            sites = {known: "a.example", neighbour: "a.example", own: "b.example", other: "b.example"}
            dates = {"finalised_at": timezone.now(), "since": timezone.now(), "month": "2026-11"}
            for digest, site in sites.items():
                page = create("Page", corpus=corpus, sha256=digest, size=3, site=site)
                document = create("StoredDocument", page=page, version="1", text="x", length=1, blocks=[])
                made_of = {"page": page, "document": document}
                gold = create("Gold", **made_of, number=1, source="single", current=None, **NO_ARTICLE)
                for each in tuned:
                    extraction = create("Extraction", document=document, extractor=each)
                    create("Score", gold=gold, extraction=extraction, tuned_on=digest != other)
                create("CountedPage", page=page.pk, corpus=corpus.pk, gold=gold.pk, draw=1, **dates)
            # Of a corpus in which no such page is any more.
            for number, kind in ((-1, 8), (-2, 7)):
                counted = create("CountedPage", page=number, corpus=-1, gold=-1, draw=1, **dates)
                values = {"extractor": tuned[0], "kind": kind, "failed": False, "amounts": [], "f1": []}
                create("CountedScore", page=counted, corpus=-1, **values)
            models.get_model("annotator.PageToCount").objects.using(database.name).all().delete()

        database.migrate()

        with django_db_blocker.unblock(), database.rows(now) as models:
            stored = models.get_model("annotator.TunedOnPage").objects.using(database.name)
            found = set(stored.values_list("extractor__name", "extractor__version", "sha256"))
            to_count = models.get_model("annotator.PageToCount").objects.using(database.name)
            assert to_count.count() == len(sites) + 1, "what counts apart is decided again"
    learned = {
        ("goldpan", version, digest)
        for version in (installed.version, "earlier")
        for digest in installed.tuned_on
    }
    gone = {("gone", "1", digest) for digest in (known, neighbour, own)}
    assert found == {*learned, ("goldpan", "earlier", own), ("published", "1", stated), *gone}
