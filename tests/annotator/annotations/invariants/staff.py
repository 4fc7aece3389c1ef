"""Workers, adjudicators and the admin, who go on while people annotate."""

import json
import re
from dataclasses import dataclass, field

from django.db import connection

from annotator.agreement.actions import compare
from annotator.agreement.models import Agreement
from annotator.agreement.queries import without_comparison
from annotator.annotations.actions import open_round, release_all
from annotator.annotations.study.actions import change_design
from annotator.annotations.study.models import AssignmentMode, PageOrder, StudyDesign
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.corpora.models import User
from annotator.gold import queries as gold_queries
from annotator.gold.finalisation import finalise_round
from annotator.gold.models import Gold
from annotator.pages.models import Page
from tests.annotator.annotations.invariants.browser_window import PAYLOAD, SignedInClient
from tests.annotator.annotations.invariants.scenario import Scenario

DISPUTE = re.compile(r"/adjudications/(\d+)/")


@dataclass
class Staff:
    scenario: Scenario
    clients: dict[int, SignedInClient] = field(default_factory=dict)
    opened: int = 0

    def __post_init__(self) -> None:
        people = [self.scenario.adjudicator, self.scenario.admin, *self.scenario.people[:2]]
        self.clients = {
            each.pk: SignedInClient(self.scenario.corpus.slug, self.scenario.client_of(each))
            for each in people
        }

    # ---- workers ----

    def catch_up(self) -> None:
        """What is complete is compared, and gold or before an adjudicator."""
        for round_ in without_comparison():
            Agreement.objects.get_or_create(round=round_, edition=round_.edition)
        for pk in Agreement.objects.open().values_list("pk", flat=True):
            claimed = work.claim(Agreement, pk)
            if claimed:
                compare(claimed)
        for round_ in gold_queries.rounds_to_finalise():
            finalise_round(round_=round_)

    def page_comes(self) -> None:
        if self.opened < len(self.scenario.to_come):
            open_round(page=Page.objects.get(pk=self.scenario.to_come[self.opened]))
            self.opened += 1

    def pages_come(self, number: int) -> None:
        for _ in range(number):
            self.page_comes()

    # ---- the admin ----

    def change_design(self, *, slots: int, blind: float, who: int, order: int) -> None:
        """Another design, if nobody else has just made one."""
        stands = StudyDesign.objects.filter(corpus=self.scenario.corpus).latest("number")
        try:
            change_design(
                corpus=self.scenario.corpus,
                made_by=self.scenario.admin,
                based_on=stands.number,
                people=self.scenario.people[:9],
                slots=slots,
                blind_share=blind,
                who=(AssignmentMode.ALL, AssignmentMode.NAMED, AssignmentMode.BALANCED)[who % 3],
                order=(PageOrder.OLDEST, PageOrder.RANDOM, PageOrder.SITE, PageOrder.DISAGREEMENT)[order % 4],
            )
        except Conflict:
            assert StudyDesign.objects.filter(number__gt=stands.number).exists()

    def reopen_gold(self, which: int) -> None:
        golds = list(Gold.objects.filter(current=True).order_by("pk").values_list("page", "number"))
        if golds:
            page, number = golds[which % len(golds)]
            client = self.clients[self.scenario.admin.pk]
            fields = {"version": number, "why": "Look again"}
            answer = client.ask_form(client.path(f"gold/{page}/reopen/"), fields)
            assert answer.status_code == 302

    def let_go(self, person: User) -> None:
        """Take a person out of the corpus; the memberships stay, so that they may come back here."""
        release_all(corpus=self.scenario.corpus, user=person)

    # ---- adjudicators ----

    def adjudicate(self, who: int, choice: int, *, to_the_end: bool = True) -> None:
        """One of the adjudicators takes the next page, decides all of it, and submits it, or goes away."""
        adjudicators = [self.scenario.adjudicator, *self.scenario.people[:2]]
        person = adjudicators[who % len(adjudicators)]
        client = self.clients[person.pk]
        found = DISPUTE.search(client.ask("POST", client.path("adjudicate/next/")).headers["Location"])
        if found is None:
            return
        here = client.path(f"adjudications/{found[1]}/")
        screen = client.ask("GET", here)
        if screen.status_code == 404:
            return
        payload = json.loads(PAYLOAD.search(screen.content)[1])
        if not payload["verdict"]["decided"]:
            payload |= self._say(client, f"{here}verdict/", {"verdict": "article"})
        numbers = [segment["number"] for segment in payload["segments"]]
        chosen = (payload["letters"][choice % len(payload["letters"])], "neither")[choice % 2]
        if numbers:
            self._say(client, f"{here}decide/", {"segments": numbers, "choice": chosen})
        if to_the_end:
            verdict, decided = payload["verdict"], [[number, chosen, None] for number in numbers]
            shown = {"verdict": verdict["decided"], "reason": verdict["reason"], "segments": decided}
            self._say(client, f"{here}submit/", {"shown": shown})

    def _say(self, client: SignedInClient, path: str, body: object) -> dict[str, object]:
        """Accepted, or refused because an annotator or another adjudicator was quicker."""
        answer = client.ask("POST", path, body)
        assert answer.status_code in {200, 404, 409, 410}, f"{path}: {answer.content!r}"
        return json.loads(answer.content) if answer.status_code == 200 else {}


def time_passes(minutes: int) -> None:
    """All leases are so much older; nothing else looks at the clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "update annotator_slot set lease_until = lease_until - make_interval(mins => %s) "
            "where submitted_at is null and lease_until is not null",
            [minutes],
        )
        cursor.execute(
            "update annotator_adjudication set lease_until = lease_until - make_interval(mins => %s) "
            "where finalised_at is null and lease_until is not null",
            [minutes],
        )
