"""Files come in through the browser: in parts, looked through, imported, and undone."""

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.test import Client

from annotator.administration.danger.actions import archive, restore
from annotator.annotations.actions import claim_next
from annotator.common import storage, work
from annotator.common.errors import BadRequest, Conflict
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.pages.actions import add_page
from annotator.pages.imports import importing, undoing, uploads, views
from annotator.pages.imports.actions import confirm_import
from annotator.pages.imports.models import Import, ImportRecord, Outcome, Stage
from annotator.pages.models import ImportedGold, Page, StoredDocument
from annotator.releases.actions import take_down
from extraction.formats.archives import safe_name
from tests.annotator.pages.imports.made import import_all, upload, work_on, zipped
from tests.factories import ARTICLE, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

MHTML_HEAD = (
    b'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n'
    b"--b\r\nContent-Type: text/html\r\n\r\n"
)
MHTML_END = b"\r\n--b--\r\n"


def page(number: int) -> bytes:
    return ARTICLE.format(number=number).encode()


def jsonl(*numbers: int, gold: bool = False) -> bytes:
    more = {"gold": {"text": "Bridge opens", "labels": ["headline"]}} if gold else {}
    lines = [json.dumps({"html": page(number).decode(), **more}) for number in numbers]
    return "\n".join(lines).encode()


def test_files_of_several_kinds_come_in_together(corpus: Corpus, hanne: Client) -> None:
    files = {
        "one.html": page(1),
        "folder/two.htm": page(2),
        "folder/two.json": b'{"url": "https://www.gazette.example/two"}',
        "three.jsonl": jsonl(3, 4),
        "more.zip": zipped({"five.html": page(5), "again.html": page(1)}),
        "picture.png": b"\x89PNG\r\n\x1a\n",
    }
    run = work_on(upload(hanne, files))
    assert run.preview["pages"] == 6
    assert (run.preview["repeated"], run.preview["refused"]) == (1, 1)
    assert not Page.objects.exists()
    screen = hanne.get(f"/c/dailies/imports/{run.pk}/").content.decode()
    assert "picture.png" in screen
    hanne.post(f"/c/dailies/imports/{run.pk}/confirm/")
    work_on(run)
    assert (run.new, run.duplicates, run.refused, run.stage) == (5, 1, 1, Stage.COMPLETED)
    outcomes = dict(run.records.values_list("location", "outcome"))
    assert outcomes == {
        "folder/two.htm": "added",
        "more.zip/again.html": "duplicate",
        "more.zip/five.html": "added",
        "one.html": "added",
        "picture.png": "refused",
        "three.jsonl:1": "added",
        "three.jsonl:2": "added",
    }
    assert Page.objects.get(url="https://www.gazette.example/two").site == "gazette.example"
    report = hanne.get(f"/c/dailies/imports/{run.pk}/report.csv").getvalue().decode()
    assert report.count("\r\n") == 8
    assert "save it as HTML" in next(line for line in report.splitlines() if "picture.png" in line)


def test_what_is_wrong_with_a_record_is_said_in_the_language_of_the_screen(
    corpus: Corpus, hanne: Client
) -> None:
    hanne.cookies["django_language"] = "es"
    run = work_on(upload(hanne, {"one.html": page(1), "picture.png": b"\x89PNG\r\n\x1a\n"}))
    address = f"/c/dailies/imports/{run.pk}/"
    html = " ".join(hanne.get(address).content.decode().split())
    assert 'No es una página: <span lang="en">' in html
    hanne.post(f"{address}confirm/")
    work_on(run)
    for screen in (address, "/c/dailies/"):
        assert "No es una página" in hanne.get(screen).content.decode(), screen
    records = hanne.get(f"{address}?kind=all").content.decode().partition('id="records"')[2]
    assert "Añadido</span>" in records
    assert "Rechazado</span>" in records, "one record, not several"


def test_what_is_wrong_with_a_record_may_have_no_name(corpus: Corpus, hanne: Client) -> None:
    run = work_on(upload(hanne, {"two.jsonl": b'[]\n{"html": "<p>Story"}\n'}))
    address = f"/c/dailies/imports/{run.pk}/"
    refused = '<span lang="en">is not a JSON object</span>'
    html = " ".join(hanne.get(address).content.decode().split())
    assert (refused in html, f": {refused}" in html) == (True, False)
    hanne.post(f"{address}confirm/")
    work_on(run)
    html = " ".join(hanne.get("/c/dailies/").content.decode().split())
    assert (refused in html, f": {refused}" in html) == (True, False)


