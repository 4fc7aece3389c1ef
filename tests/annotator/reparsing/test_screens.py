"""What admins see of it, and the command."""

from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.home.queries import troubled_work
from annotator.pages.actions import make_document
from annotator.pages.models import Page, StoredDocument
from annotator.releases.actions import take_down
from annotator.reparsing import actions, queries, tasks, views
from annotator.reparsing.models import Reparse, ReparseJob
from extraction.documents.document import PARSER_VERSION
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import paragraph
from tests.annotator.reparsing.test_page_jobs import FIRST, THIRD, make, reparse
from tests.annotator.scored import make_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

HERE = "/c/dailies/reparsing/"


def reparsed_page(make_page: MakePage, parser: Parser, opening: str, number: int) -> ReparseJob:
    page = make(make_page, number)
    make_gold(page, [paragraph(page, opening, "body")])
    return reparse(page, parser)[1]


def older_page(make_page: MakePage) -> Page:
    """A page whose document is of an older parser."""
    page = make(make_page)
    StoredDocument.objects.filter(page=page).update(version="1+older")
    return page


def test_the_screen_lists_versions_and_the_worst_page_first(
    make_page: MakePage, hanne: Client, newer: str, planted_parser: Parser
) -> None:
    whole = reparsed_page(make_page, planted_parser, FIRST, 1)
    with_loss = reparsed_page(make_page, planted_parser, THIRD, 2)
    make(make_page, 3)
    body = hanne.get(HERE).content.decode()
    assert newer in body
    assert StoredDocument.objects.exclude(version=newer).first().version in body
    assert body.index(f"pages/{with_loss.pk}/") < body.index(f"pages/{whole.pk}/")
    report = hanne.get(f"{HERE}pages/{with_loss.pk}/").content.decode()
    assert "<del>(the one by the old mill and the river, which is narrow)</del>" in report


