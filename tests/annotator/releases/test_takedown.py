"""Taking a page down removes everything but its digest, and allows no other change of history."""

import gzip
import json
import os
import time
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg2 import sql

from annotator.annotations.actions import claim_next
from annotator.annotations.models import Revision, Skip
from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.models import RELABEL, Gold, Segment
from annotator.pages.actions import add_page, build_document
from annotator.pages.assets.actions import build_look, request_look, store_assets
from annotator.pages.assets.models import Look
from annotator.pages.feeds.models import FollowedFeed
from annotator.pages.files import PageGone, files_of
from annotator.pages.imports.actions import confirm_import
from annotator.pages.imports.addresses import create_import
from annotator.pages.imports.importing import _store
from annotator.pages.imports.models import Import, Outcome, SourceKind, Stage
from annotator.pages.imports.uploads import remove_old_uploads
from annotator.pages.models import ImportedGold, Page, StoredDocument
from annotator.releases import builder
from annotator.releases.actions import add_erratum, request_release, take_down
from annotator.releases.exports.actions import request_export, write_export
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.models import Export
from annotator.releases.models import Release, ReleasePage, Takedown
from annotator.releases.queries import errata_of
from annotator.releases.tasks import remove_left_files
from annotator.runs.models import Extraction, Run, ShrunkPage
from annotator.runs.uploads import UploadedSystem, read_upload, start_upload
from annotator.scoring.models import Score
from extraction.asset_sandbox import AssetSandbox, BuiltView
from extraction.formats import PageRecord
from extraction.formats.records import Asset
from extraction.sandbox import Parsed, Parser
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.gold.reannotation import scenarios
from tests.annotator.pages.imports.made import import_all, upload, work_on
from tests.annotator.releases.made import gold_on, release, story
from tests.extraction.assets.files import png
from tests.factories import MakePage, SignedIn, annotate, extract_all, span_of

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "Leonora"