def test_records_whose_names_no_database_can_hold_are_reported(corpus: Corpus, hanne: Client) -> None:
    """JSON can write NUL and half of a surrogate pair, and so can the head of a capture."""
    truth = {name: {"articleBody": "The bridge"} for name in ("a\0b", "c\ud83d", "one")}
    mhtml = b"Snapshot-Content-Location: https://gazette.example/\0two\r\n" + MHTML_HEAD + page(2) + MHTML_END
    files = {"ground-truth.json": json.dumps(truth).encode(), "html/one.html.gz": gzip.compress(page(1))}
    run = work_on(upload(hanne, files))
    assert (run.stage, run.preview["pages"], run.preview["refused"]) == (Stage.PREVIEWED, 1, 2), run.error
    hanne.post(f"/c/dailies/imports/{run.pk}/confirm/")
    work_on(run)
    assert (run.stage, run.new) == (Stage.COMPLETED, 1), run.error
    assert set(run.records.values_list("location", flat=True)) == {"ab", "c\ufffd", "one"}
    captured = work_on(upload(hanne, {"two.mhtml": mhtml}))
    assert captured.preview["examples"] == [["two.mhtml", "https://gazette.example/two"]], captured.error


@pytest.mark.parametrize("name", ["pages.json", "pages.zip"])
def test_lines_of_json_are_read_as_such_whatever_the_file_is_called(
    corpus: Corpus, hanne: Client, name: str
) -> None:
    data = zipped({"pages.txt": jsonl(1, 2)}) if name.endswith(".zip") else jsonl(1, 2)
    run = work_on(upload(hanne, {name: data}))
    hanne.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": "jsonl"})
    assert (work_on(run).stage, run.error) == (Stage.PREVIEWED, "")
    hanne.post(f"/c/dailies/imports/{run.pk}/confirm/")
    assert (work_on(run).stage, run.new) == (Stage.COMPLETED, 2)


def test_files_that_are_no_one_file_are_not_read_as_lines_of_json(corpus: Corpus, hanne: Client) -> None:
    run = work_on(upload(hanne, {"a.html": page(1), "b.html": page(2)}))
    hanne.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": "jsonl"})
    assert work_on(run).error == "JSONL is one file, and here are 2"


@pytest.mark.parametrize(
    ("name", "data", "format"), [("a.zip", zipped({}), ""), ("a.html", page(1), "mhtml")]
)
def test_files_without_anything_to_import_are_never_imported(
    cast: SimpleNamespace, corpus: Corpus, hanne: Client, name: str, data: bytes, format: str
) -> None:
    """The list of imports would call it done, and nobody would learn that nothing came in."""
    run = work_on(upload(hanne, {name: data}))
    if format:
        hanne.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": format})
        work_on(run)
    error = "nothing to import was found in these files; are they of another format?"
    assert (run.stage, run.error) == (Stage.FAILED, error)
    assert b"Preview again" in hanne.get(f"/c/dailies/imports/{run.pk}/").content
    with pytest.raises(Conflict):
        confirm_import(run=run, with_gold=False, with_assets=True, user=cast.hanne)


def test_a_folder_of_the_worker_is_named_to_nobody(corpus: Corpus, hanne: Client) -> None:
    run = work_on(upload(hanne, {"a.html": page(1)}))
    hanne.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": "wcxb"})
    assert work_on(run).error == "the import has no folder ground-truth"


def test_the_history_leads_to_every_import(
    corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "LISTED", 1)
    for name in ("old.html", "new.html"):
        import_all(hanne, {name: page(1)})
    first, second = (
        hanne.get("/c/dailies/imports/", {"history": number}).content.decode() for number in (1, 2)
    )
    assert "?history=2#before" in first
    assert ("old.html" in first, "old.html" in second) == (False, True)


def test_only_an_import_of_new_pages_says_that_it_can_be_undone(corpus: Corpus, hanne: Client) -> None:
    files = {"two.jsonl": jsonl(1, 2, gold=True)}
    runs = [import_all(hanne, files, with_gold=gold) for gold in (False, True)]
    assert [(run.new, run.gold) for run in runs] == [(2, 0), (0, 2)]
    screens = [hanne.get(f"/c/dailies/imports/{run.pk}/").content.decode() for run in runs]
    assert ["It can be undone" in screen for screen in screens] == [True, False]


