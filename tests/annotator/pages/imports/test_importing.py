"""Imports stream, count duplicates, report bad records, and resume."""

import gzip
import json
from collections.abc import Generator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotator.administration.danger.actions import archive, restore
from annotator.annotations.models import Round
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.home.pending import run_pending
from annotator.pages.imports import importing
from annotator.pages.imports.actions import start_fetching, start_import
from annotator.pages.imports.models import Import, ImportRecord, Outcome
from annotator.pages.models import ImportedGold, Page
from annotator.runs.actions import DEFAULT_EXTRACTORS
from annotator.runs.models import Extraction
from annotator.scoring.models import Score
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.pages.imports.made import run_import
from tests.factories import ARTICLE

pytestmark = pytest.mark.django_db


def line(number: int, **more: Any) -> str:
    return json.dumps({"url": f"https://s{number}.example/", "html": ARTICLE.format(number=number), **more})


@pytest.fixture
def five(tmp_path: Path) -> Path:
    """Five lines: two pages, one that is no JSON, the first page again, a third page."""
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join([line(1), line(2), "{not json", line(1), line(3)]), encoding="utf-8")
    return path


def begin(corpus: Corpus, path: Path, **more: Any) -> Import:
    return start_import(corpus=corpus, path=path, **{"format": "jsonl", "with_gold": False, **more})


def test_a_bad_record_is_reported_and_the_rest_goes_in(corpus: Corpus, five: Path) -> None:
    run = begin(corpus, five)
    outcomes = [None if added is None else added.new for added in run_import(run)]
    assert outcomes == [True, True, None, False, True]
    assert (run.new, run.duplicates, run.refused, run.position) == (3, 1, 1, 5)
    problem = ImportRecord.objects.get(outcome=Outcome.REFUSED)
    assert (problem.location, problem.position, problem.cause) == ("pages.jsonl:3", 3, "syntax")
    assert problem.reason
    assert list(run.records.values_list("outcome", flat=True)) == [
        *("added", "added", "refused", "duplicate", "added"),
    ]


def test_a_command_refuses_an_archived_corpus_and_not_each_of_its_records(corpus: Corpus, five: Path) -> None:
    archive(corpus=corpus)
    with pytest.raises(CommandError, match="restore it first"):
        call_command("import_pages", "dailies", "jsonl", str(five))
    assert not Import.objects.exists()
    run = begin(Corpus.objects.get(), five)
    with pytest.raises(Conflict, match="archived"):
        list(run_import(run))
    restore(corpus=corpus)
    call_command("import_pages", "dailies", "jsonl", str(five))
    run.refresh_from_db()
    assert (run.new, run.refused, run.position) == (3, 1, 5)


