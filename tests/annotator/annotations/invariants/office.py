"""Those who are no annotators: workers, adjudicators, the admin. They go on while people annotate."""

import json
import re
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import connection

from annotator.agreement.actions import compare
from annotator.agreement.models import Agreement
from annotator.agreement.queries import without_comparison
from annotator.annotations.actions import open_round, release_all
from annotator.annotations.study.actions import change_design
from annotator.annotations.study.models import Order, StudyDesign, Who
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.corpora.models import User
from annotator.gold import queries as settling
from annotator.gold.actions import settle_round
from annotator.gold.models import Gold
from annotator.pages.models import Page
from tests.annotator.annotations.invariants.newsroom import Newsroom
from tests.annotator.annotations.invariants.window import BENCH, Desk

DISPUTE = re.compile(r"/adjudications/(\d+)/")


@dataclass
class Office:
    room: Newsroom
    desks: dict[int, Desk] = field(default_factory=dict)
    opened: int = 0

    def __post_init__(self) -> None:
        people = [self.room.adjudicator, self.room.admin, *self.room.people[:2]]
        self.desks = {each.pk: Desk(self.room.corpus.slug, self.room.client_of(each)) for each in people}

    # ---- workers ----

    def catch_up(self) -> None:
        """What is complete is compared, and gold or before an adjudicator."""
        for round_ in without_comparison():
            Agreement.objects.get_or_create(round=round_, edition=round_.edition)
        for pk in Agreement.objects.open().values_list("pk", flat=True):
            claimed = work.claim(Agreement, pk)
            if claimed:
                compare(claimed)
        for round_ in settling.rounds_to_settle():
            settle_round(round_=round_)

    def page_comes(self) -> None:
        if self.opened < len(self.room.to_come):
            open_round(page=Page.objects.get(pk=self.room.to_come[self.opened]))
            self.opened += 1

    def pages_come(self, number: int) -> None:
        for _ in range(number):
            self.page_comes()

    # ---- the admin ----

    def change_design(self, *, slots: int, blind: float, who: int, order: int) -> None:
        """Another design, if nobody else has just made one."""
        stands = StudyDesign.objects.filter(corpus=self.room.corpus).latest("number")
        try:
            change_design(
                corpus=self.room.corpus,
                made_by=self.room.admin,
                based_on=stands.number,
                people=self.room.people[:9],
                slots=slots,
                blind_share=blind,
                who=(Who.ALL, Who.NAMED, Who.BALANCED)[who % 3],
                order=(Order.OLDEST, Order.RANDOM, Order.SITE, Order.DISAGREEMENT)[order % 4],
            )
        except Conflict:
            assert StudyDesign.objects.filter(number__gt=stands.number).exists()

    def reopen_gold(self, which: int) -> None:
        golds = list(Gold.objects.filter(current=True).order_by("pk").values_list("page", "number"))
        if golds:
            page, number = golds[which % len(golds)]
            desk = self.desks[self.room.admin.pk]
            fields = {"version": number, "why": "Look again"}
            answer = desk.ask_form(desk.path(f"gold/{page}/reopen/"), fields)
            assert answer.status_code == 302

    def let_go(self, person: User) -> None:
        """She is taken out of the corpus; her memberships stay, that she may come back here."""
        release_all(corpus=self.room.corpus, user=person)

    # ---- adjudicators ----

    def adjudicate(self, who: int, choice: int, *, to_the_end: bool = True) -> None:
        """One of the adjudicators takes the next page, decides all of it, and settles it, or goes away."""
        adjudicators = [self.room.adjudicator, *self.room.people[:2]]
        person = adjudicators[who % len(adjudicators)]
        desk = self.desks[person.pk]
        found = DISPUTE.search(desk.ask("POST", desk.path("settle/")).headers["Location"])
        if found is None:
            return
        here = desk.path(f"adjudications/{found[1]}/")
        screen = desk.ask("GET", here)
        if screen.status_code == 404:
            return
        bench = json.loads(BENCH.search(screen.content)[1])
        if not bench["verdict"]["settled"]:
            bench |= self._say(desk, f"{here}verdict/", {"verdict": "article"})
        numbers = [segment["number"] for segment in bench["segments"]]
        if numbers:
            chosen = (bench["letters"][choice % len(bench["letters"])], "neither")[choice % 2]
            self._say(desk, f"{here}decide/", {"segments": numbers, "choice": chosen})
        if to_the_end:
            self._say(desk, f"{here}settle/", {})

    def _say(self, desk: Desk, path: str, body: object) -> dict[str, object]:
        """Accepted, or refused because an annotator or another adjudicator was quicker."""
        answer = desk.ask("POST", path, body)
        assert answer.status_code in {200, 404, 409, 410}, f"{path}: {answer.content!r}"
        return json.loads(answer.content) if answer.status_code == 200 else {}


def time_passes(minutes: int) -> None:
    """All leases are so much older; nothing else looks at the clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "update annotator_slot set lease_until = lease_until - %s "
            "where submitted_at is null and lease_until is not null",
            [timedelta(minutes=minutes)],
        )
        cursor.execute(
            "update annotator_adjudication set lease_until = lease_until - %s "
            "where settled_at is null and lease_until is not null",
            [timedelta(minutes=minutes)],
        )
