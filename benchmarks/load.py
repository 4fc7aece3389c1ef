"""Twenty annotators at once, by HTTP and without a thought, on a corpus of ten thousand pages."""

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from statistics import median, quantiles
from threading import Barrier

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
from annotator.corpora.signed_in import BACKEND
from annotator.pages.models import Document, Page
from annotator.runs.actions import enable_defaults, request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.queries import enabled_in
from benchmarks.load_client import Client
from benchmarks.load_server import cpu_seconds, serving
from extraction.sandbox import Parser
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
    with serving() as (port, roles):
        clients = [Client(port, corpus.slug, _session(person)) for person in people]
        alone = Client(port, corpus.slug, _session(_one_more(corpus)))
        alone.warm_up(WARM_UP)
        alone.work(EACH)
        run = _together(clients, roles)
    return _report(corpus, pages, clients, alone, run, before)


@dataclass(frozen=True)
class Run:
    """Seconds that all of it took, and CPU seconds of each part meanwhile."""

    seconds: float
    cpu: dict[str, float]


def _together(clients: list[Client], roles: dict[int, str]) -> Run:
    start = Barrier(len(clients) + 1)
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(lambda client: client.warm_up(WARM_UP), clients))
        before = cpu_seconds(roles)
        working = [pool.submit(client.work_with, start, EACH) for client in clients]
        start.wait()
        began = time.perf_counter()
        for one in working:
            one.result()
        seconds = time.perf_counter() - began
    after = cpu_seconds(roles)
    return Run(seconds, {role: used - before.get(role, 0) for role, used in after.items()})


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
    documents = documents_like(like, pages)
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


def documents_like(like: Document, pages: Sequence[Page]) -> list[Document]:
    """A document for each page, the same but for whose it is."""
    facts = {field.name: getattr(like, field.name) for field in Document._meta.concrete_fields}
    documents = Document.objects.bulk_create(
        Document(**{**facts, "id": None, "page": page}) for page in pages
    )
    for document in documents:
        document.page.document = document
    Page.objects.bulk_update(pages, ["document"])
    return documents


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


# ---- the annotators ----


def _session(person: User) -> str:
    """A session as signing in makes it; twenty passwords need not be hashed for this."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


# ---- the report ----


def _report(corpus: Corpus, pages: int, clients: list[Client], alone: Client, run: Run, load: float) -> str:
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
            f"cores, load {load:.1f} before). `next` is handing in, claiming, opening and the page's view, "
            "request by request as a browser asks whose reserve is not there yet (the workbench asks for it "
            "a second after it has painted); `alone` is one annotator by herself.",
            "",
            "| | median ms | 95 % ms | alone ms | times alone |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            _of_cpu(run),
            "",
            f"{errors} errors; law 4 {f'BROKEN: {wrong}' if wrong else 'held'}.",
        ]
    )


def _of_cpu(run: Run) -> str:
    """CPU of each part for one page: what decides when nobody thinks."""
    handed_in = PEOPLE * EACH
    parts = ", ".join(
        f"{1000 * used / handed_in:.1f} {role}"
        for role, used in sorted(run.cpu.items(), key=lambda part: -part[1])
    )
    return (
        f"{handed_in / run.seconds:.0f} pages a second; milliseconds of CPU a page: {parts}. The workers go "
        f"on with what was handed in after the annotators have stopped."
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
