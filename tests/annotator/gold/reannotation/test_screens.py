"""The re-annotation screen: select, preview, open, stop, resume; and the command."""

from dataclasses import asdict
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotator.annotations.models import Purpose, Round
from annotator.common import work
from annotator.corpora.actions import end_role
from annotator.corpora.models import Corpus
from annotator.gold.finalisation import reopen_gold
from annotator.gold.reannotation import actions, queries, tasks
from annotator.gold.reannotation.models import Reannotation
from annotator.gold.reannotation.page_selection import PageCriteria
from annotator.pages.models import Page
from tests.annotator.gold.reannotation.scenarios import adjudicated_page, finalised_page, guideline, people
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

HERE = "/c/dailies/reannotation/"
ALL = {"site": "", "label": "", "language": "", "verdict": "", "keys": "", "share": "100", "seed": "7"}


@pytest.fixture
def pages(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> list[Page]:
    """Three pages of ada and ben, with gold under a guideline that is no longer the newest."""
    made = [finalised_page(make_page, cast) for _ in range(3)]
    guideline(corpus, cast)
    people(corpus, "eve", "fay")
    return made


def opened() -> int:
    return Round.objects.filter(purpose=Purpose.GUIDELINE).count()


def test_nothing_is_opened_before_the_preview(pages: list[Page], hanne: Client) -> None:
    assert HERE in hanne.get("/c/dailies/guideline/").content.decode()
    assert "Open 3 rounds" not in hanne.get(HERE).content.decode()
    shown = hanne.get(HERE, ALL)
    would_be = shown.context["plan"]
    assert (len(would_be.pages), would_be.slots, would_be.fresh) == (3, 6, 3)
    assert "Open 3 rounds" in shown.content.decode()
    assert hanne.get(HERE, {**ALL, "share": "0"}).status_code == 422
    assert hanne.get(HERE, {**ALL, "keys": "0123456789"}).status_code == 422
    assert (opened(), Reannotation.objects.count()) == (0, 0)


def test_the_preview_is_opened_by_a_worker(pages: list[Page], cast: SimpleNamespace, hanne: Client) -> None:
    assert hanne.post(f"{HERE}open/", {**ALL, "share": "34", "pages": "2"}).status_code == 302
    reannotation = Reannotation.objects.get()
    assert (reannotation.requested_by, reannotation.guideline_version, opened()) == (cast.hanne, 2, 0)
    wanted = asdict(PageCriteria(share=0.34, seed=7))
    assert reannotation.criteria == {**wanted, "clauses": [], "keys": []}
    assert "data-watch" in hanne.get(HERE).content.decode()
    for _ in range(2):
        tasks.open_rounds(reannotation.pk)
    assert opened() == 2
    line = hanne.get(f"{HERE}state/").content.decode()
    assert "2 of 2 opened, 0 finalised" in line
    assert "data-watch" not in line


def test_a_changed_number_of_pages_is_previewed_again(pages: list[Page], hanne: Client) -> None:
    answer = hanne.post(f"{HERE}open/", {**ALL, "pages": "2"})
    assert answer.status_code == 409
    assert "Open 3 rounds" in answer.content.decode()
    for wrong in ("", "x", "-1"):
        assert hanne.post(f"{HERE}open/", {**ALL, "pages": wrong}).status_code == 422
    assert hanne.post(f"{HERE}open/", {**ALL, "site": "nowhere.example", "pages": "0"}).status_code == 422
    assert not Reannotation.objects.exists()


def test_a_stopped_job_can_be_resumed(pages: list[Page], hanne: Client, corpus: Corpus) -> None:
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())

    def stop_after_one(_done: int) -> None:
        hanne.post(f"{HERE}stop/")

    assert not actions.open_rounds(work.claim(Reannotation, reannotation.pk), step=stop_after_one)
    assert opened() == 1
    tasks.open_rounds(reannotation.pk)
    assert opened() == 1, "nothing is begun that was stopped"
    with pytest.raises(IntegrityError, match="one_reannotation_at_once"), transaction.atomic():
        Reannotation.objects.create(corpus=corpus, guideline_version=2, criteria={})
    for shown in (hanne.get(HERE, ALL), hanne.get(f"{HERE}state/")):
        assert "Resume" in shown.content.decode()
    hanne.post(f"{HERE}resume/")
    tasks.open_rounds(reannotation.pk)
    assert opened() == 3
    reannotation.refresh_from_db()
    assert (reannotation.state, reannotation.stopped_at) == ("done", None)