@pytest.fixture
def page(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Page:
    """A released page with marks, a note, gold, extractions and an export, beside another one."""
    made = make_page(
        f"<title>{SECRET}</title><h1>{SECRET} said</h1><p>{SECRET} lives in this street, they say.</p>"
    )
    for person in (cast.ada, cast.ben):
        annotate(made, person, [span_of(made, f"{SECRET} said", "headline")], note=f"about {SECRET}")
    gold_on(made)
    Skip.objects.create(round=made.rounds.get(), annotator=cast.dov, note=f"I know {SECRET}")
    extract_all(made)
    make_failed(made)
    make_imported(made)
    make_fetched(made)
    ShrunkPage.objects.create(
        extraction=made.documents.get().extractions.first(),
        start=0, end=5, is_missing=True, labels="main", html=f"<p>{SECRET}",
    )  # fmt: skip
    gold_on(make_page(story(1)))
    add_erratum(
        release=release(corpus),
        digest=made.sha256,
        description=f"“{SECRET} said” is no headline",
        user=cast.rhea,
    )
    return made


def make_failed(page: Page) -> None:
    """Work on the page that has failed and quotes it in its error."""
    ImportedGold.objects.create(page=page, content={}, source="x", sha256="0" * 64)
    Score.objects.create(gold=page.gold.get(), extraction=page.documents.get().extractions.first())
    for model in (ImportedGold, Score):
        row = work.claim(model, model.objects.get().pk)
        assert row
        work.fail(row, error=f"ValueError: {SECRET} has no place")


def make_imported(page: Page) -> None:
    """The import with which the page came in, as a file that is named after it."""
    preview = {"examples": [(f"{SECRET}.html", f"https://daily.example/{SECRET}")], "pages": 1}
    run = Import.objects.create(
        corpus=page.corpus, source_kind=SourceKind.UPLOAD, name="2 files", preview=preview, position=2, new=1,
        duplicates=1,
    )  # fmt: skip
    for position, outcome in enumerate((Outcome.ADDED, Outcome.DUPLICATE), start=1):
        name = f"{SECRET} {position}.html"
        run.files.create(name=name, size=1)
        run.records.create(
            position=position, location=name, outcome=outcome, page=page, reason=f"for {SECRET}"
        )


def make_fetched(page: Page) -> None:
    """An import of its address alone, a feed that listed it, and a longer list that names it."""
    address = f"https://daily.example/{SECRET}"
    listed = {"known": [address, "https://daily.example/other"], "pages": 2}
    Import.objects.create(
        corpus=page.corpus,
        source_kind=SourceKind.ADDRESSES,
        format="urls",
        name="2 addresses",
        preview=listed,
    )
    run = Import.objects.create(
        corpus=page.corpus, source_kind=SourceKind.ADDRESSES, format="urls", name=address, position=1,
        duplicates=1,
    )  # fmt: skip
    run.addresses.create(number=1, url=address, location=address)
    run.records.create(position=1, location=address, outcome=Outcome.DUPLICATE, page=page)
    make_waiting(page.corpus, address)
    feed = FollowedFeed.objects.create(corpus=page.corpus, url="https://daily.example/feed")
    digest = sha256(address.encode()).hexdigest()
    feed.entries.create(
        corpus=page.corpus,
        url=address,
        digest=digest,
        site="daily.example",
        taken_at=feed.followed_at,
        run=run,
    )


def make_waiting(corpus: Corpus, address: str) -> None:
    """Imports that name the address and have not brought the page: not yet, not at all, only seen so far."""
    waiting, failed = (
        Import.objects.create(
            corpus=corpus, source_kind=SourceKind.ADDRESSES, format="urls", name=address, total=1,
            position=n, refused=n,
        )
        for n in (0, 1)
    )  # fmt: skip
    for run in (waiting, failed):
        run.addresses.create(number=1, url=address, location=address)
    failed.records.create(
        position=1, location=address, outcome=Outcome.REFUSED, reason=f"{address} did not answer"
    )
    seen = {"examples": [("pages.jsonl:1", address), ("pages.jsonl:2", "")], "duplicates": 0}
    Import.objects.create(
        corpus=corpus, source_kind=SourceKind.UPLOAD, name="pages.jsonl", preview=seen,
        finished_at=timezone.now(),
    )  # fmt: skip


def said_anywhere(word: str) -> list[str]:
    """The tables in which a word stands."""
    with connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        found = []
        for table in tables:
            named = sql.SQL("select count(*) from {} t where t::text like %s").format(sql.Identifier(table))
            cursor.execute(named, [f"%{word}%"])
            if cursor.fetchone()[0]:
                found.append(table)
    return found


def test_nothing_of_its_text_is_left_and_its_digest_is(page: Page, corpus: Corpus) -> None:
    assert {"annotator_storeddocument", "annotator_revision", "annotator_page"} <= set(said_anywhere(SECRET))
    document = page.documents.get()
    take_down(page=page, reason="asked for by a court")
    assert said_anywhere(SECRET) == []
    for digest in (page.sha256, document.packed_sha256, document.view_sha256):
        with pytest.raises(FileNotFoundError):
            storage.get(digest)
    assert Page.objects.get(pk=page.pk).sha256 == page.sha256
    assert StoredDocument.objects.get(page=page).sha256 == document.sha256
    assert not Gold.objects.filter(page=page, current=True).exists()
    assert all(not row.spans for kind in (Gold, Extraction, Revision) for row in _of(kind, page))


def test_no_mark_of_an_adjudicator_is_left(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = scenarios.adjudicated_page(make_page, cast)
    segment = Segment.objects.get(adjudication__round__page=page)
    Segment.objects.update(choice=RELABEL, marks=[[segment.start, segment.end, "headline"]])
    take_down(page=page, reason="asked for by a court")
    segment.refresh_from_db()
    assert (segment.pieces, segment.marks) == ([], [])


def test_its_text_can_be_erased_from_the_files_of_the_database(page: Page) -> None:
    call_command("erase_freed_space")  # which writes what is in memory
    assert in_files(SECRET)
    take_down(page=page, reason="asked for by a court")
    assert in_files(SECRET)
    end = time.monotonic() + 300
    while in_files(SECRET):
        assert time.monotonic() < end
        # PostgreSQL keeps what a statement that began earlier may see, such as one of its own.
        time.sleep(0.5)
        call_command("erase_freed_space")


def in_files(word: str) -> bool:
    """Whether a word stands in a file of a table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_relation_filepath(oid) from pg_class"
            " where relkind = 'r' and relname like 'annotator_%'"
        )
        paths = [path for (path,) in cursor.fetchall()]
    home = Path(os.environ["GOLDPAN_HOME"])
    servers = next(folder for folder in (home, *home.parents) if (folder / "postgres").is_dir())
    return any(word.encode() in (servers / "postgres" / path).read_bytes() for path in paths)


def _of(kind: type[Model], page: Page) -> list[Any]:
    paths = {
        Gold: "page",
        Extraction: "document__page",
        Revision: "annotation__slot__round__page",
    }
    return list(kind._default_manager.filter(**{paths[kind]: page}))


def test_the_release_keeps_its_digest_and_says_so(page: Page, corpus: Corpus, tmp_path: Path) -> None:
    made = Release.objects.get()
    take_down(page=page, reason="asked for")
    call_command("export", "dailies", "jsonl", str(tmp_path / "out"), "--release", "1")
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert Release.objects.get().sha256 == made.sha256
    assert files["manifest.json"] == made.manifest
    assert page.sha256 in files["manifest.json"]
    assert json.loads(files["takedowns.json"]) == [page.sha256]
    assert page.sha256 not in files["gold.jsonl"]
    assert len(files["gold.jsonl"].splitlines()) == 1
    assert release(corpus).pages == 1


def test_only_admins_read_why(page: Page, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    take_down(page=page, reason="asked for by a court")
    for person, reads_why in ((cast.rhea, False), (cast.hanne, True)):
        html = signed_in(person).get("/c/dailies/releases/1/").content.decode()
        assert page.sha256 in html
        assert ("asked for by a court" in html) == reads_why


def test_no_erratum_of_it_stays_open(page: Page, corpus: Corpus) -> None:
    made = Release.objects.get()
    assert errata_of(made).count() == 1
    take_down(page=page, reason="asked for")
    assert not errata_of(made).exists()
    with pytest.raises(Conflict, match="already been taken down"):
        add_erratum(release=made, digest=page.sha256, description=f"{SECRET} is missing", user=None)


def test_a_release_that_has_read_it_forgets_its_address(
    page: Page, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    Page.objects.filter(pk=page.pk).update(url=f"https://daily.example/{SECRET}")

    def datasheet(manifest: dict[str, Any], language: str) -> str:
        if language == "en":
            take_down(page=page, reason="asked for")
        return ""

    monkeypatch.setattr(builder, "datasheet", datasheet)
    assert release(corpus).rows.get(sha256=page.sha256).metadata == {}
    assert said_anywhere(SECRET) == []


def test_only_blanking_and_only_of_that_page_passes_the_guard(page: Page, corpus: Corpus) -> None:
    other = Gold.objects.exclude(page=page).get()
    Takedown.objects.create(page=page, reason="planted")
    own = Gold.objects.filter(page=page)
    for rows, change in (
        (Gold.objects.filter(pk=other.pk), {"spans": []}),
        (ReleasePage.objects.filter(gold=other), {"metadata": {}}),
        (own, {"spans": [[0, 1, "body", "single"]]}),
        (own, {"spans": [], "verdict": "several"}),
        (Revision.objects.filter(annotation__slot__round__page=page), {"spans": [], "verdict": "several"}),
        (Takedown.objects.all(), {"reason": "another"}),
    ):
        with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
            rows.update(**change)
    assert own.update(spans=[], current=None) == 1


def test_uploaded_outputs_of_it_go(page: Page, corpus: Corpus) -> None:
    data = json.dumps({page.sha256: f"{SECRET} said"}).encode()
    asked = start_upload(
        corpus=corpus, system=UploadedSystem(name="reader", version="1"), file_name="out.json", data=data
    )
    read_upload(work.claim(Run, asked.pk))
    assert SECRET.encode() in storage.get(asked.file_sha256)
    take_down(page=page, reason="asked for")
    with pytest.raises(FileNotFoundError):
        storage.get(asked.file_sha256)


def test_files_exported_before_go(page: Page, corpus: Corpus, cast: SimpleNamespace) -> None:
    asked = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    write_export(work.claim(Export, asked.pk))
    waiting = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    asked.refresh_from_db()
    take_down(page=page, reason="asked for")
    with pytest.raises(FileNotFoundError):
        storage.open_file(asked.sha256)
    asked.refresh_from_db()
    waiting.refresh_from_db()
    assert asked.withdrawn_at
    assert waiting.withdrawn_at
    assert waiting.error == "stopped"


@pytest.mark.parametrize("is_seen", [True, False], ids=["seen by the takedown", "requested at that moment"])
def test_an_export_that_has_read_it_leaves_no_file(
    page: Page, corpus: Corpus, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, is_seen: bool
) -> None:
    stored: list[str] = []

    def put_file(path: Path, digest: str) -> None:
        take_down(page=page, reason="asked for")
        if not is_seen:
            Export.objects.update(stopped_at=None, withdrawn_at=None)
        stored.append(digest)
        put(path, digest)

    put = storage.put_file
    monkeypatch.setattr(storage, "put_file", put_file)
    asked = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    assert write_export(work.claim(Export, asked.pk))
    asked.refresh_from_db()
    assert (asked.error, asked.sha256, asked.withdrawn_at is None) == ("stopped", "", False)
    with pytest.raises(FileNotFoundError):
        storage.open_file(stored[0])


def test_files_that_an_interrupted_takedown_left_are_removed(
    page: Page, corpus: Corpus, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_assets(page=page, assets=[Asset("https://news.example/a.png", png(60, 40), "image/png")])
    look = request_look(document=page.document)
    assert look
    with AssetSandbox() as sandbox:
        assert work.run(Look, look.pk, lambda claimed: build_look(claimed, sandbox))
    exports = [request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne) for _ in range(2)]
    write_export(work.claim(Export, exports[0].pk))
    files = files_of([page.pk]) | {Export.objects.get(pk=exports[0].pk).sha256}
    assert len(files) == 7

    def interrupt(_digest: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        # The check before it removes one that is not there.
        stopped.setattr(storage, "check_removal", lambda: None)
        stopped.setattr(storage, "remove", interrupt)
        with pytest.raises(CommandError, match="Run the same command again"):
            call_command("take_down", "dailies", page.sha256, "--reason", "asked for")
    assert Takedown.objects.get().page == page
    later = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    write_export(work.claim(Export, later.pk))
    remove_left_files()
    with CaptureQueriesContext(connection) as asked:
        remove_left_files()
    assert [each for each in asked if "pg_advisory" in each["sql"]] == [], "nobody who stores files waits"
    assert storage.existing(files) == set()
    assert not page.assets.exists()
    later.refresh_from_db()
    storage.open_file(later.sha256).close()


def test_nobody_is_given_the_page_any_more(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    made = make_page(story(5))
    assert claim_next(corpus=corpus, annotator=cast.ada)
    take_down(page=made, reason="asked for")
    assert claim_next(corpus=corpus, annotator=cast.ada) is None
    assert claim_next(corpus=corpus, annotator=cast.ben) is None


def test_who_annotated_it_finds_it_gone(page: Page, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    slot = page.rounds.get().slots.get(annotator=cast.ada)
    address = f"/c/dailies/slots/{slot.key}/view.json"
    assert signed_in(cast.ada).get(address).status_code == 200
    take_down(page=page, reason="asked for")
    assert signed_in(cast.ada).get(address).status_code == 404


def test_a_page_that_is_being_parsed_stays_gone(corpus: Corpus) -> None:
    made = add_page(corpus=corpus, raw=f"<title>{SECRET}</title><p>{SECRET} said.".encode()).page

    late: list[bytes] = []

    class LateParser(Parser):
        def parse(self, raw: bytes, charset: str | None = None) -> Parsed:
            take_down(page=made, reason="asked for")
            parsed = super().parse(raw, charset)
            late.extend((parsed.packed, gzip.decompress(parsed.view)))
            return parsed

    claimed = work.claim(Page, made.pk)
    assert claimed
    with LateParser() as parser:
        assert build_document(claimed, parser) is None
    assert said_anywhere(SECRET) == []
    for data in late:
        assert_not_stored(data)
    assert not Page.objects.open().exists()


def test_a_page_of_which_the_view_is_being_made_stays_gone(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.document
    look = request_look(document=page.document)
    assert look
    late: list[bytes] = []
    with AssetSandbox() as sandbox:
        build_view = sandbox.build_view

        def build_view_late(*args: Any, **options: Any) -> BuiltView:
            built = build_view(*args, **options)
            late.append(gzip.decompress(built.view))
            take_down(page=page, reason="asked for")
            return built

        monkeypatch.setattr(sandbox, "build_view", build_view_late)
        assert not work.run(Look, look.pk, lambda claimed: build_look(claimed, sandbox))
    (view,) = late
    assert SECRET.encode() in view
    assert_not_stored(view)


def test_no_image_of_a_page_comes_in_after_it_was_taken_down(page: Page) -> None:
    take_down(page=page, reason="asked for")
    with pytest.raises(PageGone):
        store_assets(page=page, assets=[Asset("https://news.example/a.png", b"a face", "image/png")])
    assert_not_stored(b"a face")


def assert_not_stored(data: bytes) -> None:
    with pytest.raises(FileNotFoundError):
        storage.get(sha256(data).hexdigest())


def test_the_same_bytes_in_another_corpus_stay(page: Page, corpus: Corpus) -> None:
    raw = storage.get(page.sha256)
    add_page(corpus=create_corpus(slug="other"), raw=raw)
    take_down(page=page, reason="asked for")
    assert storage.get(page.sha256) == raw


def test_the_same_bytes_do_not_come_in_again(page: Page, corpus: Corpus, hanne: Client) -> None:
    raw = storage.get(page.sha256)
    take_down(page=page, reason="asked for")
    with pytest.raises(GoldpanError, match="taken down"):
        add_page(corpus=corpus, raw=raw, url=f"https://daily.example/{SECRET}", note=f"about {SECRET}")
    run = import_all(hanne, {"again.html": raw})
    assert (run.refused, run.duplicates) == (1, 0)
    with pytest.raises(FileNotFoundError):
        storage.get(page.sha256)
    assert said_anywhere(SECRET) == []


def test_uploads_that_wait_do_not_keep_it(page: Page, cast: SimpleNamespace, hanne: Client) -> None:
    raw = storage.get(page.sha256)
    holding = work_on(upload(hanne, {"again.html": raw}))
    other = work_on(upload(hanne, {"other.html": b"<p>Another story."}))
    at_work = work_on(upload(hanne, {"again.html": raw, "more.html": b"<p>One more story."}))
    confirm_import(run=at_work, with_gold=False, with_assets=False)
    assert work.claim(Import, at_work.pk)
    (file,) = holding.files.all()
    take_down(page=page, reason="asked for", user=cast.hanne)
    remove_old_uploads()
    assert _stage(holding) == Stage.CANCELLED
    assert _stage(other) == Stage.PREVIEWED
    assert _stage(at_work) == Stage.RUNNING
    with pytest.raises(FileNotFoundError):
        storage.open_part(f"uploads/{file.key}/000000")


def test_an_upload_that_is_looked_through_later_does_not_keep_it(
    page: Page, cast: SimpleNamespace, hanne: Client
) -> None:
    raw = storage.get(page.sha256)
    waiting = upload(hanne, {"again.html": raw, "more.html": b"<p>One more story."})
    (file, _other) = waiting.files.all()
    take_down(page=page, reason="asked for", user=cast.hanne)
    assert _stage(waiting) == Stage.PREVIEWING
    assert _stage(work_on(waiting)) == Stage.CANCELLED
    with pytest.raises(FileNotFoundError):
        storage.open_part(f"uploads/{file.key}/000000")
    assert Import.objects.get(pk=waiting.pk).preview["examples"] == []
    assert said_anywhere(SECRET) == []


def test_an_upload_that_comes_later_is_previewed_without_it(
    page: Page, cast: SimpleNamespace, hanne: Client
) -> None:
    raw = storage.get(page.sha256)
    take_down(page=page, reason="asked for", user=cast.hanne)
    run = work_on(upload(hanne, {"again.html": raw, "more.html": b"<p>One more story."}))
    assert _stage(run) == Stage.PREVIEWED
    preview = Import.objects.get(pk=run.pk).preview
    assert (preview["records"], preview["pages"], preview["refused"], preview["duplicates"]) == (2, 1, 1, 0)
    assert preview["examples"] == [["more.html", ""]]
    assert [cause for _location, cause, _why in preview["refusals"]] == ["taken-down"]
    shown = " ".join(hanne.get(f"/c/dailies/imports/{run.pk}/").content.decode().split())
    assert 'Page taken down: <span lang="en">this page was taken down' in shown


def _stage(run: Import) -> Stage:
    return Import.objects.get(pk=run.pk).stage


def test_an_address_that_leads_to_it_again_is_not_kept(page: Page, corpus: Corpus) -> None:
    raw, address = storage.get(page.sha256), f"https://daily.example/{SECRET}"
    take_down(page=page, reason="asked for")
    run = create_import(corpus=corpus, addresses=[address], with_assets=False)
    claimed = work.claim(Import, run.pk)
    assert claimed
    assert _store(claimed, [PageRecord(address, raw, url=address)]) == [None]
    assert said_anywhere(SECRET) == []


def test_once_and_with_a_reason(page: Page) -> None:
    with pytest.raises(GoldpanError):
        take_down(page=page, reason=" ")
    take_down(page=page, reason="asked for")
    with pytest.raises(Conflict):
        take_down(page=page, reason="again")


def test_the_command_names_the_releases(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("take_down", "dailies", page.sha256[:10], "--reason", "asked for")
    assert "in releases: 1" in capsys.readouterr().out


def test_all_captures_of_an_address_are_found(page: Page, corpus: Corpus, hanne: Client) -> None:
    captures = [page, corpus.pages.exclude(pk=page.pk).get()]
    address = "https://daily.example/story"
    Page.objects.filter(pk__in=[each.pk for each in captures]).update(url=address)
    html = hanne.get("/c/dailies/releases/take-down/", {"digest": address}).content.decode()
    assert all(f'href="?digest={each.sha256}"' in html for each in captures)
    with pytest.raises(CommandError) as refused:
        call_command("take_down", "dailies", address, "--reason", "asked for")
    assert all(each.sha256 in str(refused.value) for each in captures)
    chosen = hanne.get("/c/dailies/releases/take-down/", {"digest": page.sha256}).content.decode()
    assert 'name="reason"' in chosen
    take_down(page=page, reason="asked for")
    gone = hanne.get("/c/dailies/releases/take-down/", {"digest": page.sha256}).content.decode()
    assert "No page found that is not taken down already." in gone


def test_of_two_takedowns_at_once_the_second_removes_the_file(corpus: Corpus) -> None:
    raw = b"<p>The same page in two corpora."
    here, there = (add_page(corpus=each, raw=raw).page for each in (corpus, create_corpus(slug="other")))
    with transaction.atomic():
        take_down(page=here, reason="asked for")
        second = Meanwhile(lambda: take_down(page=there, reason="asked for"))
        assert second.waits()
    second.result()
    with pytest.raises(FileNotFoundError):
        storage.get(here.sha256)


def test_a_file_is_not_removed_while_the_same_bytes_come_in(corpus: Corpus) -> None:
    raw = b"<p>The same page in two corpora."
    here = add_page(corpus=corpus, raw=raw).page
    other = create_corpus(slug="other")
    with transaction.atomic():
        there = add_page(corpus=other, raw=raw).page
        removal = Meanwhile(lambda: take_down(page=here, reason="asked for"))
        assert removal.waits()
    removal.result()
    assert storage.get(there.sha256) == raw


def test_a_page_that_is_taken_down_while_a_release_is_saved_has_no_address_in_it(
    corpus: Corpus, make_page: MakePage
) -> None:
    gold = gold_on(make_page(story(1), url="https://daily.example/one"))
    requested = request_release(corpus=corpus)
    claimed = work.claim(Release, requested.pk)
    assert claimed
    with transaction.atomic():
        assert builder.build_release(claimed)
        assert ReleasePage.objects.get(gold=gold).metadata["url"]
        taken_down = Meanwhile(lambda: take_down(page=gold.page, reason="asked for"))
        assert taken_down.waits()
    taken_down.result()
    assert ReleasePage.objects.get(gold=gold).metadata == {}
