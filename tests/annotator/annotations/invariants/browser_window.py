"""A browser window of an annotator: what it believes, what it asks, and what it may be answered."""

import json
import re
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from django.core.signals import got_request_exception
from django.db.models import Q
from django.test import Client

from annotator.annotations.actions import claim_on
from annotator.annotations.models import Slot
from annotator.annotations.study.models import AssignmentMode, StudyDesign
from annotator.common.errors import Conflict
from annotator.corpora.models import User
from annotator.pages.models import Page, StoredDocument
from annotator.runs.models import Extraction
from extraction.spans import Span, clip
from tests.annotator.annotations.invariants.checks import fingerprint, free_slots
from tests.annotator.annotations.invariants.request_log import RequestLog, Sent, drafts_of, marks
from tests.responses import Response

LABELS = ("headline", "body", "supplemental", "comments", "related")
VERDICTS = ("article", "article", "article", "several", "not_article", "cannot_tell")

NOTE_OF = re.compile(rb"note-of-(\w+)-")
PAYLOAD = re.compile(rb'<script id="payload" type="application/json">(.*?)</script>', re.S)
SLOT = re.compile(r"/slots/([0-9a-f-]{36})/")
READERS_ONLY = (
    "",
    "pages/",
    "agreement/",
    "leaderboard/",
    "releases/",
    "exports/",
    "settings/study/",
    "audits/",
)

PRYING = (("GET", "view.json"), ("GET", ""), ("POST", "reopen/"), ("POST", "skip/"))
NOTHING = ((), "", "", "")

_thrown = threading.local()


def _remember(**_given: object) -> None:
    _thrown.error = sys.exc_info()[1]


got_request_exception.connect(_remember)


class ServerError(AssertionError):
    """A request broke; `cause` says how."""


def may_change(sql: str) -> bool:
    """Whether it may write; to die before a question is to die before the write that follows it."""
    return not sql.startswith("SELECT")


# Around a request: whoever asks may die in it, or not hear the answer; then it raises Lost.
Around = Callable[[], AbstractContextManager[None]]


class Lost(Exception):
    """The answer never came: whether the request was done is not known."""


@dataclass
class SignedInClient:
    """A signed-in browser: requests, and 500 as the exception that it was."""

    slug: str
    client: Client
    around: Around = nullcontext

    def ask(self, method: str, path: str, body: object = None) -> Response:
        """The answer; Lost where there is none, ServerError where the server broke by itself."""
        kind = "application/octet-stream" if body is None else "application/json"
        return self._heard(lambda: self.client.generic(method, path, json.dumps(body or {}), kind))

    def ask_form(self, path: str, fields: dict[str, object]) -> Response:
        return self._heard(lambda: self.client.post(path, fields))

    def _heard(self, request: Callable[[], Response]) -> Response:
        _thrown.error = None
        with self.around():
            answer = request()
            if answer.status_code >= 500:
                raise ServerError(f"{answer.request['PATH_INFO']}: {_thrown.error!r}") from _thrown.error
        return answer

    def path(self, rest: str) -> str:
        return f"/c/{self.slug}/{rest}"


