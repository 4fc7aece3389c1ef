"""The jobs of a corpus: what is declared at a kind of work is what an admin sees and can do."""

import csv
import io
from datetime import timedelta
from types import SimpleNamespace

import pgtrigger
import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.administration.jobs.queries import SHOWN
from annotator.common import work
from annotator.common.progress import WorkProgress, progress_by_kind, work_counts
from annotator.common.roles import ADMIN, ROUTES
from annotator.common.work import work_models
from annotator.corpora.models import Corpus
from annotator.pages.imports.addresses import create_import
from annotator.pages.imports.models import Import, SourceKind, Stage
from annotator.pages.imports.uploads import add_file, start_upload
from annotator.releases.actions import request_release
from annotator.releases.exports.actions import request_export, write_export
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from annotator.runs.actions import register
from annotator.runs.models import Extraction, RunStage
from annotator.runs.running import start_run
from annotator.runs.tasks import request_in_corpus
from tests.annotator.pages.imports.made import previewed_import
from tests.annotator.scored import make_gold
from tests.factories import MakePage, extract_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def jobs(client: Client, corpus: Corpus, **query: str) -> str:
    return client.get(reverse("jobs", args=[corpus.slug]), query).content.decode()


def test_all_jobs_are_of_their_gender_in_spanish(corpus: Corpus, hanne: Client) -> None:
    hanne.cookies["django_language"] = "es"
    assert ">Todos</a>" in jobs(hanne, corpus)


@pytest.mark.parametrize("model", list(work_models()), ids=lambda model: model.__name__)
def test_what_a_kind_declares_exists_and_is_for_admins(model: type[work.Work]) -> None:
    kind = model.kind
    for name in kind.progress or ():
        assert model._meta.get_field(name)
    assert not kind.is_job or (kind.label and kind.screen)
    for control in kind.controls:
        assert ADMIN in ROUTES[control.route]
        model.objects.filter(control.when).exists()
        arguments = ["dailies", *([1] if control.key else [])]
        try:
            reverse(control.route, args=arguments)
        except NoReverseMatch:
            pytest.fail(f"{control.route} does not take {arguments}")


