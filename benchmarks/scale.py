"""Screens at a thousand to a million gold pages with 15 extractors: see `scale_rows`.

`GOLDPAN_SCALE` lists the numbers of pages. With `GOLDPAN_SCALE_KEPT`, a folder, the filled database is kept
there for the next run: a million pages take half an hour to fill.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from typing import Any, NamedTuple

import django
import numpy as np
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.agreement.actions import request_report, write_report
from annotator.agreement.models import AgreementReport
from annotator.agreement.selection import ReportSelection
from annotator.common import work
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.home.counts import recount
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard.actions import compute, request_leaderboard
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.models import StoredLeaderboard
from annotator.scoring.totals.counting import count_some
from benchmarks.memory import peak
from benchmarks.scale_rows import EXTRACTORS, FILLED, WAITING, filled
from tests.annotator.api.client import PREFIX, token_for
from tests.factories import make_user

PAGES = "1000,10000,100000"
TIMES = 25
# A query that reads more rows of a table is named.
MANY_ROWS = 10_000
# Pages in a slice of the API's list.
API_SLICE = 100
# A report of more compared pages takes a worker minutes: its screen is measured with the figures of another.
MOST_REPORTED = 1_000
SLICE = LeaderboardFilters(of="site:site7.example")
COMBINED = LeaderboardFilters(of="language:en,site:site7.example")


class Measured(NamedTuple):
    """Milliseconds of wall-clock time and of CPU time, queries, and the most rows that one of them reads.

    `tables` are those of which one query reads many rows.
    """

    screen: str
    median: float
    p95: float
    cpu: float
    queries: int
    rows: int
    tables: list[str]


class Growth(NamedTuple):
    """What one more gold page costs: milliseconds, also of CPU time, rows of totals, queries; medians."""

    median: float
    cpu: float
    touched: int
    queries: int


def run(limit: int | None = None) -> str:
    """Fill one corpus after the other, and open every screen."""
    sizes = [limit] if limit else [int(size) for size in os.environ.get("GOLDPAN_SCALE", PAGES).split(",")]
    lines = [
        "## Scale",
        "",
        f"Screens of a corpus with this many gold pages and {EXTRACTORS} extractors, all corpora in one "
        f"database. Milliseconds of wall-clock time in the web process, {TIMES} times each, the median of "
        "its CPU time, which other load on the machine changes less, and the rows that the query reads that "
        "reads most. *One gold page* is what the writer of totals takes for one new gold page with all its "
        f"scores by every metric, the median of {WAITING}. Above {MOST_REPORTED:,} pages the agreement "
        "report shows the figures of another corpus: its own would take a worker minutes.",
        "",
    ]
    # Leaderboards are computed by a worker: another process than that of the screens.
    with _process() as worker:
        lines += [line for size in sizes for line in _of_size(size, worker)]
    return "\n".join([*lines, f"All tables with their indexes, at the end: {table_sizes()}."])


def _process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=django.setup)


def _of_size(pages: int, worker: Executor) -> Iterable[str]:
    began = time.monotonic()
    corpus = filled(pages)
    took = time.monotonic() - began
    user = User.objects.filter(username=f"rhea{pages}").first() or make_user(f"rhea{pages}")
    for role in ("researcher", "admin"):
        grant_role(corpus=corpus, user=user, role=role)
    made = [
        worker.submit(_made, corpus.pk, each.of).result() for each in (LeaderboardFilters(), SLICE, COMBINED)
    ]
    worker.submit(_counted, corpus.pk).result()
    worker.submit(_reported, corpus.pk).result()
    with _process() as web:
        rows, most = web.submit(_screens, corpus.pk, user.pk).result()
    grown = growth(corpus)
    yield f"### {pages:,} pages"
    yield ""
    yield (
        "| screen | median ms | 95th percentile | CPU ms | queries | rows read "
        f"| tables of which a query reads more than {MANY_ROWS:,} rows |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for row in rows:
        yield (
            f"| {row.screen} | {row.median:.0f} | {row.p95:.0f} | {row.cpu:.0f} | {row.queries} "
            f"| {row.rows:,} | {', '.join(row.tables) or 'none'} |"
        )
    yield (
        f"| one gold page | {grown.median:.0f} | | {grown.cpu:.0f} | {grown.queries} | "
        f"| {grown.touched} totals touched |"
    )
    yield ""
    yield (
        f"Filled in {took:.0f} s; a leaderboard by a worker in {made[0]:.1f} s, one of a site in "
        f"{made[1]:.1f} s, of a site and a language in {made[2]:.1f} s; peak of the web process "
        f"{most / 1024:.0f} MB; load {os.getloadavg()[0]:.0f}."
    )
    yield ""


def addresses(corpus: Corpus) -> list[tuple[str, str]]:
    extractor = Extractor.objects.filter(name="scale0").get()
    board = reverse("leaderboard", args=[corpus.slug])
    behind = reverse("leaderboard-pages", args=[corpus.slug, extractor.pk])
    return [
        ("board", board),
        ("slice", board + SLICE.query),
        ("slice of a site and a language", board + COMBINED.query),
        ("version", reverse("leaderboard-version", args=[corpus.slug])),
        ("home", reverse("home")),
        ("pages behind a row", behind),
        ("pages of a slice", behind + SLICE.query),
        ("pages of a site and a language", behind + COMBINED.query),
        ("agreement report", reverse("agreement", args=[corpus.slug])),
        ("corpus page", reverse("corpus", args=[corpus.slug])),
    ]


def api_addresses(corpus: Corpus) -> list[tuple[str, str]]:
    """The first slice of the list of pages, and the last whole one."""
    pages = f"{PREFIX}/corpora/{corpus.slug}/pages"
    keys = Page.objects.filter(corpus=corpus).order_by("-pk").values_list("pk", flat=True)
    return [("pages by the API", pages), ("the last of them", f"{pages}?cursor={keys[API_SLICE]}")]


# ---- what workers do ----


def _made(corpus_pk: int, of: str) -> float:
    corpus = Corpus.objects.get(pk=corpus_pk)
    row, _is_asked = request_leaderboard(corpus=corpus, filters=LeaderboardFilters(of=of))
    work.reopen(row)
    claimed = work.claim(StoredLeaderboard, row.pk)
    assert claimed
    began = time.monotonic()
    compute(claimed)
    return time.monotonic() - began


def _counted(corpus_pk: int) -> None:
    recount(Corpus.objects.get(pk=corpus_pk))


def _reported(corpus_pk: int) -> None:
    corpus = Corpus.objects.get(pk=corpus_pk)
    report = request_report(corpus=corpus, selection=ReportSelection())
    if report.finished_at:
        return
    claimed = work.claim(AgreementReport, report.pk)
    assert claimed
    smaller = AgreementReport.objects.exclude(figures=None).order_by("pk").first()
    if smaller and report.pages > MOST_REPORTED:
        work.finish(claimed, figures=smaller.figures, pages=report.pages, done=report.pages)
    else:
        write_report(claimed)


# ---- screens ----


def _screens(corpus_pk: int, user_pk: int) -> tuple[list[Measured], int]:
    """Every screen, and the peak memory in KB of the process that made them."""
    corpus, user = Corpus.objects.get(pk=corpus_pk), User.objects.get(pk=user_pk)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    rows = [_screen(name, client, address) for name, address in addresses(corpus)]
    api = Client(headers={"host": "127.0.0.1", "authorization": f"Bearer {token_for(user)}"})
    rows += [_screen(name, api, address) for name, address in api_addresses(corpus)]
    return rows, peak()


def _screen(name: str, client: Client, address: str) -> Measured:
    took, cpu = [], []
    client.get(address)
    for _ in range(TIMES):
        began, worked = time.perf_counter(), time.process_time()
        answer = client.get(address)
        took.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - worked) * 1000)
        assert answer.status_code == 200, (name, answer.status_code)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    plans = [(query["sql"], _plan(query["sql"])) for query in captured.captured_queries]
    if limit := float(os.environ.get("GOLDPAN_SCALE_SLOW", "0")):
        for sql, plan in plans:
            if plan and plan["Execution Time"] > limit:
                rows = rows_read(plan["Plan"]).total()
                line = f"{name}: {plan['Execution Time']:.0f} ms, {rows} rows: {sql}"
                print(line, file=sys.stderr)
    read = [rows_read(plan["Plan"]) for _sql, plan in plans if plan]
    tables = sorted({table for each in read for table, rows in each.items() if rows > MANY_ROWS})
    most = max((each.total() for each in read), default=0)
    p95 = float(np.quantile(took, 0.95))
    return Measured(name, median(took), p95, median(cpu), len(captured), most, tables)


def _plan(sql: str) -> dict[str, Any] | None:
    """The plan of a query as it was run; None of what is no query."""
    if not sql.lstrip("( ").upper().startswith("SELECT"):
        return None
    with connection.cursor() as cursor:
        cursor.execute(f"explain (analyze, format json) {sql}".replace("%", "%%"), [])
        ((found,),) = cursor.fetchall()
    (plan,) = json.loads(found) if isinstance(found, str) else found
    return dict(plan)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def rows_read(plan: dict[str, Any]) -> Counter[str]:
    """How many rows it reads of each table, by whatever scan."""
    removed = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
    read: Counter[str] = Counter()
    for node in _nodes(plan):
        if "Relation Name" in node:
            rows = node["Actual Rows"] + sum(node.get(name, 0) for name in removed)
            read[node["Relation Name"].removeprefix("annotator_")] += round(node["Actual Loops"] * rows)
    return read


# ---- one more gold page ----


def growth(corpus: Corpus) -> Growth:
    """What one more gold page costs, the medians of several; they are taken off again afterwards."""
    took, cpu, rows, queries = [], [], [], []
    waiting = list(Gold.objects.filter(page__corpus=corpus, current=None, number=1).order_by("pk")[:WAITING])
    for gold in waiting:
        Gold.objects.filter(pk=gold.pk).update(current=True)
        with CaptureQueriesContext(connection) as captured:
            began, worked = time.perf_counter(), time.process_time()
            count_some(corpus)
            took.append((time.perf_counter() - began) * 1000)
            cpu.append((time.process_time() - worked) * 1000)
        queries.append(len(captured))
        rows.append(_touched(corpus))
    Gold.objects.filter(pk__in=[gold.pk for gold in waiting]).update(current=None)
    while count_some(corpus):
        pass
    return Growth(median(took), median(cpu), int(median(rows)), int(median(queries)))


def _touched(corpus: Corpus) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from annotator_scoretotal where corpus_id = %s and xmin = "
            "(select xmin from annotator_leaderboardversion where corpus_id = %s)",
            [corpus.pk, corpus.pk],
        )
        return int(cursor.fetchone()[0])


def table_sizes() -> str:
    sizes = []
    with connection.cursor() as cursor:
        for table in FILLED:
            cursor.execute("select pg_total_relation_size(%s::regclass)", [f"annotator_{table}"])
            sizes.append(f"{table} {cursor.fetchone()[0] / 1e6:,.0f} MB")
        cursor.execute("select pg_database_size(current_database())")
        sizes.append(f"the database {cursor.fetchone()[0] / 1e9:,.1f} GB")
    return ", ".join(sizes)