def test_a_command_stops_when_its_corpus_is_archived_meanwhile(
    corpus: Corpus, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    run = begin(corpus, five)
    records = run_import(run)
    next(records)
    archive(corpus=Corpus.objects.get())
    with pytest.raises(Conflict, match="archived"):
        list(records)
    restore(corpus=Corpus.objects.get())
    assert Page.objects.count() == 2
    call_command("import_pages", "dailies", "jsonl", str(five))
    run.refresh_from_db()
    assert (run.new, run.refused, run.position) == (3, 1, 5)


@pytest.mark.parametrize("never", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_cannot_be_read_again_is_refused(corpus: Corpus, tmp_path: Path, never: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join([line(1, captured_at=never), line(2)]), encoding="utf-8")
    run = begin(corpus, path)
    list(run_import(run))
    assert (run.new, run.refused) == (1, 1)
    assert "captured_at is in the year" in run.records.get(outcome=Outcome.REFUSED).reason
    assert Page.objects.get().captured_at is None


def test_a_time_in_another_form_is_refused_by_the_name_of_its_key(corpus: Corpus, five: Path) -> None:
    five.write_text(line(1, captured_at="yesterday"), encoding="utf-8")
    run = begin(corpus, five)
    list(run_import(run))
    assert run.records.get().reason == "captured_at is no time in ISO 8601: 'yesterday'"


@pytest.mark.parametrize(
    ("sent", "stored"),
    [("es-MX", "es-MX"), ("zh-Hant-TW", "zh-Hant"), ("sl-rozaj-biske", "sl-rozaj"), ("Portuguese", "")],
)
def test_a_language_that_is_too_long_loses_no_page(
    corpus: Corpus, tmp_path: Path, sent: str, stored: str
) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(line(1, language=sent, charset="x" * 41), encoding="utf-8")
    list(run_import(begin(corpus, path)))
    page = Page.objects.get()
    assert (page.language, page.charset) == (stored, "")


def test_a_broken_off_import_goes_on_where_it_stopped(
    corpus: Corpus, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 3)
    monkeypatch.setattr(importing, "BATCH_SECONDS", 60)
    steps = run_import(begin(corpus, five))
    next(steps), next(steps), next(steps)
    assert isinstance(steps, Generator)
    steps.close()
    again = begin(corpus, five)
    assert again.position == 3
    assert [added.new for added in run_import(again)] == [False, True]
    assert (Import.objects.count(), Page.objects.count()) == (1, 3)
    assert (again.new, again.duplicates, again.refused) == (3, 1, 1)


def test_a_page_goes_in_together_with_its_count(
    corpus: Corpus, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the two, the import would count the page as a duplicate when it goes on."""

    def killed(_row: object, **progress: object) -> bool:
        if "position" in progress:
            raise KeyboardInterrupt
        return True

    with monkeypatch.context() as patched:
        patched.setattr(work, "send_heartbeat", killed)
        with pytest.raises(KeyboardInterrupt):
            next(run_import(begin(corpus, five)))
    assert not Page.objects.exists()
    again = begin(corpus, five)
    list(run_import(again))
    assert (again.new, again.duplicates, again.refused) == (3, 1, 1)


def test_the_command_says_that_it_waits_for_the_heartbeat_of_one_that_was_killed(
    corpus: Corpus, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert work.claim(Import, begin(corpus, five).pk)
    monkeypatch.setattr(work, "STALE", timedelta(0))
    said = StringIO()
    call_command("import_pages", "dailies", "jsonl", str(five), stderr=said)
    assert "Another process was at this" in said.getvalue()
    assert Page.objects.count() == 3


def test_a_finished_source_is_a_new_import(corpus: Corpus, five: Path) -> None:
    list(run_import(begin(corpus, five)))
    second = begin(corpus, five)
    list(run_import(second))
    assert (second.new, second.duplicates, second.refused) == (0, 4, 1)


@pytest.mark.parametrize(
    ("format_", "name", "message"),
    [("mht", "pages.jsonl", "unknown format"), ("jsonl", "absent.jsonl", "does not exist")],
)
def test_what_cannot_be_imported_is_said_in_words(
    corpus: Corpus, five: Path, format_: str, name: str, message: str
) -> None:
    with pytest.raises(GoldpanError, match=message):
        start_import(corpus=corpus, format=format_, path=five.with_name(name), with_gold=False)


def test_gold_text_is_aligned_and_what_is_not_found_is_counted(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    body = "It said the work on it had cost more than it had been told when the plan was made, number 7."
    given = {
        "verdict": "article",
        "text": f"{body}\nThis stands nowhere on the page.",
        "labels": ["body"],
    }
    path.write_text(line(7, gold=given), encoding="utf-8")
    list(run_import(begin(corpus, path, with_gold=True)))
    assert run_pending(corpus) == 0
    gold = Gold.objects.get()
    text = gold.document.text
    assert "".join(text[start:end] for start, end, _label, _source in gold.spans) == body
    assert {tuple(span[2:]) for span in gold.spans} == {("body", "imported")}
    assert gold.distinguishable_labels == ["body"]
    assert gold.placed == sum(not char.isspace() for char in body)
    assert gold.characters > gold.placed


def test_gold_that_knows_headline_and_body_only_together_comes_in(corpus: Corpus, tmp_path: Path) -> None:
    for folder in ("html", "ground-truth"):
        (tmp_path / folder).mkdir()
    page = "<h1>Bridge opens</h1><p>The bridge was opened on Monday.</p><p>Share this</p>"
    (tmp_path / "html" / "1.html.gz").write_bytes(gzip.compress(page.encode()))
    truth = {"ground_truth": {"main_content": "Bridge opens\nThe bridge was opened on Monday."}}
    (tmp_path / "ground-truth" / "1.json").write_text(json.dumps(truth))
    list(run_import(begin(corpus, tmp_path, format="wcxb", with_gold=True)))
    assert run_pending(corpus) == 0
    gold = Gold.objects.get()
    assert gold.distinguishable_labels == ["body+headline"]
    assert {label for _start, _end, label, _source in gold.spans} == {"content"}
    assert gold.placed == gold.characters


def test_gold_is_left_where_it_was_not_asked_for(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(line(1, gold={"text": "Bridge opens", "labels": ["body"]}), encoding="utf-8")
    list(run_import(begin(corpus, path)))
    assert not ImportedGold.objects.exists()


def test_gold_whose_spans_are_of_another_text_is_a_recorded_failure(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    gold = {"spans": [[0, 4, "body"]], "labels": ["body"], "parser": "0+other"}
    path.write_text(line(1, gold=gold), encoding="utf-8")
    list(run_import(begin(corpus, path, with_gold=True)))
    assert run_pending(corpus) == 1
    assert "parser 0+other" in ImportedGold.objects.get().error
    assert not Gold.objects.exists()


def test_the_commands_bring_a_page_all_the_way(corpus: Corpus, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "gold.jsonl"
    gold = {"text": "Bridge opens", "labels": ["headline", "body"]}
    path.write_text(line(1, gold=gold), encoding="utf-8")
    call_command("import_pages", "dailies", "jsonl", str(path), with_gold=True)
    call_command("run_extractors", "dailies", "tree-filter:depth=3")
    count = len(DEFAULT_EXTRACTORS) + 1
    assert Extraction.objects.count() == Score.objects.count() == count
    assert Round.objects.count() == 1
    capsys.readouterr()
    call_command("leaderboard", "dailies", labels="main", json=True)
    board = json.loads(capsys.readouterr().out)
    assert (board["pages"], len(board["results"])) == (1, count)
    everything = next(row for row in board["results"] if row["extractor"] == "everything")
    assert (everything["recall"], everything["f1_low"]) == (1.0, None)


def test_a_command_for_no_corpus_names_those_there_are(corpus: Corpus, five: Path) -> None:
    with pytest.raises(CommandError, match="There are: dailies"):
        call_command("import_pages", "weeklies", "jsonl", str(five))


def test_imported_gold_does_not_replace_gold_made_here(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(line(1, gold={"text": "Bridge opens", "labels": ["headline"]}), encoding="utf-8")
    list(run_import(begin(corpus, path)))
    run_pending(corpus)
    document = Page.objects.get().documents.get()
    adjudicated = add_gold(document=document, verdict="several", spans=[], source="adjudicated")
    list(run_import(begin(corpus, path, with_gold=True)))
    assert run_pending(corpus) == 0
    assert Gold.objects.get(current=True) == adjudicated
    assert Gold.objects.get(source="imported").number == 2


@pytest.mark.django_db(transaction=True)
def test_the_same_import_does_not_run_twice_at_once(corpus: Corpus, five: Path) -> None:
    first = run_import(begin(corpus, five))
    next(first)

    again = Meanwhile(lambda: list(run_import(begin(corpus, five))))
    with pytest.raises(GoldpanError, match="already running"):
        again.result()
    assert len(list(first)) == 4
    assert Import.objects.get().position == 5


@pytest.mark.django_db(transaction=True)
def test_a_feed_is_asked_before_a_transaction_begins(corpus: Corpus) -> None:
    in_transaction = []

    def addresses() -> list[str]:
        in_transaction.append(connection.in_atomic_block)
        return ["https://harbour.example/one"]

    source = "https://harbour.example/feed"
    run = start_fetching(corpus=corpus, of="feed", source=source, addresses=addresses)
    assert [each.url for each in run.addresses.all()] == ["https://harbour.example/one"]
    # The interrupted import is found without asking.
    assert start_fetching(corpus=corpus, of="feed", source=source, addresses=addresses) == run
    assert in_transaction == [False]