def test_a_job_that_is_resumed_while_its_worker_stops_goes_on(
    pages: list[Page], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
    claimed = work.claim(Reannotation, reannotation.pk)
    actions.stop(reannotation=reannotation)

    def stopped_a_moment_ago(_pk: int) -> bool:
        actions.resume(reannotation=reannotation)
        return False

    monkeypatch.setattr(queries, "is_active", stopped_a_moment_ago)
    assert not actions.open_rounds(claimed)
    reannotation.refresh_from_db()
    assert (reannotation.heartbeat_at, reannotation.stopped_at) == (None, None)
    assert reannotation.enqueued_at <= timezone.now()


def test_only_the_newest_can_be_resumed(pages: list[Page], hanne: Client, corpus: Corpus) -> None:
    for site, share in (("site1.example", 1.0), ("", 0.5)):
        Page.objects.filter(pk=pages[0].pk).update(site="site1.example")
        reannotation = actions.request_reannotation(
            corpus=corpus, criteria=PageCriteria(site=site, share=share)
        )
        if site:
            tasks.open_rounds(reannotation.pk)
    actions.stop(reannotation=reannotation)
    shown = hanne.get(HERE)
    assert [each.left for each in shown.context["reannotations"]] == [1, 0]
    assert "Resume" in shown.content.decode()
    assert "0 of 1 opened" in hanne.get(f"{HERE}state/").content.decode()
    hanne.post(f"{HERE}resume/")
    assert tasks.open_rounds(reannotation.pk) is None
    assert opened() == 2


def test_what_came_in_between_is_left_out_and_counted(
    pages: list[Page], cast: SimpleNamespace, corpus: Corpus
) -> None:
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
    reopen_gold(gold=pages[0].gold.get(), by=cast.hanne, why="look again")
    tasks.open_rounds(reannotation.pk)
    said = vars(queries.reannotations(corpus).get())
    assert (said["opened"], said["in_work"], said["left"]) == (2, 1, 0)
    assert not Round.objects.filter(page=pages[0], purpose=Purpose.GUIDELINE).exists()


def test_people_who_went_in_between_too(pages: list[Page], cast: SimpleNamespace, corpus: Corpus) -> None:
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
    for person in (cast.ada, cast.ben):
        end_role(corpus=corpus, user=person, role="annotator")
    corpus.memberships.filter(user__username="eve").update(ended_at=corpus.created_at)
    tasks.open_rounds(reannotation.pk)
    assert vars(queries.reannotations(corpus).get())["too_few"] == 3
    assert opened() == 0


def test_a_page_is_opened_by_one_worker(pages: list[Page], corpus: Corpus) -> None:
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
    row = reannotation.rows.first()
    assert actions.open_one(pk=row.pk).round
    assert actions.open_one(pk=row.pk) is None
    assert opened() == 1


def test_the_changed_clauses_are_chosen_to_begin_with(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, hanne: Client
) -> None:
    adjudicated_page(make_page, cast, clause="2.1")
    adjudicated_page(make_page, cast, clause="2.2")
    text = corpus.guidelines.get().texts["en"]
    guideline(corpus, cast, text.replace("\n2.1 ", "\n2.1 Now otherwise. ", 1))
    shown = hanne.get(HERE)
    assert shown.context["selected_clauses"] == ["2.1"]
    assert "changed since" in shown.content.decode()


def test_nobody_else_opens_rounds(pages: list[Page], cast: SimpleNamespace, signed_in: SignedIn) -> None:
    for person in (cast.ada, cast.cleo, cast.rhea):
        assert signed_in(person).post(f"{HERE}open/", {**ALL, "pages": "3"}).status_code == 403
    assert not Reannotation.objects.exists()


def test_the_command_stops_where_it_is_interrupted(
    pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(actions, "open_one", interrupted)
        with pytest.raises(CommandError, match="Stopped"):
            call_command("open_rounds", "dailies")
    assert Reannotation.objects.get().stopped_at, "no worker goes on with it"
    call_command("open_rounds", "dailies")
    assert opened() == 3


def test_the_command_says_what_went_wrong(pages: list[Page], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise ValueError("no such slot")

    monkeypatch.setattr(actions, "open_one", broken)
    with pytest.raises(CommandError, match="ValueError: no such slot"):
        call_command("open_rounds", "dailies")


def test_the_command_reports_opens_and_resumes(pages: list[Page], corpus: Corpus) -> None:
    def called(*given: str, **options: object) -> str:
        out = StringIO()
        call_command("open_rounds", "dailies", *given, stdout=out, **options)
        return out.getvalue()

    assert "3 rounds would be opened, with 6 slots, 3 of them for annotators new to the page" in called(
        "--dry-run"
    )
    assert opened() == 0
    assert "1 of 1 rounds are open" in called("--page", pages[0].sha256[:12])
    reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
    actions.stop(reannotation=reannotation)
    said = called()
    assert "resuming the unfinished re-annotation" in said
    assert "2 of 2 rounds are open" in said
    assert opened() == 3
    for wrong in (["--page", "0123456789"], ["--share", "2"], []):
        with pytest.raises(CommandError):
            called(*wrong)