def test_job_shows_how_far_it_is_and_is_stopped_where_it_says(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    make_gold(make_page())
    export = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    Export.objects.filter(pk=export.pk).update(pages=40, done=10, heartbeat_at=timezone.now())
    (job,) = hanne.get(reverse("jobs", args=[corpus.slug])).context["jobs"]
    assert (str(job.title), job.label, job.state) == ("Exports", "jsonl", "running")
    assert (job.done, job.total) == (10, 40)
    assert job.minutes_left is not None
    (action,) = job.actions
    hanne.post(action.address)
    shown = hanne.get(reverse("jobs", args=[corpus.slug])).context
    (job,) = shown["jobs"] + shown["past"]
    assert job.state == "stopped"
    assert job.took < timezone.now() - export.requested_at


def test_what_is_worked_on_comes_first_however_much_was_asked_for_later(
    corpus: Corpus, hanne: Client
) -> None:
    """As when hundreds of feeds were checked."""
    names = [f"https://gazette.example/{number}" for number in range(SHOWN + 2)]
    for name in names:
        create_import(corpus=corpus, addresses=[name], with_assets=False)
    assert work.claim(Import, Import.objects.earliest("pk").pk)
    shown = [job.label for job in hanne.get(reverse("jobs", args=[corpus.slug])).context["jobs"]]
    assert shown == [names[0], *reversed(names[3:])]


def test_what_somebody_stopped_has_not_failed(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    """Otherwise it would need attention for ever: nobody can retry it."""
    make_gold(make_page())
    waiting, running = (
        request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne) for _ in range(2)
    )
    release = request_release(corpus=corpus)
    claimed = work.claim(Export, running.pk)
    assert claimed
    for export in (waiting, running):
        hanne.post(reverse("export-stop", args=[corpus.slug, export.pk]))
    hanne.post(reverse("release-stop", args=[corpus.slug, release.number]))
    write_export(claimed)
    assert work_counts(corpus) == []
    shown = hanne.get(reverse("jobs", args=[corpus.slug])).context
    assert [job.state for job in shown["past"]] == ["stopped"] * 3
    assert "Failed" not in hanne.get(reverse("attention", args=[corpus.slug])).content.decode()


def test_other_work_is_counted_by_kind_with_its_pace(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    extract_all(make_page())
    make_page()
    request_in_corpus(corpus.pk)
    failed = Extraction.objects.filter(extractor__name="justext", finished_at=None)
    failed.update(finished_at=timezone.now(), error="IndexError: list index out of range")
    enabled = Extraction.objects.values("extractor").distinct().count()
    for asked, minutes in ((timedelta(hours=1), 5), (timedelta(seconds=30), 0.5)):
        with pgtrigger.ignore():
            Extraction.objects.update(requested_at=timezone.now() - asked)
        found = progress_by_kind(corpus)[Extraction]
        assert found.per_minute == pytest.approx((enabled + 1) / minutes, rel=0.2)
        assert found == WorkProgress(waiting=enabled - 1, failed=1, per_minute=found.per_minute)
    assert found.minutes_left == 1
    assert "1 failed" in " ".join(jobs(hanne, corpus).split())


def test_history_is_by_kind_and_by_failure(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    for error in ("", "OSError: disk full"):
        export = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
        ended_at = export.requested_at + timedelta(seconds=7)
        Export.objects.filter(pk=export.pk).update(finished_at=ended_at, error=error)
    assert "disk full" in jobs(hanne, corpus)
    assert '<td class="n soft mid-only">7 s</td>' in jobs(hanne, corpus)
    for kind, shown in (("failed", 1), ("Export", 2), ("No such kind", 2)):
        context = hanne.get(reverse("jobs", args=[corpus.slug]), {"kind": kind}).context
        assert len(context["past"]) == shown


def test_an_upload_that_breaks_off_is_no_job(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    """As while the bucket of files does not answer: there is nothing to wait for, and nothing to resume."""
    add_file(run=start_upload(corpus=corpus, user=cast.hanne), name="story.html", size=10)
    previewed_import(corpus, cast.hanne)
    context = hanne.get(reverse("jobs", args=[corpus.slug])).context
    assert [job.label for job in [*context["jobs"], *context["past"]]] == ["harbour"]


def test_history_of_a_kind_is_not_hidden_by_many_of_another(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    make_gold(make_page())
    release = request_release(corpus=corpus)
    hanne.post(reverse("release-stop", args=[corpus.slug, release.number]))
    for _ in range(SHOWN):
        export = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
        Export.objects.filter(pk=export.pk).update(finished_at=timezone.now())
    for kind, models in (("", {Export}), ("Release", {Release})):
        context = hanne.get(reverse("jobs", args=[corpus.slug]), {"kind": kind}).context
        assert {job.model for job in context["past"]} == models


def test_all_that_can_go_on_later_is_paused_at_once(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    run = create_import(corpus=corpus, addresses=["https://gazette.example/1"], with_assets=False)
    export = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    make_page(opened=False)
    extracting = start_run(corpus=corpus, extractor=register("bte"), user=cast.hanne)
    answer = hanne.post(reverse("jobs-pause", args=[corpus.slug]), follow=True)
    assert "2 jobs paused." in answer.content.decode()
    extracting.refresh_from_db()
    assert extracting.stage == RunStage.PAUSED
    run.refresh_from_db()
    export.refresh_from_db()
    assert (run.stage, export.finished_at) == (Stage.PAUSED, None)


def test_a_failed_import_of_the_command_line_is_not_resumed_by_workers(corpus: Corpus, hanne: Client) -> None:
    """Nobody would work on it: the command that was given the path has ended."""
    addresses = ["https://gazette.example/1"]
    run = create_import(corpus=corpus, addresses=addresses, with_assets=False, kind=SourceKind.PATH)
    Import.objects.update(finished_at=timezone.now(), error="given up: the worker died 3 times")
    shown = hanne.get(reverse("jobs", args=[corpus.slug])).context
    (job,) = shown["jobs"] + shown["past"]
    assert (job.state, job.actions) == ("failed", [])
    resume = reverse("import-resume", args=[corpus.slug, run.pk])
    screen = hanne.get(reverse("import", args=[corpus.slug, run.pk])).content.decode()
    assert "the worker died 3 times" in screen
    assert resume not in screen
    hanne.post(resume)
    run.refresh_from_db()
    assert run.stage == Stage.FAILED


def test_jobs_are_a_file_too(corpus: Corpus, cast: SimpleNamespace, hanne: Client) -> None:
    create_import(corpus=corpus, addresses=["https://gazette.example/1"], name="=1+1", with_assets=False)
    export = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now(), error="OSError: disk full")
    answer = hanne.get(reverse("jobs-csv", args=[corpus.slug]))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    assert [(row["kind"], row["job"], row["result"], row["error"]) for row in rows] == [
        ("Import", "'=1+1", "waiting", ""),
        ("Export", "jsonl", "failed", "OSError: disk full"),
    ]


@pytest.mark.parametrize("exports", [1, 3])
def test_screen_uses_a_fixed_number_of_queries(
    corpus: Corpus,
    cast: SimpleNamespace,
    hanne: Client,
    exports: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(exports):
        done = request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
        Export.objects.filter(pk=done.pk).update(finished_at=timezone.now())
        request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    # Two of them for each kind of job.
    with django_assert_num_queries(21):
        jobs(hanne, corpus)
