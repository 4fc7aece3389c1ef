"""Outputs made elsewhere: matched to pages, aligned, scored as any other, and never shown to annotators."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotator.annotations.study.actions import possible_arms
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.releases.takedown import take_down
from annotator.runs import running, uploads
from annotator.runs.models import (
    STOPPED,
    CorpusExtractor,
    Extraction,
    Extractor,
    OutputOutcome,
    Run,
    RunStage,
    UploadedOutput,
)
from annotator.runs.queries import enabled_in, outputs_of
from annotator.runs.tasks import request_extractions, run_extractors, take_step
from annotator.runs.uploads import UploadedSystem
from annotator.scoring.models import Score
from tests.annotator.runs.test_runs import counted_board, finish, run_pending_work
from tests.annotator.scored import counted_apart, make_gold
from tests.factories import MakePage, SignedIn, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

HEADLINE = "Bridge opens"
MARKS = [
    HEADLINE,
    "The council said on Monday that the bridge, closed for most of the year, would open again.",
]


def upload(corpus: Corpus, outputs: Any, *, name: str = "reader", version: str = "1", **more: Any) -> Run:
    data = outputs if isinstance(outputs, bytes) else json.dumps(outputs).encode()
    stated = {key: more.pop(key) for key in ("tuned_on", "family", "source", "licence") if key in more}
    system = UploadedSystem(name=name, version=version, **stated)
    return uploads.start_upload(corpus=corpus, system=system, file_name="out.json", data=data, **more)


def gold_page(make_page: MakePage, **more: Any) -> Page:
    page = make_page(opened=False, **more)
    make_gold(page, [span_of(page, MARKS[0], "headline"), span_of(page, MARKS[1], "body")])
    page.refresh_from_db()
    return page


def _spans(name: str) -> Any:
    return Extraction.objects.get(extractor__name=name).spans


def row_of(corpus: Corpus, name: str = "reader") -> Any:
    return next(row for row in counted_board(corpus).rows if row.name == name)


def test_outputs_are_matched_aligned_and_scored(corpus: Corpus, make_page: MakePage) -> None:
    pages = [gold_page(make_page) for _ in range(3)]
    exact = " ".join(MARKS)
    run = finish(
        upload(
            corpus,
            {
                pages[0].sha256: {"articleBody": exact},
                pages[1].url: exact.upper().replace(" ", "\n"),
                pages[2].sha256: "Nothing of this page at all, but a long text of another one.",
                "0" * 64: "of nobody",
            },
        )
    )
    assert (run.stage, run.pages, run.done, run.failed) == (RunStage.COMPLETED, 3, 3, 0)
    found = outputs_of(run)
    assert (found.matched, found.unknown, found.without, found.badly_placed_count) == (3, 1, 0, 1)
    (badly,) = found.badly_placed
    assert (badly.page, badly.share_placed) == (pages[2], 0.0)
    assert found.unused[0].reason == "names no page of this corpus"
    row = row_of(corpus)
    assert (row.shown.n, row.version, row.is_uploaded) == (3, "1", True)
    assert row.shown.value == pytest.approx(2 / 3, abs=0.01)


def test_ids_are_those_of_the_import(corpus: Corpus, make_page: MakePage, cast: SimpleNamespace) -> None:
    from annotator.pages.imports.models import ImportRecord
    from annotator.pages.imports.uploads import start_upload as start_import

    one, two = make_page(opened=False), make_page(opened=False)
    source = start_import(corpus=corpus, user=cast.hanne)
    for position, (page, name) in enumerate([(one, "0123"), (two, "set/page-2.html")], 1):
        ImportRecord.objects.create(run=source, position=position, location=name, outcome="added", page=page)
    names = ["0123", "set/page-2", "set/page", "0123.html"]
    assert uploads.pages_named(corpus, names) == {"0123": [one.pk], "set/page-2": [two.pk]}
    # Two ways to write one name.
    twice = [one.sha256, one.sha256.upper(), "set/page-2", "set/page-2.html"]
    assert uploads.pages_named(corpus, twice) == dict(
        zip(twice, [[one.pk]] * 2 + [[two.pk]] * 2, strict=True)
    )


def test_missing_outputs_are_left_out_or_empty_as_chosen(corpus: Corpus, make_page: MakePage) -> None:
    first, second = gold_page(make_page), gold_page(make_page)
    outputs = {first.sha256: " ".join(MARKS)}
    finish(upload(corpus, outputs, name="left-out"))
    finish(upload(corpus, outputs, name="empty", missing="empty"))
    assert [row_of(corpus, name).shown.n for name in ("left-out", "empty")] == [1, 2]
    assert Extraction.objects.get(extractor__name="empty", document=second.document).spans == []
    # Pages that come later were never asked about.
    later = gold_page(make_page)
    request_extractions(later.pk)
    assert not later.document.extractions.filter(extractor__uploaded_in=corpus).exists()


def test_spans_are_taken_as_they_are_if_they_fit(corpus: Corpus, make_page: MakePage) -> None:
    pages = [make_page(opened=False) for _ in range(3)]
    rows = [
        {"sha256": pages[0].sha256, "spans": [[0, 12, "headline"]], "document": pages[0].document.sha256},
        {"sha256": pages[1].sha256, "spans": [[0, 12, "headline"]], "document": "f" * 64},
        {"sha256": pages[2].sha256, "spans": [[0, 9_999_999, "body"]]},
    ]
    run = finish(upload(corpus, "\n".join(map(json.dumps, rows)).encode()))
    states = dict(Extraction.objects.filter(extractor=run.extractor).values_list("document__page", "error"))
    assert states[pages[0].pk] == ""
    assert "another document" in states[pages[1].pk]
    assert "go beyond the" in states[pages[2].pk]


def test_spans_with_a_label_that_the_corpus_lacks_are_refused_and_not_scored_as_nothing(
    corpus: Corpus, make_page: MakePage
) -> None:
    pages = [gold_page(make_page) for _ in range(2)]
    rows = [
        {"sha256": page.sha256, "spans": [[*span_of(page, HEADLINE, label)]]}
        for page, label in zip(pages, ("Headline", "title"), strict=True)
    ]
    run = finish(upload(corpus, "\n".join(map(json.dumps, rows)).encode()))
    matched, refused = run.outputs.all()
    assert (matched.page, matched.spans[0][2]) == (pages[0], "headline")
    assert refused.outcome == OutputOutcome.REFUSED
    assert "does not have: title" in refused.reason
    assert row_of(corpus).shown.n == 1


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"a": {"articleBody": "cut', "the file may be cut off"),
        (b'{"a": "\xe9"}', "is not in UTF-8"),
        (b'{"nobody": "a text"}', "No record names a page of this corpus"),
        (b"{}", "No record names a page of this corpus"),
    ],
)
def test_malformed_file_leaves_nothing_and_says_why(
    corpus: Corpus, make_page: MakePage, data: bytes, why: str
) -> None:
    page = make_page(opened=False)
    run = upload(corpus, data)
    take_step(run.pk)
    run.refresh_from_db()
    assert run.stage == RunStage.FAILED
    assert why in run.error
    assert not UploadedOutput.objects.exists()
    assert run.needs_file
    assert not Run.objects.filter(STOPPED).exists()
    with pytest.raises(Conflict, match="upload it again"):
        running.resume_run(run=run)
    # The same version may come again, repaired.
    assert finish(upload(corpus, {page.sha256: "Bridge opens"})).completed_at
    run.refresh_from_db()
    assert run.stage == RunStage.CANCELLED


def test_screen_of_a_file_that_cannot_be_used_asks_for_another(corpus: Corpus, hanne: Client) -> None:
    run = upload(corpus, b"{")
    take_step(run.pk)
    shown = hanne.get(reverse("run", args=[corpus.slug, run.pk])).content.decode()
    assert "under the same name and version" in shown
    assert reverse("run-resume", args=[corpus.slug, run.pk]) not in shown
    assert reverse("run-cancel", args=[corpus.slug, run.pk]) in shown


def test_what_needs_attention_asks_for_another_file_and_is_quiet_once_it_is_there(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    page = make_page(opened=False)
    take_step(upload(corpus, b"{").pk)
    attention = reverse("attention", args=[corpus.slug])
    shown = hanne.get(attention).content.decode()
    assert "under the same name and version" in shown
    assert "Retry all" not in shown
    hanne.post(reverse("attention-retry", args=[corpus.slug]), {"kind": "run"})
    assert Run.objects.get().stage == RunStage.FAILED
    finish(upload(corpus, {page.sha256: "Bridge opens"}))
    assert "All clear" in hanne.get(attention).content.decode()


def test_repeated_and_bad_records_lose_nothing_else(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    body = f'{{"{page.sha256}": "Bridge opens", "{page.url}": "again", "x": 7, "y": {{}}}}'
    found = outputs_of(finish(upload(corpus, body.encode())))
    assert (found.matched, found.repeated, found.refused) == (1, 1, 2)
    text = " ".join(page.document.text[start:end] for start, end, _label in _spans("reader"))
    assert text == HEADLINE


def test_a_worker_that_dies_while_reading_leaves_nothing(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(opened=False)
    run = upload(corpus, {page.sha256: "Bridge opens"})
    monkeypatch.setattr(work, "send_heartbeat", lambda *_args, **_more: False)
    take_step(run.pk)
    assert not UploadedOutput.objects.exists()
    monkeypatch.undo()
    Run.objects.filter(pk=run.pk).update(finished_at=None, error="", heartbeat_at=None)
    finish(run)
    assert UploadedOutput.objects.count() == 1


def test_uploaded_outputs_are_never_arms_and_run_on_no_page(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    made = finish(upload(corpus, {page.sha256: "Bridge opens"})).extractor
    assert CorpusExtractor.objects.filter(extractor=made, ended_at=None).exists()
    assert made.pk not in enabled_in(corpus.pk)
    assert made not in possible_arms(corpus)
    assert not made.can_be_arm


def test_uploaded_outputs_that_were_disabled_are_enabled_again_without_a_run(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    page = make_page(opened=False)
    made = finish(upload(corpus, {page.sha256: "Bridge opens"})).extractor
    enabled = CorpusExtractor.objects.filter(extractor=made, ended_at=None)
    disable, enable = (
        reverse(name, args=[corpus.slug, made.pk]) for name in ("extractor-disable", "extractor-upgrade")
    )
    hanne.post(disable)
    assert not enabled.exists()
    for _ in range(2):
        shown = hanne.post(enable, follow=True).content.decode()
        assert (enabled.count(), made.runs.count()) == (1, 1)
    assert "is enabled already" in shown
    told = AuditEvent.objects.filter(action__startswith="extractor_").order_by("pk")
    assert list(told.values_list("action", flat=True))[-2:] == ["extractor_disabled", "extractor_enabled"]


def test_family_and_training_pages_are_those_that_the_uploader_states(
    corpus: Corpus, make_page: MakePage
) -> None:
    tuned, same_site = (
        gold_page(make_page, url=url) for url in ("https://a.example.com/1", "https://www.example.com/2")
    )
    # No near duplicate of theirs.
    words = " ".join(f"word{number}" for number in range(200))
    html = f"<h1>{MARKS[0]}</h1><p>{MARKS[1]}</p><p>{words}</p>"
    other = gold_page(make_page, html=html, url="https://daily.example.org/")
    listed = f"{tuned.sha256.upper()}\n\nother.example.net\n{same_site.url}"
    outputs = {page.sha256: "Bridge opens" for page in (tuned, same_site, other)}
    run = finish(upload(corpus, outputs, tuned_on=listed, family="tree-filter"))
    assert run.extractor.family == "boilerpipe"
    assert run.extractor.tuned_on_sites == ["example.net"]
    scored = Score.objects.filter(extraction__extractor=run.extractor).values_list("gold__page", flat=True)
    assert set(scored) == {tuned.pk, same_site.pk, other.pk}
    assert counted_apart(corpus)["reader"] == {tuned.pk, same_site.pk}


def test_names_and_versions_are_one_systems(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    outputs = {page.sha256: "Bridge opens"}
    for name in ("goldpan", "goldpan-own"):
        with pytest.raises(GoldpanError, match="is an extractor of Goldpan"):
            upload(corpus, outputs, name=name)
    with pytest.raises(GoldpanError, match="no extractor is called"):
        upload(corpus, outputs, family="nobody")
    first = finish(upload(corpus, outputs))
    with pytest.raises(Conflict, match="another version"):
        upload(corpus, outputs)
    second = finish(upload(corpus, outputs, version="2"))
    assert second.replaced == first.extractor


def test_version_of_which_a_cancelled_upload_has_outputs_is_taken(
    corpus: Corpus, make_page: MakePage
) -> None:
    pages = [gold_page(make_page) for _ in range(2)]
    wrong = upload(corpus, {page.sha256: "closed for most of the year" for page in pages})
    take_step(wrong.pk)
    run_pending_work(extractions=1)
    running.cancel_run(run=Run.objects.get(pk=wrong.pk))
    right = {pages[0].sha256: " ".join(MARKS)}
    with pytest.raises(Conflict, match="another version"):
        upload(corpus, right)
    finish(upload(corpus, right, version="2"))
    assert (row_of(corpus).version, row_of(corpus).shown.value) == ("2", 1.0)


def test_outputs_of_a_cancelled_upload_do_not_count_for_the_next_one(
    corpus: Corpus, make_page: MakePage
) -> None:
    first, second = gold_page(make_page), gold_page(make_page)
    wrong = upload(corpus, {page.sha256: HEADLINE for page in (first, second)})
    take_step(wrong.pk)
    running.cancel_run(run=Run.objects.get(pk=wrong.pk))
    run = finish(upload(corpus, {first.sha256: " ".join(MARKS)}, missing="empty"))
    spans = Extraction.objects.filter(extractor=run.extractor).values_list("document__page", "spans")
    assert {page: bool(found) for page, found in spans} == {first.pk: True, second.pk: False}


def test_reparsed_page_has_its_outputs_aligned_again(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    extractor = finish(upload(corpus, {page.sha256: "Bridge opens"})).extractor
    old = page.document
    old.pk, old.version = None, "later"
    old.save()
    Page.objects.filter(pk=page.pk).update(document=old)
    request_extractions(page.pk)
    extraction = old.extractions.get(extractor=extractor)
    run_extractors(extraction.pk)
    extraction.refresh_from_db()
    assert extraction.spans


def test_page_that_is_parsed_after_the_upload_has_its_output(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    document = page.document
    Page.objects.update(document=None)
    extractor = finish(upload(corpus, {page.sha256: "Bridge opens"})).extractor
    Page.objects.filter(pk=page.pk).update(document=document)
    request_extractions(page.pk)
    assert document.extractions.filter(extractor=extractor).exists()


def test_taking_a_page_down_blanks_what_was_uploaded_for_it(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(opened=False)
    finish(upload(corpus, {page.url: "Bridge opens"}))
    take_down(page=page, reason="asked to")
    output = UploadedOutput.objects.get()
    assert (output.name, output.text) == (page.sha256, "")
    assert Extraction.objects.get(extractor__name="reader").spans == []


# ---- the screen and the command ----


def test_researcher_uploads_and_reads_the_report(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn, make_page: MakePage
) -> None:
    page = gold_page(make_page)
    rhea: Client = signed_in(cast.rhea)
    outputs = {page.sha256: "Bridge opens", "=1+1": "x", "seven": 7}
    file = SimpleUploadedFile("goose3.json", json.dumps(outputs).encode())
    sent = {
        "file": file,
        "name": "goose3-published",
        "version": "3.1",
        "missing": "left_out",
        "licence": "MIT",
    }
    answer = rhea.post(reverse("run-upload", args=[corpus.slug]), sent)
    run = finish(Run.objects.get())
    assert answer["Location"] == reverse("run", args=[corpus.slug, run.pk])
    shown = rhea.get(reverse("run", args=[corpus.slug, run.pk])).content.decode()
    assert "Licence: MIT" in shown
    assert '<span class="soft">No such page</span>' in " ".join(shown.split())
    assert '<span lang="en">is neither a text nor an object</span>' in " ".join(shown.split())
    report = rhea.get(reverse("run-report", args=[corpus.slug, run.pk])).getvalue().decode()
    assert report.splitlines()[1] == f"1,{page.sha256},matched,{page.sha256},11,11,"
    assert "'=1+1" in report
    counted_board(corpus)
    assert "uploaded" in rhea.get(reverse("leaderboard-table", args=[corpus.slug])).content.decode()
    for wrong in ({**sent, "file": ""}, {**sent, "name": "goldpan"}, {**sent, "missing": "?"}):
        file.seek(0)
        assert rhea.post(reverse("run-upload", args=[corpus.slug]), wrong, follow=True).context["messages"]
    assert Extractor.objects.filter(uploaded_in=corpus).count() == 1
    assert signed_in(cast.ada).post(reverse("run-upload", args=[corpus.slug]), sent).status_code == 403


def test_command_uploads(corpus: Corpus, make_page: MakePage, tmp_path: Any, capsys: Any) -> None:
    page = gold_page(make_page)
    file = tmp_path / "out.json"
    file.write_text(json.dumps({page.sha256: "Bridge opens", "nobody": "x"}))
    call_command("upload_outputs", corpus.slug, "reader", "1", str(file))
    said = capsys.readouterr()
    assert said.out.startswith("1 matched, 1 unknown, 0 repeated, 0 refused; 0 pages without output")
    assert "nobody: names no page of this corpus" in said.err
    file.write_text('{"a": "cut')
    with pytest.raises(CommandError, match="may be cut off"):
        call_command("upload_outputs", corpus.slug, "reader", "2", str(file))


def test_command_that_is_interrupted_says_who_goes_on(
    corpus: Corpus, make_page: MakePage, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "out.json"
    file.write_text(json.dumps({gold_page(make_page).sha256: "Bridge opens"}))
    monkeypatch.setattr("annotator.home.pending._run", interrupted)
    with pytest.raises(CommandError, match="uploaded; what is left goes on where workers run"):
        call_command("upload_outputs", corpus.slug, "reader", "1", str(file))
