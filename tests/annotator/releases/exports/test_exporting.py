"""Exports: reproducible, ordered by digest, without names, and stoppable."""

import json
import tempfile
from collections import Counter
from dataclasses import replace
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.home.pending import run_pending
from annotator.management.commands import export
from annotator.pages.imports.actions import start_import
from annotator.pages.models import Page
from annotator.releases.exports import actions
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.formats import DESCRIPTIONS, LOSSES, WRITERS
from annotator.releases.exports.gold_records import spans_of, text_of
from annotator.releases.exports.models import Export
from annotator.releases.tasks import remove_left_files
from annotator.runs.actions import DEFAULT_EXTRACTORS, enable, register, request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.running import start_run
from extraction import formats
from extraction.documents.document import Document
from extraction.extractors import registry
from extraction.formats.writing import Loss
from extraction.spans import LABEL_SETS, Span
from tests.annotator.gold.reannotation import scenarios
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.pages.imports.made import run_import
from tests.annotator.releases.made import gold_on, release, story
from tests.annotator.reparsing.scenarios import reparse_from_older
from tests.factories import MakePage, annotate, extract_all, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


@pytest.fixture
def golden(corpus: Corpus, make_page: MakePage) -> Corpus:
    """A corpus with gold on three pages."""
    for number in range(3):
        page = make_page(captured := f"<h1>Title {number}</h1><p>Some words of page {number} &amp; more.</p>")
        assert captured
        headline = span_of(page, f"Title {number}", "headline")
        body = span_of(page, f"Some words of page {number}", "body")
        spans = [(*headline, "unanimous"), (*body, "adjudicated")]
        add_gold(document=page.documents.get(), verdict="article", spans=spans, source="adjudicated")
    return corpus


def written(corpus: Corpus, format_: str, path: Path, **asked: Any) -> int:
    return actions.write(Contents(corpus=corpus, format=format_, **asked), path)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_current_gold_is_exported_in_the_order_of_digests(golden: Corpus, tmp_path: Path) -> None:
    first = Gold.objects.order_by("page__sha256").first()
    add_gold(document=first.document, verdict="several", spans=[], source="imported")
    assert written(golden, "jsonl", tmp_path / "out") == 3
    found = lines(tmp_path / "out")
    assert [line["gold"]["verdict"] for line in found] == ["several", "article", "article"]
    assert [line["sha256"] for line in found] == sorted(line["sha256"] for line in found)


