"""Load: twenty annotators at once, over HTTP and without pauses, on a corpus of ten thousand pages."""

import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from statistics import median, quantiles
from threading import Barrier

from django.conf import settings
from django.db import connection
from django.db.models import Count, F
from django.test import Client
from django.utils import timezone

from annotator.annotations.models import Annotation, Round, Slot
from annotator.annotations.rounds.arms import draw_arms
from annotator.annotations.study.actions import current_design, update_queue_keys
from annotator.common import work
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.home.actions import create_corpus
from annotator.pages.models import Page, StoredDocument
from annotator.runs.actions import request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.queries import enabled_in
from benchmarks.load_client import LoadClient
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
LINKS = "".join(f'<a href="/{n}">Part {n} of the paper</a> ' for n in range(30))
TEMPLATE = (
    "<title>Ferry {number}</title><nav>{links}</nav><article><h1>Ferry {number} returns</h1>{body}</article>"
)


def run(limit: int | None = None) -> str:
    """Measure the time from submission to the next page, and of saves; check that no slot is shared."""
    pages = min(limit or PAGES, PAGES)
    corpus = create_corpus(slug="bench-load", name="Load")
    fill(corpus, pages)
    people = [make_user(f"load{n}") for n in range(PEOPLE)]
    for person in people:
        grant_role(corpus=corpus, user=person, role="annotator")
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    before = os.getloadavg()[0]
    with serving() as (port, roles):
        clients = [LoadClient(port, corpus.slug, _session(person)) for person in people]
        alone = LoadClient(port, corpus.slug, _session(_one_more(corpus)))
        alone.warm_up(WARM_UP)
        alone.work(EACH)
        run = _together(clients, roles)
    return _report(corpus, pages, clients, alone, run, before)


@dataclass(frozen=True)
class LoadRun:
    """Wall-clock seconds of the whole run, and CPU seconds of each process."""

    seconds: float
    cpu: dict[str, float]


def _together(clients: list[LoadClient], roles: dict[int, str]) -> LoadRun:
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
    return LoadRun(seconds, {role: used - before.get(role, 0) for role, used in after.items()})


def _one_more(corpus: Corpus) -> User:
    person = make_user("load-alone")
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


# ---- the corpus ----


def fill(corpus: Corpus, pages: int) -> None:
    """Create rows for so many pages: one page is parsed and extracted, the others are copies."""
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
    return TEMPLATE.format(number=0, links=LINKS, body="".join(PARAGRAPH.format(n=n) for n in range(40)))


def _fill(corpus: Corpus, like: StoredDocument, made: list[Extraction], numbers: range) -> None:
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


def documents_like(like: StoredDocument, pages: Sequence[Page]) -> list[StoredDocument]:
    """Create a copy of the document for each page."""
    columns = {field.name: getattr(like, field.name) for field in StoredDocument._meta.concrete_fields}
    documents = StoredDocument.objects.bulk_create(
        StoredDocument(**{**columns, "id": None, "page": page}) for page in pages
    )
    for document in documents:
        document.page.document = document
    Page.objects.bulk_update(pages, ["document"])
    return documents


def _open_rounds(corpus: Corpus) -> None:
    """Like `open_round`, for many pages at once."""
    arms = list(
        corpus.enabled.filter(ended_at=None, extractor__can_be_arm=True)
        .order_by("extractor_id")
        .values_list("extractor_id", flat=True)
    )
    rounds, slots, blind = [], [], 0
    credit: Mapping[int, float] = {}
    design = current_design(corpus=corpus)
    for position, page in enumerate(Page.objects.filter(corpus=corpus).order_by("pk")):
        drawn = draw_arms(
            seed=design.seed,
            number=position,
            slots=2,
            blind_share=0.2,
            blind_before=blind,
            extractors=dict.fromkeys(arms, 1.0),
            credit=credit,
        )
        blind, credit = blind + drawn.blind, drawn.credit
        account = {"blind": blind, "credit": credit}
        rounds.append(Round(page=page, design=design, blind=drawn.blind, draw=position, account=account))
        slots += [Slot(corpus=corpus, number=n, arm_id=arm) for n, arm in enumerate(drawn.arms, start=1)]
    Round.objects.bulk_create(rounds, batch_size=AT_ONCE)
    for number, slot in enumerate(slots):
        slot.round = rounds[number // 2]
    Slot.objects.bulk_create(slots, batch_size=AT_ONCE)
    update_queue_keys(design=design)


# ---- the annotators ----


def _session(person: User) -> str:
    """Sign in without a password; return the session cookie."""
    browser = Client()
    browser.force_login(person)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


# ---- the report ----


def _report(
    corpus: Corpus, pages: int, clients: list[LoadClient], alone: LoadClient, run: LoadRun, load: float
) -> str:
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
            f"{PEOPLE} annotators over HTTP, {EACH} pages each without pauses, on {pages} pages; web server, "
            f"workers and databases of `make run`, and the annotators, on this machine ({os.cpu_count()} "
            f"cores, load {load:.1f} before). `next` is submitting, claiming, opening and loading the view "
            "of the next page, which the browser has not prefetched; `alone` is a single annotator.",
            "",
            "| | median ms | 95 % ms | alone ms | times alone |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            _of_cpu(run),
            "",
            f"{errors} errors; invariant 4 {f'BROKEN: {wrong}' if wrong else 'held'}.",
        ]
    )


def _of_cpu(run: LoadRun) -> str:
    """Return the CPU time per page by process, which limits the throughput."""
    submitted = PEOPLE * EACH
    parts = ", ".join(
        f"{1000 * used / submitted:.1f} {role}"
        for role, used in sorted(run.cpu.items(), key=lambda part: -part[1])
    )
    return (
        f"{submitted / run.seconds:.0f} pages per second; milliseconds of CPU per page: {parts}. The workers "
        f"continue after the annotators have stopped."
    )


def _row(what: str, took: list[float], alone: list[float]) -> str:
    middle, single = median(took), median(alone)
    high = quantiles(took, n=20)[-1]
    return (
        f"| {what} | {1000 * middle:.0f} | {1000 * high:.0f} | {1000 * single:.0f} | {middle / single:.1f} |"
    )


def broken(corpus: Corpus) -> list[str]:
    """Return the violations of invariant 4."""
    slots = Slot.objects.filter(corpus=corpus)
    submitted = Annotation.objects.filter(slot__corpus=corpus, submitted_at__isnull=False)
    active = slots.filter(annotator__isnull=False, submitted_at=None, reserved_at=None)
    checks = {
        "two annotations submitted for one slot": submitted.values("slot").annotate(n=Count("pk")),
        "one annotator twice on a page": slots.exclude(annotator=None)
        .order_by()
        .values("round", "annotator")
        .annotate(n=Count("pk")),
        "two active slots of one annotator": active.order_by().values("annotator").annotate(n=Count("pk")),
    }
    found = [name for name, counted in checks.items() if counted.filter(n__gt=1).exists()]
    if submitted.exclude(annotator=F("slot__annotator")).exists():
        found.append("submitted by somebody else than the slot's annotator")
    return found