def test_the_files_are_gone_when_the_import_has_ended(corpus: Corpus, hanne: Client) -> None:
    run = import_all(hanne, {"one.html": page(1)})
    part = f"uploads/{run.files.get().key}/000000"
    assert default_storage.exists(part)
    assert uploads.remove_old_uploads() == 1
    assert not default_storage.exists(part)
    assert uploads.remove_old_uploads() == 0


@pytest.mark.parametrize("names", [("story", "story/a.html"), ("story/a.html", "story")])
def test_no_file_has_the_name_of_a_folder(
    cast: SimpleNamespace, corpus: Corpus, names: tuple[str, str]
) -> None:
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    uploads.add_file(run=run, name=names[0], size=1)
    with pytest.raises(BadRequest, match="of a file and of a folder"):
        uploads.add_file(run=run, name=names[1], size=1)
    uploads.add_file(run=run, name="story-2", size=1)


@pytest.mark.parametrize(
    "name",
    ["页" * 82 + ".htm", "1. " + "page" * 60 + ".htm", "a.html.gz"],
    ids=["wide letters", "early point", "two endings"],
)
def test_a_second_file_of_one_name_has_one_that_a_file_can_have(
    cast: SimpleNamespace, corpus: Corpus, name: str
) -> None:
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    first, second = (uploads.add_file(run=run, name=name, size=1) for _time in range(2))
    assert first.name == safe_name(name)
    assert second.name == safe_name(second.name) != name
    assert Path(second.name).suffix == Path(name).suffix


