"""Nothing that a browser is sent tells a check from any other page."""

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.annotations.models import HIDDEN, Slot
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.quality.checks import actions, queries, tasks
from annotator.runs.models import CorpusExtractor
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.quality.checks.sent import Claim, chance_of, of_answer, of_html
from tests.factories import ARTICLE, MakePage, SignedIn, change_design, make_user
from tests.responses import Response

pytestmark = pytest.mark.django_db

PEOPLE = ("eve", "fay", "gus", "hal")
# Claims of each.
FEW_CLAIMS, MANY_CLAIMS = 24, 60
ARMS = ("boilerpipe-default", "everything", "tree-filter")
# The first pages come before there is gold to check against.
WITHOUT_GOLD = 8
# Rows of the list of recent pages in which a page is looked for, after so many more pages.
LATER = (0, 1, 3)


@pytest.mark.usefixtures("same_draws")
@pytest.mark.parametrize("each", [FEW_CLAIMS, pytest.param(MANY_CLAIMS, marks=pytest.mark.long)])
def test_a_classifier_finds_no_check(
    corpus: Corpus, make_page: MakePage, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    """A hundred or a few hundred claims of four people; a decision tree learns from those of two.

    Luck alone ranks so well once in a thousand times. So another tree learns from the other two: what tells a
    check does so in the claims of all, and luck hardly ever in both halves.
    """
    # As a day passes in a second here, so does the interval of the sweeper.
    monkeypatch.setattr(queries, "SWEEP_INTERVAL", timedelta(milliseconds=60))
    dice = random.Random(1)
    CorpusExtractor.objects.exclude(extractor__name__in=ARMS).delete()
    change_design(corpus, check_rate=0.25)
    for _ in range(each * len(PEOPLE) // 2):
        html = ARTICLE.format(number=f"{dice.getrandbits(32):08x}")
        make_page(html, url=f"https://{dice.getrandbits(32):08x}.example/", extracted=True)
    people = [make_user(name) for name in PEOPLE]
    for person in people:
        grant_role(corpus=corpus, user=person, role="annotator")
    windows = {person: Window(person, signed_in(person)) for person in people}
    for _ in range(each):
        for person in dice.sample(people, len(people)):
            windows[person].annotate_next()
    claims = [claim for window in windows.values() for claim in window.claims]
    checks = {name: sum(claim.is_check for claim in claims if claim.annotator == name) for name in PEOPLE}
    assert min(checks.values()) >= each // 8, checks
    found = [chance_of(claims, held_out=half, skip=WITHOUT_GOLD) for half in ({"gus", "hal"}, {"eve", "fay"})]
    told = [f"{ranked:.0%} of pairs ranked (p = {chance:.6f})" for ranked, chance in found]
    assert max(chance for _ranked, chance in found) > 0.003, told


class Window:
    """An annotator's browser, going from page to page as the workbench does."""

    def __init__(self, person: User, client: Client) -> None:
        self.person, self.client = person, client
        self.address = ""
        self.claims: list[Claim] = []

    def annotate_next(self) -> None:
        if not self.address:
            self.address = self.client.post("/c/dailies/next/").headers["Location"]
        slot = Slot.objects.select_related("round__page").get(pk=_slot_of(self.address))
        self.claims.append(Claim(self.person.username, slot.round.purpose in HIDDEN))
        answer = self.client.get(self.address, headers={"accept": "text/html"})
        self._note("page", answer)
        document = answer.context["payload"]["document"]["sha256"]
        self._note("view", self.client.get(f"{self.address}view.json"))
        self._post("reserve")
        save = {"document": document, "based_on": 0, "spans": [], "verdict": "article"}
        self._post("save", **save, operation=f"00000000-0000-4000-8000-{len(self.claims):012x}")
        following = self._post("submit", based_on=1).json()["next"]
        finalise(slot.round.page) if slot.round.purpose not in HIDDEN else None
        tasks.after_submission(slot.round_id)
        for check in queries.due_to_be_final(timezone.now()):
            actions.finalise_check(round_=check)
        self._note_home(self.client.get("/", headers={"accept": "text/html"}))
        self.address = following

    def _post(self, name: str, **body: object) -> Response:
        answer = self.client.post(f"{self.address}{name}/", body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        self._note(name, answer)
        return answer

    def _note(self, name: str, answer: Response) -> None:
        self.claims[-1].sent |= {f"{name}{feature}": value for feature, value in of_answer(answer).items()}

    def _note_home(self, answer: Response) -> None:
        """The whole screen, and what it says of this page now and of earlier ones by now."""
        self._note("home ", answer)
        rows = answer.content.decode().partition("lasts")[2].partition("</table>")[0].split("<tr>")[2:]
        for later in LATER:
            if later < min(len(self.claims), len(rows)):
                found = of_html(rows[later])
                sent = {f"row after {later} {name}": value for name, value in found.items()}
                self.claims[-1 - later].sent |= sent


def _slot_of(address: str) -> int:
    key = address.rstrip("/").rpartition("/")[2]
    return Slot.objects.get(**{"pk" if key.isdigit() else "key": key}).pk
