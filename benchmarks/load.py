"""Twenty annotators at once, by HTTP and without a thought, on a corpus of ten thousand pages."""

import http.client
import json
import os
import re
import subprocess
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from statistics import median, quantiles
from threading import Barrier

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.models import Count, F
from django.utils import timezone

from annotator.annotations.arms import draw_arms
from annotator.annotations.models import Annotation, Round, Slot
from annotator.annotations.study.actions import give_turns, standing_design
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.corpora.views import BACKEND
from annotator.pages.models import Document, Page
from annotator.runs.actions import enable_defaults, request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.queries import enabled_in
from extraction.sandbox import Parser
from launcher import logs
from launcher.application import Application, answers, environment, open_port
from launcher.home import Home
from tests.factories import make_user, page_maker

PAGES = 10_000
PEOPLE = 20
EACH = 25
WARM_UP = 3
AT_ONCE = 2_000
PARAGRAPH = (
    "<p>The council said on Monday that line {n} of the ferry would return, as it has said {n} times.</p>"
)
TEMPLATE = (
    "<title>Ferry {number}</title><nav>{links}</nav><article><h1>Ferry {number} returns</h1>{body}</article>"
)


def run(limit: int | None = None) -> str:
    """Seconds from handing in to having the next page, and of a save; and whether anybody met in a slot."""
    pages = min(limit or PAGES, PAGES)
    corpus = create_corpus(slug="bench-load", name="Load")
    enable_defaults(corpus=corpus)
    fill(corpus, pages)
    people = [make_user(f"load{n}") for n in range(PEOPLE)]
    for person in people:
        grant_role(corpus=corpus, user=person, role="annotator")
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    before = os.getloadavg()[0]
    with serving() as port:
        clients = [Client(port, corpus.slug, person) for person in people]
        alone = Client(port, corpus.slug, _one_more(corpus))
        alone.work(EACH)
        start = Barrier(len(clients))
        with ThreadPoolExecutor(len(clients)) as pool:
            list(pool.map(lambda client: client.work_with(start), clients))
    return _report(corpus, pages, clients, alone, before)


def _one_more(corpus: Corpus) -> User:
    person = make_user("load-alone")
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


# ---- the corpus ----


def fill(corpus: Corpus, pages: int) -> None:
    """Real rows for so many pages: one page is built and extracted, the others are like it."""
    with Parser() as parser:
        first = page_maker(corpus, parser)(_html(), opened=False)
    document = first.documents.get()
    for row in request_extractions(document=document, enabled=enabled_in(corpus.pk)):
        claimed = work.claim(Extraction, row.pk)
        if claimed:
            run_extraction(claimed)
    made = list(document.extractions.all())
    for begin in range(1, pages, AT_ONCE):
        _fill(corpus, document, made, range(begin, min(begin + AT_ONCE, pages)))
    _open_rounds(corpus)


def _html() -> str:
    links = "".join(f'<a href="/{n}">Part {n} of the paper</a> ' for n in range(30))
    return TEMPLATE.format(number=0, links=links, body="".join(PARAGRAPH.format(n=n) for n in range(40)))


def _fill(corpus: Corpus, like: Document, made: list[Extraction], numbers: range) -> None:
    now = timezone.now()
    pages = Page.objects.bulk_create(
        Page(
            corpus=corpus,
            sha256=sha256(f"load {number}".encode()).hexdigest(),
            size=like.page.size,
            url=f"https://news{number}.example.com/ferry",
            site=f"news{number}.example.com",
            title=f"Ferry {number}",
            language="en",
            finished_at=now,
        )
        for number in numbers
    )
    facts = {field.attname: getattr(like, field.attname) for field in Document._meta.concrete_fields}
    documents = Document.objects.bulk_create(
        Document(**{**facts, "id": None, "page_id": page.pk}) for page in pages
    )
    for page, document in zip(pages, documents, strict=True):
        page.document = document
    Page.objects.bulk_update(pages, ["document"])
    Extraction.objects.bulk_create(
        Extraction(
            document=document,
            extractor_id=one.extractor_id,
            spans=one.spans,
            seconds=one.seconds,
            finished_at=now,
        )
        for document in documents
        for one in made
    )


