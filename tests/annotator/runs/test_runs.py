"""Runs: a version of an extractor over a corpus in the background, until it takes its place on the board."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.runs import queries, running
from annotator.runs.actions import register
from annotator.runs.models import CorpusExtractor, Extraction, Extractor, Run, RunStage
from annotator.runs.tasks import request_extractions, run_extractors, take_step
from annotator.scoring.actions import pairs_of_gold, request_scores
from annotator.scoring.leaderboard.boards import board
from annotator.scoring.leaderboard.leaderboard import Leaderboard
from annotator.scoring.models import Score
from annotator.scoring.tasks import request_for_extractions, score_extractions
from annotator.scoring.totals.counting import count_some
from annotator.scoring.totals.slices import Selection
from extraction.extractors import ExtractorSpec, registry
from extraction.spans import Span
from tests.annotator.scored import give_gold, in_language, make_gold
from tests.factories import MakePage, SignedIn, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def version_of(name: str, number: str, function: Any = None) -> ExtractorSpec:
    return ExtractorSpec(name, number, name, function or (lambda document: []))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install a version of the extractor "moving" in place of another."""

    def installed(number: str, function: Any = None) -> Extractor:
        monkeypatch.setitem(registry.REGISTRY, "moving", version_of("moving", number, function))
        return register("moving")

    return installed


def run_pending_work(*, extractions: int = 10_000) -> None:
    """Do at most so many of the extractions that wait, and their scores."""
    for pk in Extraction.objects.open().order_by("pk").values_list("pk", flat=True)[:extractions]:
        run_extractors(pk)
        request_for_extractions(pk)
    for pk in Score.objects.open().values_list("pk", flat=True):
        score_extractions(pk)


def finish(run: Run) -> Run:
    """Let it go on to its end."""
    for _ in range(10):
        take_step(run.pk)
        run.refresh_from_db()
        if run.finished_at:
            return run
        run_pending_work()
    raise AssertionError("the run does not end")


def enabled(corpus: Corpus, name: str = "moving") -> list[str]:
    rows = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__name=name)
    return list(rows.values_list("extractor__version", flat=True))


def counted_board(corpus: Corpus) -> Leaderboard:
    """The board once all scores are in its totals."""
    while count_some(corpus):
        pass
    return board(corpus)


def versions_on_board(corpus: Corpus) -> list[str]:
    return [row.version for row in counted_board(corpus).rows if row.name == "moving"]