def test_a_part_that_comes_twice_is_there_once(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    client = signed_in(cast.hanne)
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    file = uploads.add_file(run=run, name="a.html", size=6)
    address = f"/c/dailies/imports/{run.pk}/files/{file.pk}/?offset=0"
    assert client.post(address, b"<p>", "application/octet-stream").json() == {"received": 3}
    again = client.post(address, b"<p>", "application/octet-stream")
    assert (again.status_code, again.json()["received"]) == (409, 3)
    unready = client.post(f"/c/dailies/imports/{run.pk}/ready/")
    assert unready.status_code == 422
    assert "a.html" in unready.json()["error"]


@pytest.mark.parametrize(
    ("name", "size", "status"),
    [("../a.html", 1, 400), ("/etc/a.html", 1, 400), ("C:\\a.html", 1, 400), ("a.html", 1 << 50, 413)],
)
def test_a_file_that_may_not_come_in_is_refused_before_it_does(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, name: str, size: int, status: int
) -> None:
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    answer = signed_in(cast.hanne).post(
        f"/c/dailies/imports/{run.pk}/files/", {"name": name, "size": size}, "application/json"
    )
    assert answer.status_code == status
    assert answer.json()["error"]
    assert not run.files.exists()


def test_a_refusal_for_lack_of_space_says_how_much_is_needed_free_and_kept(
    cast: SimpleNamespace, corpus: Corpus, settings: Any
) -> None:
    settings.READY_MIN_FREE_MB = 10**9
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    said = r"they need 18\xa0bytes, and [1-9].* are free, of which 909\.5\xa0TB are kept free"
    with pytest.raises(uploads.UploadTooLarge, match=said):
        uploads.add_file(run=run, name="a.html", size=6)


@pytest.mark.parametrize("is_absolute", [True, False])
def test_what_is_left_of_a_long_name_leads_nowhere_else(
    corpus: Corpus, hanne: Client, tmp_path: Path, is_absolute: bool
) -> None:
    """The end of "a/etc/passwd" is "/etc/passwd", and that of "a../x" is "../x"."""
    start = str(tmp_path) if is_absolute else ".."
    room = 500 - len(f"{start}///a.html") - 240
    end = f"{start}/{'x' * 240}/{'y' * room}/a.html"
    assert len(end) == 500
    run = work_on(upload(hanne, {f"a{end}": page(1)}))
    assert not list(tmp_path.iterdir())
    assert run.preview["pages"] == 1
    # Nor are two names one, of which the ends are the same.
    assert work_on(upload(hanne, {f"a{end}": page(1), f"b{end}": page(2)})).preview["pages"] == 2


def five_begun(client: Client, monkeypatch: pytest.MonkeyPatch) -> Import:
    """An import of five pages, two at a time, that was confirmed."""
    monkeypatch.setattr(importing, "BATCH", 2)
    monkeypatch.setattr(importing, "BATCH_SECONDS", 60)
    run = work_on(upload(client, {"five.jsonl": jsonl(1, 2, 3, 4, 5)}))
    client.post(f"/c/dailies/imports/{run.pk}/confirm/")
    return run


def test_a_paused_import_goes_on_where_it_stopped(
    corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = five_begun(hanne, monkeypatch)
    Import.objects.filter(pk=run.pk).update(paused_at=run.previewed_at)
    assert work_on(run).stage == Stage.PAUSED
    assert run.position == 2
    hanne.post(f"/c/dailies/imports/{run.pk}/resume/")
    assert work_on(run).stage == Stage.COMPLETED
    assert (run.new, run.duplicates, Page.objects.count()) == (5, 0, 5)


@pytest.mark.parametrize(("is_claimed", "begun"), [(False, 0), (True, 0), (True, 2)])
def test_an_import_pauses_when_its_corpus_is_archived(
    corpus: Corpus,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
    is_claimed: bool,
    begun: int,
) -> None:
    run = five_begun(hanne, monkeypatch)
    if is_claimed:
        claimed = work.claim(Import, run.pk)
        assert claimed
        records = importing.import_records(claimed)
        if begun:
            next(records)
        archive(corpus=corpus)
        assert len(list(records)) == (1 if begun else 0)
    else:
        archive(corpus=corpus)
    assert work_on(run).stage == Stage.PAUSED
    assert (run.new, run.refused, Page.objects.count()) == (begun, 0, begun)
    restore(corpus=corpus)
    hanne.post(f"/c/dailies/imports/{run.pk}/resume/")
    assert (work_on(run).stage, run.new) == (Stage.COMPLETED, 5)


def test_a_cancelled_import_keeps_what_is_stored(
    corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = five_begun(hanne, monkeypatch)
    hanne.post(f"/c/dailies/imports/{run.pk}/pause/")
    hanne.post(f"/c/dailies/imports/{run.pk}/cancel/")
    run.refresh_from_db()
    assert (run.stage, run.position) == (Stage.CANCELLED, 0)
    assert work_on(run).position == 0


def test_an_import_is_undone_with_all_that_was_made_of_it(
    corpus: Corpus, hanne: Client, django_capture_on_commit_callbacks: Any
) -> None:
    kept = import_all(hanne, {"kept.html": page(9)})
    run = import_all(hanne, {"gold.jsonl": jsonl(1, 2, 3, gold=True)}, with_gold=True)
    assert run_pending(corpus) == 0
    assert (run.gold, Page.objects.count(), ImportedGold.objects.count()) == (3, 4, 3)
    digest = Page.objects.get(import_records__run=run, import_records__position=1).sha256
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    with django_capture_on_commit_callbacks(execute=True):
        assert work_on(run).stage == Stage.UNDONE, run.error
    assert list(Page.objects.values_list("import_records__run", flat=True)) == [kept.pk]
    assert not ImportedGold.objects.exists()
    assert StoredDocument.objects.count() == 1
    assert not default_storage.exists(f"{digest[:2]}/{digest[2:4]}/{digest}")
    # The report stays, and the same files can be imported again.
    assert run.records.filter(outcome=Outcome.ADDED, page=None).count() == 3
    assert import_all(hanne, {"gold.jsonl": jsonl(1, 2, 3, gold=True)}).new == 3


def test_what_a_command_imported_is_undone_too(corpus: Corpus, hanne: Client, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_bytes(jsonl(1, 2))
    call_command("import_pages", "dailies", "jsonl", str(tmp_path / "pages.jsonl"))
    run = Import.objects.get()
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert work_on(run).stage == Stage.UNDONE, run.error
    assert not Page.objects.exists()


def test_the_file_of_a_page_that_comes_in_again_stays_though_its_removal_was_due(
    corpus: Corpus, hanne: Client, django_capture_on_commit_callbacks: Any
) -> None:
    run = import_all(hanne, {"one.html": page(1)})
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    with django_capture_on_commit_callbacks() as due:
        assert work_on(run).stage == Stage.UNDONE, run.error
    again = add_page(corpus=corpus, raw=page(1)).page
    for act in due:
        act()
    assert storage.get(again.sha256) == page(1)


def test_undoing_leaves_no_file_of_a_page_that_was_taken_down_elsewhere(
    corpus: Corpus, hanne: Client, django_capture_on_commit_callbacks: Any
) -> None:
    elsewhere = add_page(corpus=create_corpus(slug="other"), raw=page(1)).page
    run = import_all(hanne, {"one.html": page(1)})
    with django_capture_on_commit_callbacks(execute=True):
        take_down(page=elsewhere, reason="asked for")
    assert storage.get(elsewhere.sha256) == page(1)
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    with django_capture_on_commit_callbacks(execute=True):
        assert work_on(run).stage == Stage.UNDONE, run.error
    with pytest.raises(FileNotFoundError):
        storage.get(elsewhere.sha256)


def test_a_claimed_slot_forbids_undoing(cast: SimpleNamespace, corpus: Corpus, hanne: Client) -> None:
    run = import_all(hanne, {"gold.jsonl": jsonl(1, 2)})
    run_pending(corpus)
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    # Between the request and the worker.
    claim_next(corpus=corpus, annotator=cast.ada)
    assert work_on(run).stage == Stage.COMPLETED
    assert "begun to annotate" in run.error
    assert Page.objects.count() == 2
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    run.refresh_from_db()
    assert run.undo_requested_at is None


def test_an_import_that_workers_failed_to_undo_says_so_and_can_be_undone_again(
    corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = import_all(hanne, {"gold.jsonl": jsonl(1, 2)})
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    with monkeypatch.context() as broken:
        broken.setattr(undoing, "_triggers_of", lambda _rows: 1 / 0)
        assert work_on(run).stage == Stage.FAILED
    assert Page.objects.count() == 2
    screen = hanne.get(f"/c/dailies/imports/{run.pk}/").content.decode()
    assert "division by zero" in screen
    for act, is_there in (("undo", True), ("resume", False), ("cancel", False)):
        assert (f"/imports/{run.pk}/{act}/" in screen) == is_there, act
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert work_on(run).stage == Stage.UNDONE
    assert not Page.objects.exists()


@pytest.mark.parametrize("act", ["cancel", "resume", "pause"])
def test_a_failed_import_that_is_undone_is_neither_cancelled_nor_resumed(
    corpus: Corpus, hanne: Client, act: str
) -> None:
    run = import_all(hanne, {"gold.jsonl": jsonl(1, 2)})
    Import.objects.update(completed_at=None, error="broken", paused_at=run.previewed_at)
    hanne.post(f"/c/dailies/imports/{run.pk}/undo/")
    assert f"/imports/{run.pk}/cancel/" not in hanne.get("/c/dailies/settings/jobs/").content.decode()
    hanne.post(f"/c/dailies/imports/{run.pk}/{act}/")
    assert work_on(run).stage == Stage.UNDONE, run.error
    assert hanne.get("/c/dailies/imports/").context["run"] is None


def test_a_refusal_says_nothing_of_other_corpora(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    from annotator.corpora.actions import grant_role
    from annotator.home.actions import create_corpus

    client = signed_in(cast.hanne)
    import_all(client, {"one.html": page(1)})
    other = create_corpus(slug="weeklies", name="Weeklies")
    grant_role(corpus=other, user=cast.rhea, role="admin")
    theirs = signed_in(cast.rhea)
    run = work_on(upload(theirs, {"one.html": page(1)}, slug="weeklies"))
    assert (run.preview["pages"], run.preview["duplicates"]) == (1, 0)
    assert theirs.get(f"/c/dailies/imports/{run.pk}/").status_code == 403
    assert theirs.get(f"/c/weeklies/imports/{Import.objects.first().pk - 1}/").status_code == 404


def test_an_abandoned_upload_is_removed(cast: SimpleNamespace, corpus: Corpus) -> None:
    run = uploads.start_upload(corpus=corpus, user=cast.hanne)
    Import.objects.filter(pk=run.pk).update(requested_at=run.requested_at - 2 * uploads.ABANDONED_AFTER)
    assert uploads.remove_old_uploads() == 1
    run.refresh_from_db()
    assert run.stage == Stage.CANCELLED
    assert not ImportRecord.objects.exists()