def test_start_and_stop(
    cast: SimpleNamespace,
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = older_page(make_page)
    assert hanne.post(f"{HERE}start/").status_code == 302
    run = corpus.reparses.get()
    row = run.jobs.get()
    assert (run.requested_by, row.page) == (cast.hanne, page)
    assert "data-watch" in hanne.get(HERE).content.decode()
    hanne.post(f"{HERE}stop/")
    tasks.reparse_page(row.pk)
    assert ReparseJob.objects.get().attempts == 0, "nothing is begun that was stopped"
    assert "data-watch" not in hanne.get(f"{HERE}state/").content.decode()
    hanne.post(f"{HERE}start/")
    tasks.reparse_page(row.pk)
    assert queries.progress_of(corpus.reparses.get())["done"] == 1


def test_a_newer_parser_takes_over_what_waits_for_an_earlier_one(
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = older_page(make_page)
    with monkeypatch.context() as earlier:
        for module in (actions, views):
            earlier.setattr(module, "PARSER_VERSION", "2+earlier")
        hanne.post(f"{HERE}start/")
        assert "Re-parse pages" not in hanne.get(HERE).content.decode()
    ReparseJob.objects.update(waiting_since=timezone.now())
    assert "Re-parse pages" in hanne.get(HERE).content.decode()
    hanne.post(f"{HERE}start/")
    earlier_run, run = corpus.reparses.order_by("pk")
    assert [row.state for row in earlier_run.jobs.all()] == ["stopped"]
    tasks.reparse_page(run.jobs.get().pk)
    page.refresh_from_db()
    assert page.document.version == PARSER_VERSION


def test_an_earlier_parser_that_is_installed_again_shows_and_stops_its_own_run(
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    older_page(make_page)
    hanne.post(f"{HERE}start/")
    with monkeypatch.context() as later:
        for module in (actions, views):
            later.setattr(module, "PARSER_VERSION", "9+later")
        hanne.post(f"{HERE}start/")
    hanne.post(f"{HERE}start/")
    assert "data-watch" in hanne.get(HERE).content.decode()
    hanne.post(f"{HERE}stop/")
    again, later_run = corpus.reparses.order_by("pk")
    assert (again.stopped_at is None, later_run.stopped_at) == (False, None)


def test_a_job_that_is_opened_again_starts_from_the_document_that_is_current(
    corpus: Corpus, make_page: MakePage, planted_parser: Parser
) -> None:
    page = older_page(make_page)
    job = actions.start(corpus=corpus).jobs.get()
    ReparseJob.objects.update(finished_at=timezone.now(), error="failed")
    between = make_document(page=page, parser=planted_parser, version="3+planted")
    Page.objects.filter(pk=page.pk).update(document=between)
    actions.start(corpus=corpus)
    job.refresh_from_db()
    assert (job.finished_at, job.document_before) == (None, between)


def test_what_goes_on_in_an_archived_corpus_can_be_stopped(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    older_page(make_page)
    run = actions.start(corpus=corpus)
    Corpus.objects.filter(pk=corpus.pk).update(archived_at=timezone.now())
    assert hanne.post(f"{HERE}stop/").status_code == 302
    run.refresh_from_db()
    assert run.stopped_at is not None


def test_a_failure_needs_no_attention_once_a_later_parser_has_made_the_document(
    corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    earlier = Reparse.objects.create(corpus=corpus, version="2+earlier")
    failed = ReparseJob.objects.create(run=earlier, page=page, document_before=page.document)
    ReparseJob.objects.update(finished_at=timezone.now(), error="failed")
    assert [row.rows for row in troubled_work(corpus)[0]] == [[failed]]
    reparse(page, planted_parser)
    assert troubled_work(corpus)[0] == []


def test_it_ends_without_a_page_that_is_taken_down(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    page = older_page(make_page)
    run = actions.start(corpus=corpus)
    take_down(page=page, reason="asked for")
    assert queries.progress_of(run)["left"] == 0
    assert "data-watch" not in hanne.get(HERE).content.decode()


def test_pages_taken_down_are_not_counted(corpus: Corpus, make_page: MakePage) -> None:
    pages = [make(make_page, number) for number in (1, 2)]
    take_down(page=pages[0], reason="asked for")
    assert [each["pages"] for each in queries.versions(corpus)] == [1]


def test_the_command_reparses_what_it_can_and_reports(
    corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planted(page: Page, version: str) -> StoredDocument:
        return make_document(page=page, parser=planted_parser, version=version)

    monkeypatch.setattr(tasks, "_make", planted)
    for number, opening in enumerate((FIRST, THIRD)):
        page = make(make_page, number)
        make_gold(page, [paragraph(page, opening, "body")])
    output = StringIO()
    call_command("reparse", "dailies", "--dry-run", stdout=output)
    assert "2 pages would be parsed again" in output.getvalue()
    call_command("reparse", "dailies", stdout=output)
    assert f"2 of 2 pages parsed by {newer}; 0 wait" in output.getvalue()
    assert "1 unchanged, 0 changed, 1 with losses" in output.getvalue()
    again = StringIO()
    call_command("reparse", "dailies", stdout=again)
    assert StoredDocument.objects.count() == 2 * 2, "the second time there is nothing to do"


def test_the_command_stops_where_it_is_interrupted(
    corpus: Corpus, make_page: MakePage, newer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tasks, "_make", interrupted)
    make(make_page, 0)
    with pytest.raises(CommandError, match="Stopped"):
        call_command("reparse", "dailies")
    assert corpus.reparses.get().stopped_at, "no worker goes on with it"


def test_the_command_ends_where_somebody_stops_it(
    corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped_meanwhile(page: Page, version: str) -> StoredDocument:
        actions.stop(run=corpus.reparses.get())
        return make_document(page=page, parser=planted_parser, version=version)

    monkeypatch.setattr(tasks, "_make", stopped_meanwhile)
    for number in range(2):
        make(make_page, number)
    with pytest.raises(CommandError, match="Somebody has stopped it"):
        call_command("reparse", "dailies")
    assert queries.progress_of(corpus.reparses.get())["done"] == 1
