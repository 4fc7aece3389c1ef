"""Exports: reproducible, ordered by digest, without names, and stoppable."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.home.pending import run_pending
from annotator.pages.imports.actions import start_import
from annotator.releases.exports import actions
from annotator.releases.exports.gold_records import text_of
from annotator.releases.exports.models import Export
from extraction import formats
from tests.annotator.pages.imports.made import run_import
from tests.factories import MakePage, span_of

pytestmark = pytest.mark.django_db


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


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_pages_are_ordered_by_digest(golden: Corpus, tmp_path: Path) -> None:
    assert actions.write(golden, "jsonl", tmp_path / "out") == 3
    digests = [line["sha256"] for line in lines(tmp_path / "out")]
    assert digests == sorted(digests)


def test_a_page_is_exported_once_with_its_current_gold(golden: Corpus, tmp_path: Path) -> None:
    first = Gold.objects.order_by("page__sha256").first()
    add_gold(document=first.document, verdict="several", spans=[], source="imported")
    assert actions.write(golden, "jsonl", tmp_path / "out") == 3
    assert [line["gold"]["verdict"] for line in lines(tmp_path / "out")] == ["several", "article", "article"]


@pytest.mark.parametrize("format_", ["jsonl", "scrapinghub"])
def test_the_same_gold_gives_the_same_bytes(golden: Corpus, tmp_path: Path, format_: str) -> None:
    actions.write(golden, format_, tmp_path / "one")
    actions.write(golden, format_, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_an_export_imported_again_is_the_same_export(golden: Corpus, tmp_path: Path) -> None:
    """Round trip through another corpus: what comes out of that one is byte for byte the same."""
    first = tmp_path / "first.jsonl"
    actions.write(golden, "jsonl", first)
    other = create_corpus(slug="other", name="Other")
    list(run_import(start_import(corpus=other, format="jsonl", path=first, with_gold=True)))
    assert run_pending(other) == 0
    actions.write(other, "jsonl", tmp_path / "second.jsonl")
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


def test_no_names_are_in_it(golden: Corpus, cast: SimpleNamespace, tmp_path: Path) -> None:
    actions.write(golden, "jsonl", tmp_path / "out")
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert not [name for name in vars(cast) if f'"{name}"' in text]


def test_a_worker_writes_the_file_and_its_digest(golden: Corpus, cast: SimpleNamespace) -> None:
    asked = actions.request_export(corpus=golden, format="jsonl", user=cast.hanne)
    assert actions.write_export(work.claim(Export, asked.pk))
    asked.refresh_from_db()
    assert (asked.state, asked.done, asked.pages) == ("done", 3, 3)
    with storage.open_file(asked.sha256) as file:
        assert len(file.read()) == asked.size


def test_a_waiting_export_is_stopped_at_once(golden: Corpus, cast: SimpleNamespace) -> None:
    asked = actions.request_export(corpus=golden, format="jsonl", user=cast.hanne)
    actions.stop_export(export=asked)
    assert work.claim(Export, asked.pk) is None
    asked.refresh_from_db()
    assert asked.error == "stopped"


def test_a_running_export_stops_at_its_next_step(
    golden: Corpus, cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "HEARTBEAT_INTERVAL", 1)
    asked = actions.request_export(corpus=golden, format="jsonl", user=cast.hanne)
    claimed = work.claim(Export, asked.pk)
    actions.stop_export(export=asked)
    actions.write_export(claimed)
    asked.refresh_from_db()
    assert (asked.error, asked.sha256) == ("stopped", "")


def test_a_format_that_is_not_known_is_refused(golden: Corpus, cast: SimpleNamespace) -> None:
    with pytest.raises(GoldpanError, match="Known formats: jsonl"):
        actions.request_export(corpus=golden, format="csv", user=cast.hanne)


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
    assert text_of(gold, "main") == "It opened on Monday."