@pytest.mark.parametrize("format_", sorted(name for name in WRITERS if not WRITERS[name].releases_only))
def test_the_same_gold_gives_the_same_bytes(golden: Corpus, tmp_path: Path, format_: str) -> None:
    written(golden, format_, tmp_path / "one")
    written(golden, format_, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_an_export_imported_again_is_the_same_export(golden: Corpus, tmp_path: Path) -> None:
    """Round trip through another corpus: what comes out of that one is byte for byte the same."""
    first = tmp_path / "first.jsonl"
    written(golden, "jsonl", first)
    other = create_corpus(slug="other", name="Other")
    list(run_import(start_import(corpus=other, format="jsonl", path=first, with_gold=True)))
    assert run_pending(other) == 0
    written(other, "jsonl", tmp_path / "second.jsonl")
    assert (tmp_path / "second.jsonl").read_bytes() == first.read_bytes()


def test_a_scrapinghub_export_is_read_as_the_benchmark_is(golden: Corpus, tmp_path: Path) -> None:
    """A folder with the body's text, without the headline, of articles only."""
    page = golden.pages.first()
    add_gold(document=page.documents.get(), verdict="not_article", spans=[], source="adjudicated")
    call_command("export", "dailies", "scrapinghub", str(tmp_path / "out"))
    truth = json.loads((tmp_path / "out" / "ground-truth.json").read_text(encoding="utf-8"))
    assert sorted(entry["articleBody"] for entry in truth.values()) == [
        "Some words of page 1",
        "Some words of page 2",
    ]
    assert {record.location for record in formats.READERS["scrapinghub"].read(tmp_path / "out")} == set(truth)
    with pytest.raises(CommandError, match="new or empty folder"):
        call_command("export", "dailies", "scrapinghub", str(tmp_path / "out"))


@pytest.mark.parametrize(("name", "writer"), [("out", "write_folder"), ("out.zip", "write")])
def test_an_export_that_fails_leaves_nothing(
    golden: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, writer: str
) -> None:
    def fill_disk(_contents: Contents, path: Path, **_kwargs: object) -> int:
        if writer == "write_folder":
            path.mkdir()
            path /= "gold.jsonl"
        path.write_bytes(b"{")
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(export, writer, fill_disk)
    with pytest.raises(CommandError, match="No space left"):
        call_command("export", "dailies", "scrapinghub", str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("format_", "writer"), [("jsonl", "write"), ("scrapinghub", "write_folder")])
def test_two_exports_to_one_path_at_a_time_leave_one_that_is_whole(
    golden: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str, writer: str
) -> None:
    written_first: list[Path] = []
    write = getattr(export, writer)

    def overtaken(contents: Contents, path: Path, **kwargs: Any) -> int:
        count = write(contents, path, **kwargs)
        if not written_first:
            written_first.append(path)
            call_command("export", golden.slug, format_, str(tmp_path / "out"))
        return int(count)

    monkeypatch.setattr(export, writer, overtaken)
    if format_ == "jsonl":
        call_command("export", golden.slug, format_, str(tmp_path / "out"))
    else:
        with pytest.raises(CommandError, match="new or empty folder"):
            call_command("export", golden.slug, format_, str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]
    assert len(list(formats.READERS[format_].read(tmp_path / "out"))) == 3


@pytest.mark.parametrize("format_", [name for name, writer in WRITERS.items() if not writer.releases_only])
def test_an_export_is_written_on_the_disk_where_it_is_to_be(
    golden: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    """The temporary folder of the system may be small, or in memory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert written(golden, format_, tmp_path / "out") == 3
    if WRITERS[format_].is_folder:
        call_command("export", golden.slug, format_, str(tmp_path / "folder"))


def test_a_running_export_stops_at_its_next_step(
    golden: Corpus, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "HEARTBEAT_INTERVAL", 0)
    asked = actions.request_export(Contents(corpus=golden, format="jsonl"), user=cast.hanne)
    claimed = work.claim(Export, asked.pk)
    actions.stop_export(export=asked)
    actions.write_export(claimed)
    asked.refresh_from_db()
    assert (asked.error, asked.sha256) == ("stopped", "")


def test_what_a_killed_worker_left_is_removed(
    golden: Corpus, cast: SimpleNamespace, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold a page that is taken down later."""
    settings.GOLDPAN_HOME = tmp_path
    first, other = (
        actions.request_export(Contents(corpus=golden, format="jsonl"), user=cast.hanne) for _ in range(2)
    )
    # Nothing of a process that is killed is cleaned up.
    with monkeypatch.context() as killed:
        killed.setattr(tempfile, "TemporaryDirectory", KilledFolder)
        for export_ in (first, other):
            actions.write_export(work.claim(Export, export_.pk))
            Export.objects.update(finished_at=None, sha256="", token=None, heartbeat_at=None)
    assert left_in(tmp_path) == 2
    actions.write_export(work.claim(Export, first.pk))
    assert left_in(tmp_path) == 1
    actions.stop_export(export=other)
    remove_left_files()
    assert left_in(tmp_path) == 0


def test_an_export_that_begins_while_remains_are_looked_for_stays(
    golden: Corpus, cast: SimpleNamespace, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GOLDPAN_HOME = tmp_path

    def overtaken() -> Any:
        begun = actions.request_export(Contents(corpus=golden, format="jsonl"), user=cast.hanne)
        (tmp_path / "tmp" / f"export-{begun.pk}-1").mkdir(parents=True)
        # It was not there when the database was asked.
        return Export.objects.none()

    monkeypatch.setattr(Export.objects, "open", overtaken)
    remove_left_files()
    assert left_in(tmp_path) == 1


class KilledFolder(tempfile.TemporaryDirectory[str]):
    """One that is not removed at the end."""

    def cleanup(self) -> None:
        self._finalizer.detach()  # type: ignore[attr-defined]


def left_in(home: Path) -> int:
    return len(list((home / "tmp").iterdir()))


def test_text_of_gold_that_distinguishes_labels_only_together(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page("<h1>Bridge opens</h1><p>It opened on Monday.</p><p>I like it</p>")
    content = span_of(page, "It opened on Monday.", "content")
    comment = span_of(page, "I like it", "comments")
    gold = add_gold(
        document=page.documents.get(),
        verdict="article",
        spans=[(*content, "imported"), (*comment, "imported")],
        source="imported",
        distinguishable_labels=["body+headline", "comments"],
    )
    found = text_of(spans_of(gold.spans), gold.distinguishable_labels, gold.document.text, LABEL_SETS["main"])
    assert found == "It opened on Monday."


def test_every_format_and_every_loss_is_described() -> None:
    assert set(DESCRIPTIONS) == set(WRITERS)
    assert set(LOSSES) == set(Loss)


def test_what_is_lost_is_counted_and_stored(golden: Corpus, cast: SimpleNamespace, tmp_path: Path) -> None:
    page = golden.pages.order_by("sha256").first()
    add_gold(document=page.documents.get(), verdict="not_article", spans=[], source="adjudicated")
    asked = actions.request_export(Contents(corpus=golden, format="scrapinghub"), user=cast.hanne)
    assert actions.write_export(work.claim(Export, asked.pk))
    asked.refresh_from_db()
    assert asked.losses == {"labels": 2, "metadata": 2, "not-articles": 1, "offsets": 2}
    without = actions.request_export(Contents(corpus=golden, format="jsonl", pages=False), user=cast.hanne)
    assert actions.write_export(work.claim(Export, without.pk))
    without.refresh_from_db()
    assert without.losses == {"pages": 3}
    losses: Counter[Loss] = Counter()
    released = Contents(corpus=golden, format="scrapinghub", release=release(golden))
    actions.write(released, tmp_path / "released.zip", losses=losses)
    assert losses[Loss.SPLITS] == 2


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_the_command_prints_what_is_lost_and_of_how_many_pages(
    golden: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    add_gold(
        document=golden.pages.first().documents.get(), verdict="not_article", spans=[], source="adjudicated"
    )
    call_command("export", golden.slug, "dragnet", str(tmp_path / name))
    assert capsys.readouterr().err.splitlines() == [
        "not in it: pages that are not articles (pages: 1)",
        "not in it: labels, which are merged or left out (pages: 2)",
        "not in it: positions: there is only text (pages: 2)",
        "not in it: language, capture time and other facts about a page (pages: 2)",
    ]


def test_the_command_refuses_what_the_format_cannot_hold(golden: Corpus, tmp_path: Path) -> None:
    for format_, option, words in (
        ("csv", "--annotations", "CSV cannot hold annotations"),
        ("csv", "--outputs", "CSV cannot hold what extractors take"),
        ("wcxb", "--no-pages", "WCXB always holds the pages"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("export", golden.slug, format_, str(tmp_path / "out"), option)
    assert not list(tmp_path.iterdir())
    call_command("export", golden.slug, "jsonl", str(tmp_path / "out"), "--annotations", "--outputs")


def test_pages_stay_behind_where_that_is_asked_for(golden: Corpus, tmp_path: Path) -> None:
    written(golden, "jsonl", tmp_path / "out", pages=False)
    for line in lines(tmp_path / "out"):
        assert not {"html", "html_base64"} & line.keys()
        text = line["document"]["text"]
        assert sha256(text.encode()).hexdigest() == line["document"]["sha256"]
        assert text[slice(*line["gold"]["spans"][0][:2])].startswith("Title")


def test_annotations_go_out_under_pseudonyms(
    corpus: Corpus, make_page: MakePage, cast: SimpleNamespace, tmp_path: Path
) -> None:
    for number in range(3):
        page = make_page(f"<h1>Title {number}</h1><p>Some words of page {number} &amp; more.</p>")
        mark = span_of(page, f"Title {number}", "headline")
        annotate(page, cast.ada, [mark])
        annotate(page, cast.ben, [], verdict="not_article", reason="listing")
        add_gold(document=page.documents.get(), verdict="article", spans=[(*mark, "single")], source="single")
    written(corpus, "jsonl", tmp_path / "out", annotations=True)
    marks: dict[str, set[str]] = {}
    for line in lines(tmp_path / "out"):
        assert len(line["annotations"]) == 2
        for each in line["annotations"]:
            marks.setdefault(each["annotator"], set()).add(each["verdict"])
    assert sorted(marks) == ["annotator-1", "annotator-2"]
    assert sorted(map(sorted, marks.values())) == [["article"], ["not_article"]]
    out = (tmp_path / "out").read_text(encoding="utf-8")
    assert not [name for name in vars(cast) if f'"{name}"' in out]
    written(corpus, "jsonl", tmp_path / "plain")
    assert "annotations" not in (tmp_path / "plain").read_text(encoding="utf-8")


def test_annotations_in_an_earlier_document_are_counted_as_lost(
    corpus: Corpus, make_page: MakePage, cast: SimpleNamespace, tmp_path: Path
) -> None:
    never_annotated = make_page("<h1>Unseen</h1><p>More text.").documents.get()
    add_gold(
        document=never_annotated, verdict="article", spans=[(0, 6, "headline", "single")], source="single"
    )
    page = scenarios.finalised_page(make_page, cast)
    losses: Counter[Loss] = Counter()
    contents = Contents(corpus=corpus, format="jsonl", annotations=True)
    actions.write(contents, tmp_path / "before", losses=losses)
    assert Loss.ANNOTATIONS not in losses
    reparse_from_older(page)
    actions.write(contents, tmp_path / "after", losses=losses)
    assert losses[Loss.ANNOTATIONS] == 1
    assert not any(line.get("annotations") for line in lines(tmp_path / "after"))


def test_nobody_who_knows_the_names_can_tell_who_is_the_first_annotator(
    corpus: Corpus, make_page: MakePage, cast: SimpleNamespace, tmp_path: Path
) -> None:
    """It is drawn by what only the database knows."""
    page = make_page("<h1>A title</h1><p>Some words of the page, and more of them.</p>")
    annotate(page, cast.ada, [span_of(page, "A title", "headline")])
    annotate(page, cast.ben, [], verdict="not_article", reason="listing")
    add_gold(document=page.documents.get(), verdict="article", spans=[], source="single")
    firsts = set()
    for seed in range(12):
        Corpus.objects.filter(pk=corpus.pk).update(seed=seed)
        corpus.refresh_from_db()
        written(corpus, "jsonl", tmp_path / f"out-{seed}", annotations=True)
        (line,) = lines(tmp_path / f"out-{seed}")
        firsts.add(line["annotations"][0]["verdict"])
    assert firsts == {"article", "not_article"}


def test_outputs_of_extractors_go_out_with_their_failures(
    corpus: Corpus, make_page: MakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(document: Document) -> list[Span]:
        raise RuntimeError("planted")

    spec = replace(registry.REGISTRY["everything"], name="broken", function=broken, parameters={})
    monkeypatch.setitem(registry.REGISTRY, "broken", spec)
    enable(corpus=corpus, name="broken")
    enable(corpus=corpus, name="tree-filter", depth=3)
    page = make_page("<h1>A title 😀</h1><p>Some words of the page, and more of them.</p>", extracted=True)
    mark = span_of(page, "A title", "headline")
    add_gold(document=page.documents.get(), verdict="article", spans=[(*mark, "single")], source="single")
    written(corpus, "jsonl", tmp_path / "out", outputs=True)
    (line,) = lines(tmp_path / "out")
    said = {(str(each.extractor), each.extractor.version): each for each in Extraction.objects.all()}
    assert {"tree-filter", "tree-filter (depth 3)"} <= {name for name, _version in said}
    assert {(each["extractor"], each["version"]) for each in line["outputs"]} == said.keys()
    for each in line["outputs"]:
        extraction = said[each["extractor"], each["version"]]
        assert each["spans"] == extraction.spans
        assert each.get("failed", False) == (each["extractor"] == "broken")
    written(corpus, "label-studio", tmp_path / "tasks.zip", outputs=True)
    with ZipFile(tmp_path / "tasks.zip") as archive:
        (task,) = json.loads(archive.read("tasks.json"))
    units = task["data"]["text"].encode("utf-16-le")
    assert len(task["predictions"]) == len(said) - 1
    for each in task["predictions"]:
        extraction = said[tuple(each["model_version"].rsplit(" ", 1))]
        values = [region["value"] for region in each["result"]]
        assert [value["labels"] for value in values] == [[label] for _start, _end, label in extraction.spans]
        quoted = [units[2 * value["start"] : 2 * value["end"]].decode("utf-16-le") for value in values]
        assert quoted == [value["text"] for value in values]
    written(corpus, "jsonl", tmp_path / "plain")
    assert "outputs" not in lines(tmp_path / "plain")[0]


def test_what_lacks_a_page_stays_out_of_the_published_evaluation(
    corpus: Corpus, make_page: MakePage, tmp_path: Path
) -> None:
    for number, extracted in enumerate((True, False)):
        gold_on(make_page(story(number), extracted=extracted))
    assert _folders(corpus, tmp_path / "out.zip") == {"incomplete"}
    for page in Page.objects.all():
        extract_all(page)
    assert _folders(corpus, tmp_path / "again.zip") == {"output"}
    with ZipFile(tmp_path / "again.zip") as archive:
        truth = json.loads(archive.read("ground-truth.json"))
        files = [name for name in archive.namelist() if name.startswith("output/")]
        assert len(files) == len(DEFAULT_EXTRACTORS)
        assert all(json.loads(archive.read(name)).keys() == truth.keys() for name in files)


def _folders(corpus: Corpus, path: Path) -> set[str]:
    """The folders of a scrapinghub export with outputs that these are in."""
    written(corpus, "scrapinghub", path, outputs=True)
    with ZipFile(path) as archive:
        return {name.split("/")[0] for name in archive.namelist()} - {"html", "ground-truth.json"}


def test_outputs_that_are_not_there_yet_or_not_on_the_board_stay_here(
    corpus: Corpus, make_page: MakePage, tmp_path: Path
) -> None:
    page = make_page(extracted=True)
    mark = span_of(page, "Bridge opens", "headline")
    add_gold(document=page.documents.get(), verdict="article", spans=[(*mark, "single")], source="single")
    on_board = {each.extractor.name for each in Extraction.objects.all()}
    part_of_a_run, waiting = register("bte"), register("mss")
    make_page()
    start_run(corpus=corpus, extractor=part_of_a_run)
    enable(corpus=corpus, name=waiting.name)
    enabled = [part_of_a_run.pk, waiting.pk]
    for row in request_extractions(document=page.documents.get(), enabled=enabled):
        if row.extractor == part_of_a_run:
            assert run_extraction(work.claim(Extraction, row.pk))
    written(corpus, "jsonl", tmp_path / "out", outputs=True)
    assert {each["extractor"] for each in lines(tmp_path / "out")[0]["outputs"]} == on_board


def test_a_release_goes_out_without_outputs(golden: Corpus, cast: SimpleNamespace, client: Client) -> None:
    frozen = release(golden)
    contents = Contents(corpus=golden, format="jsonl", release=frozen, outputs=True)
    with pytest.raises(GoldpanError, match="A release never changes"):
        actions.request_export(contents, user=cast.hanne)
    client.force_login(cast.hanne)
    address = reverse("export-request", args=[golden.slug])
    client.post(address, {"format": "jsonl", "outputs": "1"})
    assert Export.objects.get().with_outputs


def test_a_release_keeps_the_annotations_of_its_time(
    corpus: Corpus, make_page: MakePage, cast: SimpleNamespace, tmp_path: Path
) -> None:
    page = make_page()
    mark = span_of(page, "Bridge opens", "headline")
    annotate(page, cast.ada, [mark])
    add_gold(document=page.documents.get(), verdict="article", spans=[(*mark, "single")], source="single")
    frozen = release(corpus)
    written(corpus, "jsonl", tmp_path / "before", release=frozen, annotations=True)
    annotate(page, cast.ben, [mark])
    written(corpus, "jsonl", tmp_path / "after", release=frozen, annotations=True)
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()


def test_annotations_of_a_page_that_was_annotated_again_are_those_of_its_gold(
    corpus: Corpus, make_page: MakePage, cast: SimpleNamespace, tmp_path: Path
) -> None:
    page = scenarios.finalised_page(make_page, cast)
    frozen = release(corpus)
    written(corpus, "jsonl", tmp_path / "frozen", release=frozen, annotations=True)
    scenarios.guideline(corpus, cast)
    scenarios.again(page)
    headline = span_of(page, "Bridge opens", "headline")

    annotate(page, cast.ada, [headline])
    written(corpus, "jsonl", tmp_path / "under-way", annotations=True)
    (line,) = lines(tmp_path / "under-way")
    assert [each["spans"] for each in line["annotations"]] == 2 * [line["gold"]["spans"]]

    annotate(page, cast.ben, [headline])
    finalise(page)
    written(corpus, "jsonl", tmp_path / "finished", annotations=True)
    (line,) = lines(tmp_path / "finished")
    assert line["gold"]["spans"] == [list(headline)]
    assert [each["spans"] for each in line["annotations"]] == 2 * [line["gold"]["spans"]]
    assert len({each["annotator"] for each in line["annotations"]}) == 2

    written(corpus, "jsonl", tmp_path / "again", release=frozen, annotations=True)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "frozen").read_bytes()