def test_a_new_version_takes_the_place_of_the_old_one_when_it_is_whole(
    corpus: Corpus, make_page: MakePage, install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = install("1")
    for _ in range(3):
        make_gold(make_page(opened=False))
    finish(running.start_run(corpus=corpus, extractor=old))
    assert (enabled(corpus), versions_on_board(corpus)) == (["1"], ["1"])
    new = install("2")
    run = running.start_run(corpus=corpus, extractor=new)
    monkeypatch.setattr(running, "WINDOW", 2)
    take_step(run.pk)
    assert Extraction.objects.filter(extractor=new).count() == 2
    run_pending_work()
    take_step(run.pk)
    # Two of three pages are done and scored: nobody sees that yet.
    assert Score.objects.filter(extraction__extractor=new, error="").count() == 2
    assert (enabled(corpus), versions_on_board(corpus)) == (["1"], ["1"])
    run = finish(run)
    assert (enabled(corpus), versions_on_board(corpus)) == (["2"], ["2"])
    assert (run.stage, run.pages, run.done, run.failed) == (RunStage.COMPLETED, 3, 3, 0)
    assert run.replaced == old
    ended = CorpusExtractor.objects.get(corpus=corpus, extractor=old)
    assert ended.ended_at == CorpusExtractor.objects.get(corpus=corpus, extractor=new).since
    # Both stay readable.
    assert Score.objects.filter(extraction__extractor=old).count() == 3
    assert [event.action for event in AuditEvent.objects.filter(item="moving")[:2]] == [
        *("run_completed", "run_started"),
    ]


def test_a_run_is_not_whole_before_its_scores_are_there(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    make_gold(make_page(opened=False))
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    extraction = Extraction.objects.open().get()
    run_extractors(extraction.pk)
    take_step(run.pk)
    assert enabled(corpus) == []
    request_for_extractions(extraction.pk)
    assert finish(run).completed_at


def test_a_run_is_not_whole_with_scores_of_replaced_gold(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    page = make_page(opened=False)
    make_gold(page)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    run_pending_work()
    # Another score is requested, and not computed yet.
    request_scores(pairs_of_gold(make_gold(page)))
    take_step(run.pk)
    assert enabled(corpus) == []
    assert finish(run).completed_at


def test_pages_that_arrive_during_a_run_are_in_it(corpus: Corpus, make_page: MakePage, install: Any) -> None:
    make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    late = make_page(opened=False)
    request_extractions(late.pk)
    assert late.document.extractions.filter(extractor=run.extractor).exists()
    assert finish(run).done == 2


def test_a_run_over_a_part_replaces_nothing_and_stands_on_the_board_of_its_slice(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    old = install("1")
    finish(running.start_run(corpus=corpus, extractor=old))
    spanish, english = (in_language(make_page(opened=False), language) for language in ("es", "en"))
    for page in (spanish, english):
        give_gold(page)
    new = install("2")
    run = finish(running.start_run(corpus=corpus, extractor=new, part="language:ES"))
    assert (run.stage, run.part, run.pages, run.done) == (RunStage.COMPLETED, "language:es", 1, 1)
    assert (enabled(corpus), versions_on_board(corpus)) == (["1"], ["1"])
    slices = Selection.parse("language:es")
    assert {row.version for row in board(corpus, of=slices).rows if row.name == "moving"} == {"1", "2"}
    # A page that comes later is no part of it.
    assert new.pk not in queries.wanted_for(in_language(make_page(opened=False), "en").document)
    # Over the whole corpus it goes on from there.
    whole = finish(running.start_run(corpus=corpus, extractor=new))
    assert (whole.pages, enabled(corpus)) == (3, ["2"])


def test_a_run_covers_what_another_version_failed_on_or_lacks(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    failed, lacking, good = (make_page(opened=False).document for _ in range(3))
    old = install("1")
    for document, error in ((failed, "ValueError: no"), (good, "")):
        Extraction.objects.create(document=document, extractor=old, finished_at=timezone.now(), error=error)
    new = install("2")
    for part, document in (("failed", failed), ("missing", lacking)):
        run = Run(corpus=corpus, extractor=new, part=part)
        assert list(queries.documents_of(run)) == [document]
    run = running.start_run(corpus=corpus, extractor=new, part="failed")
    with pytest.raises(Conflict, match="is under way: pages on which another version failed"):
        running.start_run(corpus=corpus, extractor=new)
    assert finish(run).done == 1
    for part, message in (("colour:red", "is no part of a corpus"), ("language:xx", "No pages: pages in xx")):
        with pytest.raises(GoldpanError, match=message):
            running.start_run(corpus=corpus, extractor=new, part=part)


def test_other_parameters_replace_nothing(corpus: Corpus, make_page: MakePage) -> None:
    make_page(opened=False)
    for depth in (2, 3):
        extractor = register("tree-filter", depth=depth)
        if depth == 3:
            finish(running.start_run(corpus=corpus, extractor=extractor))
    assert len(enabled(corpus, "tree-filter")) == 2


def test_paused_run_asks_for_nothing_and_goes_on_when_it_is_resumed(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    for _ in range(3):
        make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    run_pending_work(extractions=1)
    running.pause_run(run=run)
    assert Extraction.objects.filter(extractor=run.extractor).count() == 1
    take_step(run.pk)
    run.refresh_from_db()
    assert (run.stage, Extraction.objects.open().count()) == (RunStage.PAUSED, 0)
    with pytest.raises(Conflict):
        running.pause_run(run=run)
    running.resume_run(run=run)
    assert finish(run).done == 3
    for refused in (running.resume_run, running.cancel_run):
        with pytest.raises(Conflict):
            refused(run=run)


def test_pause_while_a_worker_takes_a_step_leaves_nothing_waiting(
    corpus: Corpus, make_page: MakePage, install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    counted = running._count_at_times

    def pause_meanwhile(held: Run) -> None:
        counted(held)
        running.pause_run(run=run)

    monkeypatch.setattr(running, "_count_at_times", pause_meanwhile)
    take_step(run.pk)
    run.refresh_from_db()
    assert (run.stage, run.finished_at is None) == (RunStage.PAUSED, False)
    assert not Extraction.objects.open().exists()


def test_cancelled_run_changes_no_board_and_another_goes_on_from_there(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    for _ in range(2):
        make_gold(make_page(opened=False))
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    run_pending_work(extractions=1)
    running.cancel_run(run=run)
    assert (enabled(corpus), versions_on_board(corpus)) == ([], [])
    again = running.start_run(corpus=corpus, extractor=run.extractor)
    assert again.pk != run.pk
    take_step(again.pk)
    assert Extraction.objects.open().count() == 1
    assert finish(again).done == 2


@pytest.mark.parametrize("end", ["pause_run", "cancel_run"])
def test_run_that_is_ended_while_its_outputs_are_counted_is_not_completed(
    corpus: Corpus, make_page: MakePage, install: Any, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    take_step(run.pk)
    run_pending_work()
    counted = running._count

    def end_meanwhile(held: Run) -> None:
        counted(held)
        getattr(running, end)(run=run)

    monkeypatch.setattr(running, "_count", end_meanwhile)
    take_step(run.pk)
    run.refresh_from_db()
    assert run.stage == {"pause_run": RunStage.PAUSED, "cancel_run": RunStage.CANCELLED}[end]
    assert enabled(corpus) == []


def test_an_extractor_has_one_run_at_a_time_and_none_once_it_is_enabled(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    make_page(opened=False)
    extractor = install("1")
    run = running.start_run(corpus=corpus, extractor=extractor)
    assert running.start_run(corpus=corpus, extractor=extractor) == run
    finish(run)
    with pytest.raises(Conflict):
        running.start_run(corpus=corpus, extractor=extractor)


def test_a_message_that_comes_twice_takes_no_second_step(
    corpus: Corpus, make_page: MakePage, install: Any
) -> None:
    make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1"))
    assert running.is_due(run.pk)
    take_step(run.pk)
    assert not running.is_due(run.pk)


def crash(document: Any) -> list[Span]:
    raise RecursionError("deeper than 1000")


def test_failures_are_counted_by_cause_and_are_results(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, install: Any, signed_in: SignedIn
) -> None:
    pages = [make_page(opened=False) for _ in range(2)]
    make_gold(pages[0])
    run = finish(running.start_run(corpus=corpus, extractor=install("1", crash)))
    assert (run.done, run.failed, run.succeeded) == (2, 2, 0)
    shown = signed_in(cast.rhea).get(reverse("run", args=[corpus.slug, run.pk]))
    (cause,) = shown.context["failures"]
    assert (cause.name, cause.extractions, cause.detail) == (
        "the page is nested too deeply for it",
        2,
        "deeper than 1000",
    )
    link = reverse("error-view", args=[corpus.slug, run.extractor.pk, pages[0].pk])
    assert link in shown.content.decode()
    make_gold(pages[0], verdict="not_article")
    shown = signed_in(cast.rhea).get(reverse("run", args=[corpus.slug, run.pk]))
    assert link not in shown.content.decode(), "gold without spans is compared with nothing"


def test_the_command_says_that_it_counts_earlier_failures_too(
    corpus: Corpus, make_page: MakePage, install: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    make_page(opened=False)
    finish(running.start_run(corpus=corpus, extractor=install("1", crash)))
    call_command("run_extractors", corpus.slug)
    assert capsys.readouterr().out == "Done; failed in this corpus so far: 1.\n"


def test_the_class_of_an_error_is_a_detail_of_its_cause(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, install: Any, signed_in: SignedIn
) -> None:
    def stumble(document: Any) -> list[Span]:
        raise KeyError("title")

    make_page(opened=False)
    run = finish(running.start_run(corpus=corpus, extractor=install("1", stumble)))
    (cause,) = signed_in(cast.rhea).get(reverse("run", args=[corpus.slug, run.pk])).context["failures"]
    assert (cause.name, cause.detail) == ("error in its program", "KeyError: 'title'")


def test_what_the_machine_did_is_no_failure(corpus: Corpus, make_page: MakePage, install: Any) -> None:
    def lost(document: Any) -> list[Span]:
        raise OSError("the disk is away")

    make_page(opened=False)
    run = running.start_run(corpus=corpus, extractor=install("1", lost))
    take_step(run.pk)
    run_pending_work()
    Run.objects.update(counting_seconds=0)
    take_step(run.pk)
    run.refresh_from_db()
    assert (run.done, run.failed, run.retrying) == (0, 0, 1)
    install("1")
    assert finish(run).failed == 0


# ---- the screen and the command ----


def test_run_is_started_paused_resumed_and_cancelled_on_the_screen(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    make_page(opened=False)
    assert '<option value="tree-filter">' in hanne.get(reverse("runs", args=[corpus.slug])).content.decode()
    started = hanne.post(
        reverse("run-start", args=[corpus.slug]),
        {"extractor": "tree-filter", "parameters": "depth=3"},
    )
    run = Run.objects.get()
    assert run.extractor.parameters | {"depth": 3} == run.extractor.parameters
    assert started["Location"] == reverse("run", args=[corpus.slug, run.pk])
    for act, stage in (
        ("pause", RunStage.PAUSED),
        ("resume", RunStage.QUEUED),
        ("cancel", RunStage.CANCELLED),
    ):
        hanne.post(reverse(f"run-{act}", args=[corpus.slug, run.pk]))
        run.refresh_from_db()
        assert run.stage == stage
    assert (
        "This run has already ended."
        in hanne.post(reverse("run-cancel", args=[corpus.slug, run.pk]), follow=True).content.decode()
    )


@pytest.mark.parametrize("sent", [("nobody", ""), ("tree-filter", "depth=deep"), ("tree-filter", "width=1")])
def test_what_cannot_be_run_is_refused_with_the_reason(
    corpus: Corpus, hanne: Client, sent: tuple[str, str]
) -> None:
    answer = hanne.post(
        reverse("run-start", args=[corpus.slug]), dict(zip(("extractor", "parameters"), sent, strict=True)),
        follow=True,
    )  # fmt: skip
    assert answer.context["messages"]
    assert not Run.objects.exists()


def test_researchers_change_only_what_they_have_started(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn, make_page: MakePage, install: Any
) -> None:
    make_page(opened=False)
    rhea = signed_in(cast.rhea)
    run = running.start_run(corpus=corpus, extractor=install("1"), user=cast.hanne)
    assert rhea.get(reverse("run", args=[corpus.slug, run.pk])).status_code == 200
    assert b"Pause" not in rhea.get(reverse("runs", args=[corpus.slug])).content
    assert rhea.post(reverse("run-pause", args=[corpus.slug, run.pk])).status_code == 403
    assert rhea.post(reverse("run-start", args=[corpus.slug]), {"extractor": "bte"}).status_code == 403
    Run.objects.update(requested_by=cast.rhea)
    assert b"Pause" in rhea.get(reverse("runs", args=[corpus.slug])).content
    assert rhea.post(reverse("run-pause", args=[corpus.slug, run.pk])).status_code == 302
    for person in (cast.ada, cast.cleo, make_user("eve")):
        assert signed_in(person).get(reverse("runs", args=[corpus.slug])).status_code in {403, 404}


@pytest.mark.parametrize("runs", [1, 4])
def test_screens_use_a_fixed_number_of_queries(
    corpus: Corpus,
    hanne: Client,
    make_page: MakePage,
    install: Any,
    runs: int,
    django_assert_num_queries: Any,
) -> None:
    make_gold(make_page(opened=False))
    for number in range(runs):
        finish(running.start_run(corpus=corpus, extractor=install(f"{number}", crash)))
    make_page(opened=False)
    for depth in range(3, 3 + runs):
        running.start_run(corpus=corpus, extractor=register("tree-filter", depth=depth))
    with django_assert_num_queries(10):
        assert hanne.get(reverse("runs", args=[corpus.slug])).status_code == 200
    with django_assert_num_queries(4):
        assert hanne.get(reverse("runs-now", args=[corpus.slug])).status_code == 200


def test_command_fails_where_a_run_is_paused(corpus: Corpus, make_page: MakePage, install: Any) -> None:
    make_page(opened=False)
    running.pause_run(run=running.start_run(corpus=corpus, extractor=install("1")))
    with pytest.raises(CommandError, match=r"Not completed: the run of moving \(paused\)"):
        call_command("run_extractors", corpus.slug, "moving")


def test_no_end_is_expected_where_all_that_is_left_was_put_off() -> None:
    now = timezone.now()
    run = Run(pages=12, done=7, retrying=3, started_at=now - timedelta(seconds=14), counted_at=now)
    assert (run.left, run.seconds_left) == (2, 10)
    run.retrying = 5
    assert (run.left, run.seconds_left) == (0, None)


def test_command_leaves_to_the_workers_what_is_put_off_again_and_again(
    corpus: Corpus, make_page: MakePage, install: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    tried = []

    def lost(document: Any) -> list[Span]:
        tried.append(document)
        if len(tried) < 5:
            raise OSError("the disk is away")
        return []

    make_page(opened=False)
    extractor = install("1", lost)
    take_step(running.start_run(corpus=corpus, extractor=extractor).pk)
    asked = Extraction.objects.filter(extractor=extractor)
    asked.update(faults=OVERLOADED - 1, enqueued_at=timezone.now() - 2 * work.UNCLAIMED)
    with pytest.raises(CommandError, match=r"Not completed: the run of moving \(running\)"):
        call_command("run_extractors", corpus.slug, "moving")
    assert (len(tried), asked.get().state) == (1, "overloaded")
    assert "1, as the machine was at fault; for instance OSError: the disk is away" in capsys.readouterr().err


def test_command_completes_runs_and_can_be_interrupted(
    corpus: Corpus, make_page: MakePage, install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_gold(make_page(opened=False))
    old = install("1")
    call_command("run_extractors", corpus.slug, "moving")
    assert enabled(corpus) == ["1"]
    install("2")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("annotator.home.pending._run", interrupted)
    with pytest.raises(Exception, match="with the same command again"):
        call_command("run_extractors", corpus.slug, "moving")
    assert enabled(corpus) == ["1"]
    assert Run.objects.latest("pk").stage == RunStage.RUNNING
    monkeypatch.undo()
    install("2")
    call_command("run_extractors", corpus.slug, "moving")
    assert enabled(corpus) == ["2"]
    assert Run.objects.filter(extractor__version="2").count() == 1
    assert old.pk in queries.off_board(corpus.pk).values_list("pk", flat=True)