def _open_rounds(corpus: Corpus) -> None:
    """As `open_round` does it, a thousand at a time."""
    arms = list(
        corpus.enabled.filter(ended_at=None, extractor__can_be_arm=True)
        .order_by("extractor_id")
        .values_list("extractor_id", flat=True)
    )
    rounds, slots, blind, credit = [], [], 0, {}
    design = standing_design(corpus=corpus)
    for place, page in enumerate(Page.objects.filter(corpus=corpus).order_by("pk")):
        drawn = draw_arms(
            seed=design.seed,
            place=place,
            slots=2,
            blind_share=0.2,
            blind_before=blind,
            extractors=arms,
            credit=credit,
        )
        blind, credit = blind + drawn.blind, drawn.credit
        account = {"blind": blind, "credit": credit}
        rounds.append(Round(page=page, design=design, blind=drawn.blind, draw=place, account=account))
        slots += [Slot(corpus=corpus, number=n, arm_id=arm) for n, arm in enumerate(drawn.arms, start=1)]
    Round.objects.bulk_create(rounds, batch_size=AT_ONCE)
    for number, slot in enumerate(slots):
        slot.round = rounds[number // 2]
    Slot.objects.bulk_create(slots, batch_size=AT_ONCE)
    give_turns(design=design)


# ---- the server ----


@contextmanager
def serving() -> Iterator[int]:
    """Web server, workers and the periodic process as `make run` starts them; the port."""
    home = Home(Path(settings.GOLDPAN_HOME))
    urls = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    application = Application(home, environment(home, urls, os.environ))
    logs.fresh(home.logs / "load.log")
    with open_port("0") as listening:
        programs = [
            application.web(listening),
            *(application.worker(queue) for queue in ("interactive", "bulk")),
            application.beat(),
        ]
        started = [
            subprocess.Popen(
                program.command,
                cwd=program.folder,
                env=dict(program.environment or {}),
                pass_fds=program.pass_fds,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for program in programs
        ]
        try:
            port = int(listening.getsockname()[1])
            while not answers(port):
                time.sleep(0.2)
            yield port
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait(30)


# ---- an annotator ----


class Client:
    """One annotator's browser: one connection, her cookies, and what everything took her."""

    def __init__(self, port: int, slug: str, person: User) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._base = f"/c/{slug}/"
        self._token = "t" * 32
        self._cookies = f"sessionid={_session(person)}; csrftoken={self._token}"
        self._bench: dict[str, object] = {}
        self._address = ""
        self.took: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []

    def work_with(self, start: Barrier) -> None:
        try:
            self.work(WARM_UP)
        except Exception:
            start.abort()  # the others would wait for her for ever
            raise
        self.took.clear()
        start.wait()
        self.work(EACH)

    def work(self, pages: int) -> None:
        """Hand in so many pages, each saved once."""
        if not self._address:
            self._address = self._ask("POST", f"{self._base}next/").headers["Location"]
            self._open()
        for _ in range(pages):
            self._timed("save", self._save)
            self._timed("next", self._next)

    def _timed(self, what: str, act: object) -> None:
        started = time.perf_counter()
        act()  # type: ignore[operator]
        self.took[what].append(time.perf_counter() - started)

    def _next(self) -> None:
        """Hand in, claim, open, and have the view."""
        answer = self._part("submit", "POST", f"{self._address}submit/", {"based_on": 1})
        self._address = json.loads(answer)["next"]
        self._open()

    def _open(self) -> None:
        page = self._part("open", "GET", self._address).decode()
        found = re.search(r'<script id="bench" type="application/json">(.*?)</script>', page, re.DOTALL)
        self._bench = json.loads(found[1]) if found else {}
        self._part("view", "GET", f"{self._address}view.json")

    def _save(self) -> None:
        document = self._bench["document"]
        body = {
            "document": document["sha256"],  # type: ignore[index]
            "based_on": 0,
            "operation": str(uuid.uuid4()),
            "spans": [{"start": 0, "end": 7, "label": "headline", "text": "Part 0 "[:7]}],
            "verdict": "article",
            "active_seconds": 1,
        }
        self._part("write", "POST", f"{self._address}save/", body)

    def _part(self, name: str, method: str, address: str, body: object = None) -> bytes:
        started = time.perf_counter()
        answer = self._ask(method, address, body)
        read = answer.body
        self.took[name].append(time.perf_counter() - started)
        if answer.status != 200:
            self.errors.append(f"{method} {address}: {answer.status} {read[:200]!r}")
            raise RuntimeError(self.errors[-1])
        return read

    def _ask(self, method: str, address: str, body: object = None) -> "Answer":
        headers = {"Cookie": self._cookies, "Accept": "application/json", "X-CSRFToken": self._token}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = json.dumps(body) if body is not None else None
        try:
            self._connection.request(method, address, content, headers)
            return Answer(self._connection.getresponse())
        except ConnectionError:
            # The server closes what is idle; a browser asks again, and so do we. Its requests may come twice.
            self._connection.close()
            self._connection.request(method, address, content, headers)
            return Answer(self._connection.getresponse())


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()


def _session(person: User) -> str:
    """A session as signing in makes it; twenty passwords need not be hashed for this."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


# ---- the report ----


def _report(corpus: Corpus, pages: int, clients: list[Client], alone: Client, load: float) -> str:
    together: dict[str, list[float]] = defaultdict(list)
    for client in clients:
        for what, took in client.took.items():
            together[what] += took
    errors = sum(len(client.errors) for client in clients)
    wrong = "; ".join(broken(corpus))
    rows = [
        _row(what, together[what], alone.took[what]) for what in ("next", "save", "submit", "open", "view")
    ]
    return "\n".join(
        [
            "## Under load",
            "",
            f"{PEOPLE} annotators by HTTP, each {EACH} pages without a pause, on {pages} pages; web server, "
            f"workers and databases of `make run`, and the annotators, on this machine ({os.cpu_count()} "
            f"cores, load {load:.1f} before). `next` is handing in, claiming, opening and the page's view; "
            f"`alone` is one annotator by herself.",
            "",
            "| | median ms | 95 % ms | alone ms | times alone |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            f"{errors} errors; law 4 {f'BROKEN: {wrong}' if wrong else 'held'}.",
        ]
    )


def _row(what: str, took: list[float], alone: list[float]) -> str:
    middle, by_herself = median(took), median(alone)
    high = quantiles(took, n=20)[-1]
    return (
        f"| {what} | {1000 * middle:.0f} | {1000 * high:.0f} | {1000 * by_herself:.0f} "
        f"| {middle / by_herself:.1f} |"
    )


def broken(corpus: Corpus) -> list[str]:
    """Where law 4 does not hold: two in a slot, one twice on a page, more than one page in hand."""
    slots = Slot.objects.filter(corpus=corpus)
    submitted = Annotation.objects.filter(slot__corpus=corpus, submitted_at__isnull=False)
    active = slots.filter(annotator__isnull=False, submitted_at=None, reserved_at=None)
    checks = {
        "two annotations handed in for one slot": submitted.values("slot").annotate(n=Count("pk")),
        "one annotator twice on a page": slots.exclude(annotator=None)
        .order_by()
        .values("round", "annotator")
        .annotate(n=Count("pk")),
        "two pages in one hand": active.order_by().values("annotator").annotate(n=Count("pk")),
    }
    found = [name for name, counted in checks.items() if counted.filter(n__gt=1).exists()]
    if submitted.exclude(annotator=F("slot__annotator")).exists():
        found.append("handed in by another than the slot's annotator")
    return found
