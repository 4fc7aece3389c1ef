"""An import whose worker was killed goes on where it stopped."""

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection
from django.utils import timezone

from annotator import pipeline
from annotator.common import storage, work
from annotator.common.work import STALE
from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.pages.imports import undoing
from annotator.pages.imports.actions import confirm_import
from annotator.pages.imports.models import Import, Stage
from annotator.pages.models import Page, StoredDocument
from annotator.runs.actions import register
from annotator.runs.models import Extraction
from tests.annotator.pages.imports.made import import_all, upload, work_on
from tests.factories import ARTICLE, SignedIn
from tests.held import settings
from tests.processes import connections, purge_queues, wait_for, wait_until_gone, worker

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 300


def test_kill_9_in_the_midst_loses_and_doubles_nothing(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, tmp_path: Path
) -> None:
    purge_queues()
    lines = [json.dumps({"html": ARTICLE.format(number=number)}) for number in range(MANY)]
    run = work_on(upload(signed_in(cast.hanne), {"many.jsonl": "\n".join(lines).encode()}))
    purge_queues()
    confirm_import(run=run, with_gold=False, with_assets=True)
    held = settings("annotator.pages.imports.importing:_add", after=MANY // 2)
    before = connections()
    with worker(tmp_path, name="first", app="tests.held", settings=held) as victim:
        pipeline.import_requested(run)
        wait_for(lambda: Page.objects.count() > 50, "the first pages")
        os.killpg(victim.pid, signal.SIGKILL)
        wait_until_gone(besides=before)
    run.refresh_from_db()
    assert run.stage == Stage.RUNNING
    assert 50 < run.position == Page.objects.count() < MANY
    # As if it had been silent for long enough.
    Import.objects.update(heartbeat_at=timezone.now() - 2 * STALE)
    # Its new message waits behind those of the pages that it has brought.
    assert Import.objects.get(pk=run.pk).stage == Stage.QUEUED
    purge_queues()
    work_on(run)
    assert (run.stage, run.new, run.duplicates) == (Stage.COMPLETED, MANY, 0)
    assert Page.objects.count() == run.records.count() == MANY


@pytest.mark.parametrize(
    ("function", "calls", "has_files"),
    [("pages.files:_remove_files", 0, True), ("common.storage:remove_part", 1, False)],
    ids=["between the rows and the files", "between the files and the list of them"],
)
def test_kill_9_in_the_midst_of_undoing_leaves_no_file(
    cast: SimpleNamespace,
    corpus: Corpus,
    signed_in: SignedIn,
    tmp_path: Path,
    function: str,
    calls: int,
    has_files: bool,
) -> None:
    client = signed_in(cast.hanne)
    run = import_all(client, {"one.html": ARTICLE.format(number=1).encode()})
    digest = Page.objects.get().sha256
    purge_queues()
    held, before = settings(f"annotator.{function}", after=calls), connections()
    with worker(tmp_path, name="first", app="tests.held", settings=held) as victim:
        client.post(f"/c/dailies/imports/{run.pk}/undo/")
        wait_for(lambda: not Page.objects.exists(), "the end of its rows")
        wait_for(lambda: bool(storage.existing([digest])) == has_files, "the end of its files")
        os.killpg(victim.pid, signal.SIGKILL)
        wait_until_gone(besides=before)
    assert default_storage.exists(f"undone/{run.pk}")
    Import.objects.update(heartbeat_at=timezone.now() - 2 * STALE)
    purge_queues()
    assert work_on(run).stage == Stage.UNDONE
    assert run.finished_at
    assert not storage.existing([digest])
    assert not default_storage.exists(f"undone/{run.pk}")


def test_a_backup_from_between_the_files_and_the_end_of_an_undone_import_is_no_obstacle(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    """Its rows were read before the files, which were all removed by then, and the list of them too."""
    client = signed_in(cast.hanne)
    run = import_all(client, {"one.html": ARTICLE.format(number=1).encode()})
    client.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert work_on(run).stage == Stage.UNDONE
    Import.objects.update(finished_at=None, token=None, heartbeat_at=None)
    assert work_on(run).finished_at, run.last_fault


def test_a_worker_that_others_have_overtaken_leaves_the_list_of_files_to_them(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(cast.hanne)
    run = import_all(client, {"one.html": ARTICLE.format(number=1).encode()})
    digest = Page.objects.get().sha256
    client.post(f"/c/dailies/imports/{run.pk}/undo/")
    late = work.claim(Import, run.pk)
    assert late
    Import.objects.update(heartbeat_at=timezone.now() - 2 * STALE)
    with monkeypatch.context() as without_files:
        without_files.setattr(undoing, "remove_files", unreachable)
        assert work_on(run).undone_at
    assert not undoing.undo(late)
    Import.objects.update(enqueued_at=timezone.now() - 2 * STALE)
    assert work_on(run).finished_at, run.last_fault
    assert not storage.existing([digest])


def unreachable(_digests: list[str]) -> None:
    raise OSError("the file store cannot be reached")


def test_an_import_is_undone_while_workers_add_to_its_pages(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(cast.hanne)
    run = import_all(client, {"one.html": ARTICLE.format(number=1).encode()})
    run_pending(corpus)
    document, extractor = StoredDocument.objects.get(), register("unfluff")
    find_triggers = undoing._triggers_of

    def extract() -> None:
        with suppress(IntegrityError):
            Extraction.objects.create(document=document, extractor=extractor)
        connection.close()

    worker_ = Thread(target=extract)

    def overtaken(rows: undoing.Rows) -> list[str]:
        worker_.start()
        # It waits for us.
        worker_.join(1)
        return find_triggers(rows)

    monkeypatch.setattr(undoing, "_triggers_of", overtaken)
    client.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert work_on(run).stage == Stage.UNDONE, run.error
    worker_.join()
    assert not Extraction.objects.exists()


def test_a_process_that_replaces_a_killed_one_may_begin_late(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, tmp_path: Path
) -> None:
    """As it does on a busy machine."""
    purge_queues()
    log, client = tmp_path / "late.log", signed_in(cast.hanne)
    files = {"one.html": b"<p>A story."}
    with worker(tmp_path, name="late", concurrency=1, app="tests.slow_start") as parent:
        first = upload(client, files)
        wait_for(lambda: has_preview(first), "the first preview")
        killed = children_of(parent.pid)
        for child in killed:
            os.kill(child, signal.SIGKILL)
        wait_for(lambda: children_of(parent.pid) - killed, "the process that replaces it")
        second = upload(client, files)
        wait_for(lambda: has_preview(second) or "UP message" in log.read_text(encoding="utf-8"), "the second")
    assert has_preview(second), log.read_text(encoding="utf-8")


def has_preview(run: Import) -> bool:
    return Import.objects.filter(pk=run.pk, previewed_at__isnull=False).exists()


def children_of(pid: int) -> set[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return {int(child) for child in listed.stdout.split()}