@dataclass
class BrowserWindow:
    """What one window believes of one slot. Other windows and other people move on without telling it."""

    person: User
    client: SignedInClient
    log: RequestLog
    others: set[str]
    slot: uuid.UUID | None = None
    revision: int = 0
    document: StoredDocument | None = None
    last: Sent | None = None
    waiting: uuid.UUID | None = None
    past: list[uuid.UUID] = field(default_factory=list)
    # Whether nobody else asks anything at the same time.
    alone: bool = True

    # ---- requests ----

    def next(self) -> None:
        self._go(self._ask("POST", self.client.path("next/"), {302}))
        if self.alone and self.slot is None:
            design = StudyDesign.objects.latest("number")
            left = free_slots(design.corpus_id, self.person.pk) if design.who == AssignmentMode.ALL else []
            assert not left, f"{self.person.username} was given nothing, and there was {left[:3]}"

    def come_to(self, page: Page) -> None:
        """A slot of this very page, where there is one for this person."""
        with suppress(Conflict):
            self._turn_to(claim_on(page=page, annotator=self.person).key)
            self.open()

    def open(self) -> None:
        """Look at the page; refused where it is only reserved, or was left without a trace."""
        if self.slot is None:
            return
        self.log.opened.add((self.person.pk, self.slot))
        answer = self._ask("GET", self._here(), {200, 404})
        if answer.status_code == 200:
            self._read(json.loads(PAYLOAD.search(answer.content)[1]))

    def save(self, choice: int = 0, verdict: int = 0) -> None:
        if self.document is None:
            return
        self._send(self._draft(choice, VERDICTS[verdict % len(VERDICTS)]))

    def save_again(self) -> None:
        """The answer was lost, or the annotator is impatient: the same save once more."""
        if self.last:
            self._send(self.last)

    def submit(self) -> None:
        if self.slot is None:
            return
        key, number = (self.person.pk, self.slot), self.revision
        self.log.requested.add((key, number))
        answer = self._ask("POST", self._here("submit/"), {200, 404, 409, 410, 422}, {"based_on": number})
        if answer.status_code == 200:
            self.past.append(self.slot)
            self.log.submitted.add((key, number))
            following = _said(answer)["next"]
            self._turn_to(uuid.UUID(SLOT.search(following)[1]) if following else None)

    def skip(self) -> None:
        if self.slot is None:
            return
        self.past.append(self.slot)
        answer = self._ask("POST", self._here("skip/"), {200, 404, 409}, {"reason": "long", "note": ""})
        if answer.status_code == 200:
            following = _said(answer)["next"]
            self._turn_to(uuid.UUID(SLOT.search(following)[1]) if following else None)

    def heartbeat(self, seconds: int = 5) -> None:
        if self.slot is not None:
            self._ask("POST", self._here("heartbeat/"), {200, 404, 410}, {"active_seconds": seconds})

    def reserve(self) -> None:
        """Have the next page kept, and fetch its view, which is not opening it."""
        if self.slot is None:
            return
        answer = self._ask("POST", self._here("reserve/"), {200, 404})
        view = _said(answer).get("view")
        if view:
            self.waiting = uuid.UUID(SLOT.search(view)[1])
            self._ask("GET", view, {200, 404})

    def open_what_waits(self) -> None:
        """They type the address of the page in reserve: it is not shown before its turn, and not counted."""
        if self.waiting is not None:
            self._turn_to(self.waiting)
            self.open()

    def reopen(self, which: int = 0) -> None:
        """Back to a page that was left or submitted."""
        if not self.past:
            return
        self._turn_to(self.past[which % len(self.past)])
        self.log.opened |= {
            (self.person.pk, other)
            for other in Slot.objects.filter(round__slots__key=self.slot).values_list("key", flat=True)
        }
        answer = self._ask("POST", self._here("reopen/"), {302, 404, 409, 410})
        if answer.status_code == 302:
            self._go(answer)
            self.open()

    def home(self) -> None:
        self._ask("GET", "/", {200})

    def pry(self, slot: uuid.UUID, which: int = 0) -> None:
        """Somebody else's page, and the screens of those who read gold: closed to annotators."""
        own = Slot.objects.filter(Q(annotator=self.person) | Q(annotations__annotator=self.person), key=slot)
        if not own.exists():
            method, rest = PRYING[which % len(PRYING)] if self.alone else PRYING[0]
            answer = self._ask(method, self.client.path(f"slots/{slot}/{rest}"), {200, 302, 404})
            assert answer.status_code == 404 or own.exists(), f"{rest} of another's page is open to them"
        self._ask("GET", self.client.path(READERS_ONLY[which % len(READERS_ONLY)]), {403})

    # ---- answers ----

    def _ask(self, method: str, path: str, expected: set[int], body: object = None) -> Response:
        before = fingerprint() if self.alone else None
        answer = self.client.ask(method, path, body)
        if self.alone and answer.status_code >= 400:
            assert fingerprint() == before, f"{path} was refused, and changed something"
        assert answer.status_code in expected, (
            f"{method} {path}: {answer.status_code} {answer.content[:500]!r}"
        )
        # The view is packed, and the same for everybody.
        content = b"" if answer.headers.get("Content-Encoding") else answer.content
        seen = {name.decode() for name in NOTE_OF.findall(content)} & self.others
        assert not seen, f"{self.person.username} saw at {path} what {seen} wrote"
        return answer

    def _send(self, sent: Sent) -> None:
        self.last = sent
        self.log.sent[sent.operation] = sent
        spans = [
            {"start": start, "end": end, "label": label, "text": self.document.text[start:end]}
            for start, end, label in sent.spans
        ]
        body = {
            "document": self.document.sha256,
            "based_on": sent.based_on,
            "operation": str(sent.operation),
            "spans": spans,
            "verdict": sent.verdict,
            "reason": sent.reason,
            "note": sent.note,
            "active_seconds": 3,
        }
        address = self.client.path(f"slots/{sent.slot}/save/")
        answer = self._ask("POST", address, {200, 404, 409, 410}, body)
        given = _said(answer)
        if answer.status_code == 200:
            self._acknowledged(sent, given["revision"])
        elif "current" in given:
            self._refused(sent, given)

    def _acknowledged(self, sent: Sent, number: int) -> None:
        assert number == sent.based_on + 1, f"revision {number} for a save that builds on {sent.based_on}"
        self.log.kept[sent.operation] = number
        if sent.slot == self.slot:
            self.revision = max(self.revision, number)

    def _refused(self, sent: Sent, given: dict[str, Any]) -> None:
        assert _marks(given["yours"]) == sent.content, "the refused version is not what was offered"
        assert given["current"]["revision"] != sent.based_on, "refused, and it was not stale"
        self.log.refused.add(sent.operation)
        # The window takes over the current version, as the screen does.
        self.revision = given["current"]["revision"]

    def _read(self, payload: dict[str, Any]) -> None:
        """The page as it is shown: their own marks, the arm, and no other marks."""
        slot = Slot.objects.select_related("round").get(key=self.slot)
        annotation = slot.annotations.select_related("document").get(annotator=self.person)
        suggestion = payload["suggestion"]
        assert (suggestion is None) == (annotation.shown_id is None)
        if suggestion:
            made = Extraction.objects.get(document=annotation.document_id, extractor=slot.arm_id)
            assert suggestion["spans"] == made.spans
        state = payload["state"]
        self._check_state(state, is_own=slot.annotator_id == self.person.pk and annotation.is_open)
        rest = {name: value for name, value in payload.items() if name not in ("state", "suggestion")}
        assert not list(_spans_in(rest)), "marks of nobody's are on the screen"
        self.document, self.revision = annotation.document, state["revision"]
        if self.slot not in self.past:
            self.past.append(self.slot)

    def _check_state(self, state: dict[str, Any], *, is_own: bool) -> None:
        """Their last save on a page that they hold, in whichever slot of it; else some marks of theirs.

        Where another window of theirs saves at this very moment, it may be the save before.
        """
        drafts = [NOTHING, *drafts_of(self.person.pk, self.slot)]
        may_be = drafts[-1:] if is_own and self.alone else drafts
        assert _marks(state) in may_be, "the last save is not shown"

    # ---- what it believes ----

    def _draft(self, choice: int, verdict: str) -> Sent:
        """Some blocks of the page, by the bits of `choice`, and a note with their name."""
        blocks = [(start, end) for start, end in self.document.blocks]
        chosen = [
            Span(start, end, LABELS[(choice + number) % len(LABELS)])
            for number, (start, end) in enumerate(blocks)
            if choice >> number & 1
        ]
        return Sent(
            operation=(operation := uuid.uuid4()),
            person=self.person.pk,
            slot=self.slot,
            based_on=self.revision,
            spans=tuple(
                (start, end, label) for start, end, label in clip(chosen, blocks, self.document.text)
            ),
            verdict=verdict,
            reason="paywall" if verdict == "not_article" else "",
            note=f"note-of-{self.person.username}-{operation.hex}",
        )

    def _here(self, rest: str = "") -> str:
        return self.client.path(f"slots/{self.slot}/{rest}")

    def _go(self, answer: Response) -> None:
        found = SLOT.search(answer.headers["Location"])
        self._turn_to(uuid.UUID(found[1]) if found else None)

    def _turn_to(self, slot: uuid.UUID | None) -> None:
        if slot != self.slot:
            self.slot, self.revision, self.document, self.last = slot, 0, None, None


def _said(answer: Response) -> dict[str, Any]:
    """Its JSON; nothing where it is none, as of a page that is not there."""
    is_json = answer.headers["Content-Type"].startswith("application/json")
    return dict(json.loads(answer.content)) if is_json else {}


def _marks(state: dict[str, Any]) -> tuple[Any, ...]:
    return marks(state["spans"], state["verdict"], state["reason"], state["note"])


def _spans_in(value: Any) -> Iterator[Any]:
    """Whatever looks like a span, anywhere in it."""
    if isinstance(value, dict):
        for each in value.values():
            yield from _spans_in(each)
    elif isinstance(value, list):
        if len(value) >= 3 and [type(each) for each in value[:3]] == [int, int, str]:
            yield value
        for each in value:
            yield from _spans_in(each)
