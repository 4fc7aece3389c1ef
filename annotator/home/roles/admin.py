"""An admin's home: what needs attention, imports, work on its way, pace and expected end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.db.models import Count, Min
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.common import display_names, health
from annotator.common.letters import folded
from annotator.common.progress import WorkCount, work_counts
from annotator.common.queues import BROKER_ERRORS, BULK, IMPORT, LIVE, SCORE, TITLES
from annotator.corpora.models import Corpus, Membership
from annotator.home import pace, queries
from annotator.home.counts import PageCounts, StateShare, progress
from annotator.home.home_counts import for_admin
from annotator.home.states import unparseable
from annotator.pages.imports.models import Import
from annotator.pages.imports.queries import imports_of
from annotator.pages.models import Page
from annotator.practice import queries as practice

SHOWN_IMPORTS = 3
# Seconds for which the counts of the work of a large corpus are shown.
WORK_FRESH = 5
# The queues in which work of a corpus may wait.
QUEUES = (LIVE, IMPORT, SCORE, BULK)


class Trouble(NamedTuple):
    """One row of what needs attention: how many, of what, since when, and the screen for it."""

    n: int
    title: str | Promise
    detail: str | Promise = ""
    since: datetime | None = None
    screen: str = "attention"
    action: Promise = _("Review")


class QueueState(NamedTuple):
    """The work of one corpus or several in one queue."""

    title: Promise
    waiting: int
    running: int
    # Since when what was asked for first waits; None: nothing does.
    oldest: datetime | None
    # Seconds after which the queue counts as behind.
    target: int

    @property
    def oldest_seconds(self) -> int:
        return round((timezone.now() - self.oldest).total_seconds()) if self.oldest else 0

    @property
    def is_behind(self) -> bool:
        return self.oldest_seconds > self.target


@dataclass(frozen=True)
class AdminSummary:
    # Pages that could not be parsed, pages for which there is nobody, annotators without practice attempts.
    failed: int
    unassignable: int
    held_back: int
    # What went wrong because of the page or the input, and what waits for people; the machine is no reason.
    troubles: list[Trouble]
    people_needed: list[Trouble]
    overloaded: list[Trouble]
    imports: Sequence[Import]
    queues: list[QueueState]
    states: list[StateShare]
    processing: int
    pace: pace.Pace
    # The people who annotated today, with their pages.
    today: list[tuple[str, int]]
    people: int

    @property
    def needed(self) -> int:
        """How many pages and people wait for an admin."""
        return self.failed + self.unassignable + self.held_back

    @property
    def running(self) -> list[Import]:
        return [each for each in self.imports if each.is_moving]

    @property
    def most_submitted(self) -> int:
        return max((n for _name, n in self.today), default=0)


def summary_of(corpus: Corpus, counts_of_pages: PageCounts) -> AdminSummary:
    rounds = counts_of_pages.admin or for_admin(corpus)
    states = progress(counts_of_pages)
    counted = {share.state.name: share.pages for share in states}
    without_adjudicator = queries.without_adjudicator(corpus).values("round__page").distinct().count()
    held_back = len(practice.out_of_attempts(corpus))
    counts = _work(corpus, counts_of_pages)
    return AdminSummary(
        failed=counted["failed"],
        unassignable=rounds.without_annotator + without_adjudicator,
        held_back=held_back,
        troubles=[*_unparseable(corpus), *_failed_work(counts)],
        people_needed=list(_people_needed(rounds.without_annotator, without_adjudicator, held_back)),
        overloaded=_overloaded(counts),
        imports=list(imports_of(corpus)[:SHOWN_IMPORTS]),
        queues=_queues(counts),
        states=states,
        processing=counted["building"],
        pace=_pace(rounds.submitted, rounds.to_go),
        today=_today(rounds.submitted),
        people=Membership.objects.filter(corpus=corpus, ended_at=None).values("user").distinct().count(),
    )


def _work(corpus: Corpus, counts_of_pages: PageCounts) -> Sequence[WorkCount]:
    """The work of the corpus; of a large one as it was some seconds ago, as its other counts are."""
    if not counts_of_pages.is_large:
        return work_counts(corpus)
    found = caches["near"].get_or_set(f"goldpan:work:{corpus.pk}", partial(work_counts, corpus), WORK_FRESH)
    return found or []


# ---- what needs attention ----


def _unparseable(corpus: Corpus) -> list[Trouble]:
    counted = unparseable(corpus).order_by().values("refusal")
    rows = counted.annotate(n=Count("pk"), since=Min("finished_at")).order_by("-n", "refusal")
    title = _("Pages that could not be parsed")
    return [
        Trouble(n, title, display_names.REFUSALS.get(refusal, _("Failed")), since)
        for refusal, n, since in rows.values_list("refusal", "n", "since")
    ]


def _failed_work(counts: Sequence[WorkCount]) -> list[Trouble]:
    return [
        Trouble(each.rows, each.model.kind.failed_title)
        for each in counts
        if each.state == "failed" and each.model is not Page
    ]


def _overloaded(counts: Sequence[WorkCount]) -> list[Trouble]:
    return [Trouble(each.rows, each.model.kind.title) for each in counts if each.state == "overloaded"]


def _people_needed(without_annotator: int, without_adjudicator: int, held_back: int) -> list[Trouble]:
    rows = (
        (without_annotator, _("Pages without an eligible annotator"),
         _("every annotator has annotated or skipped them"), "people", _("Invite")),
        (without_adjudicator, _("Pages without an eligible adjudicator"),
         _("there is no adjudicator, or all of them annotated the page"), "people", _("Invite")),
        (held_back, _("Annotators without practice attempts left"),
         _("You can waive practice for them, with a reason"), "practice-setting", _("Review")),
    )  # fmt: skip
    return [Trouble(n, title, why, None, screen, action) for n, title, why, screen, action in rows if n]


def _queues(counts: Sequence[WorkCount]) -> list[QueueState]:
    found: Counter[tuple[str, str]] = Counter()
    for each in counts:
        found[each.model.kind.queue, each.state] += each.rows
    return [
        QueueState(
            TITLES[queue],
            found[queue, "waiting"],
            found[queue, "running"],
            min(
                (each.oldest for each in counts if each.oldest and each.model.kind.queue == queue),
                default=None,
            ),
            settings.READY_MAX_WAIT[queue],
        )
        for queue in QUEUES
    ]


def queues_of_all(summaries: Sequence[AdminSummary]) -> list[QueueState]:
    """The queues of several corpora together."""
    return [
        QueueState(
            rows[0].title,
            sum(row.waiting for row in rows),
            sum(row.running for row in rows),
            min((row.oldest for row in rows if row.oldest), default=None),
            rows[0].target,
        )
        for rows in zip(*(summary.queues for summary in summaries), strict=True)
    ]


class Machine(NamedTuple):
    """How many workers were seen of late, and how many seconds ago the last one was."""

    alive: int
    seconds: int


def machine_state() -> Machine:
    """The workers of the installation; none where the broker cannot be asked."""
    try:
        seen = [worker["seconds"] for worker in health.workers() if not worker["silent"]]
    except BROKER_ERRORS:
        seen = []
    return Machine(len(seen), min(seen, default=0))


# ---- pace ----


def _pace(submitted: Sequence[tuple[date, str, int]], to_go: int) -> pace.Pace:
    by_day: Counter[date] = Counter()
    for day, _name, n in submitted:
        by_day[day] += n
    return pace.Pace(timezone.localdate(), by_day, to_go)


def _today(submitted: Sequence[tuple[date, str, int]]) -> list[tuple[str, int]]:
    today = timezone.localdate()
    return sorted(
        ((name, n) for day, name, n in submitted if day == today),
        key=lambda each: (-each[1], folded(each[0])),
    )
