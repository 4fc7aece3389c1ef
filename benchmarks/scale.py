"""Screens at a thousand to a million gold pages with 15 extractors: rows are made in bulk, by SQL.

`GOLDPAN_SCALE` lists the numbers of pages. Totals have the keys and the number of rows that counting gives
them, not the sums; the rows of scores, gold and pages are those that screens and the writer read.
"""

import os
import re
import resource
import time
from collections.abc import Iterable
from itertools import chain
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard.actions import compute, request_leaderboard
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.models import StoredLeaderboard
from annotator.scoring.totals.counting import count_some
from annotator.scoring.totals.figures import CELLS, COLUMNS, PARTS
from tests.factories import make_user

PAGES = "1000,10000,100000"
EXTRACTORS, SITES, MONTHS = 15, 500, 24
TIMES, ADDED = 25, 50
TABLES = ("countedscore", "countedpage", "scoretotal", "goldtotal", "score", "extraction", "gold", "page")
LARGE = re.compile(rf"Seq Scan on annotator_({'|'.join(TABLES)})\b")


class Measured(NamedTuple):
    """Milliseconds of wall-clock time, queries, and the large tables that a plan scans."""

    screen: str
    median: float
    p95: float
    queries: int
    scans: list[str]


def run(limit: int | None = None) -> str:
    """Fill one corpus after the other, and open every screen."""
    sizes = [limit] if limit else [int(size) for size in os.environ.get("GOLDPAN_SCALE", PAGES).split(",")]
    lines = [
        "## Scale",
        "",
        f"Screens of a corpus with this many gold pages and {EXTRACTORS} extractors, in one database. "
        f"Milliseconds of wall-clock time in the web process, {TIMES} times each. *One gold page* is what "
        f"the writer of totals takes for one new gold page with all its scores, the median of {ADDED}.",
        "",
    ]
    return "\n".join([*lines, *chain.from_iterable(_of_size(size) for size in sizes)])


def _of_size(pages: int) -> Iterable[str]:
    began = time.monotonic()
    corpus = fill(pages)
    filled = time.monotonic() - began
    client = Client(headers={"host": "127.0.0.1"})
    user = make_user(f"rhea{pages}")
    for role in ("researcher", "admin"):
        grant_role(corpus=corpus, user=user, role=role)
    client.force_login(user)
    slices = LeaderboardFilters(of="site:site7.example")
    made = [_made(corpus, filters) for filters in (LeaderboardFilters(), slices)]
    rows = [_screen(name, client, address) for name, address in addresses(corpus, slices)]
    added, touched, queries = growth(corpus)
    yield f"### {pages:,} pages"
    yield ""
    yield "| screen | median ms | 95th percentile | queries | scans of large tables |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for row in rows:
        scans = ", ".join(row.scans) or "none"
        yield f"| {row.screen} | {row.median:.0f} | {row.p95:.0f} | {row.queries} | {scans} |"
    yield f"| one gold page | {added:.0f} | | {queries} | {touched} totals touched |"
    yield ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield (
        f"Made in {filled:.0f} s; a leaderboard by the worker in {made[0]:.1f} s, one of a slice in "
        f"{made[1]:.1f} s; peak of the process {peak:.0f} MB; load {os.getloadavg()[0]:.0f}. "
        f"Tables with indexes: {table_sizes()}."
    )
    yield ""


def addresses(corpus: Corpus, of: LeaderboardFilters) -> list[tuple[str, str]]:
    extractor = Extractor.objects.filter(name="scale0").get()
    board = reverse("leaderboard", args=[corpus.slug])
    return [
        ("board", board),
        ("slice", board + of.query),
        ("version", reverse("leaderboard-version", args=[corpus.slug])),
        ("home", reverse("home")),
        ("pages behind a row", reverse("leaderboard-pages", args=[corpus.slug, extractor.pk])),
        ("pages of a slice", reverse("leaderboard-pages", args=[corpus.slug, extractor.pk]) + of.query),
        ("agreement report", reverse("agreement", args=[corpus.slug])),
        ("corpus page", reverse("corpus", args=[corpus.slug])),
    ]


def _made(corpus: Corpus, filters: LeaderboardFilters) -> float:
    row, _is_asked = request_leaderboard(corpus=corpus, filters=filters)
    work.reopen(row)
    claimed = work.claim(StoredLeaderboard, row.pk)
    assert claimed
    began = time.monotonic()
    compute(claimed)
    return time.monotonic() - began


def _screen(name: str, client: Client, address: str) -> Measured:
    took = []
    client.get(address)
    for _ in range(TIMES):
        began = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, (name, answer.status_code)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    scans = sorted({table for query in captured.captured_queries for table in _scanned(query["sql"])})
    return Measured(name, median(took), float(np.quantile(took, 0.95)), len(captured), scans)


def _scanned(sql: str) -> list[str]:
    if not sql.lstrip().upper().startswith("SELECT"):
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"explain {sql.replace('%', '%%')}" if "%" in sql else f"explain {sql}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    return LARGE.findall(plan)


def growth(corpus: Corpus) -> tuple[float, int, int]:
    """Milliseconds, rows of totals and queries for one more gold page, the medians of many."""
    took, rows, queries = [], [], []
    waiting = Gold.objects.filter(page__corpus=corpus, current=None, number=1).order_by("pk")[:ADDED]
    for gold in list(waiting):
        Gold.objects.filter(pk=gold.pk).update(current=True)
        with CaptureQueriesContext(connection) as captured:
            began = time.perf_counter()
            count_some(corpus)
            took.append((time.perf_counter() - began) * 1000)
        queries.append(len(captured))
        rows.append(_touched(corpus))
    return median(took), int(median(rows)), int(median(queries))


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
        for table in TABLES:
            cursor.execute("select pg_total_relation_size(%s::regclass)", [f"annotator_{table}"])
            sizes.append(f"{table} {cursor.fetchone()[0] / 1e6:,.0f} MB")
    return ", ".join(sizes)


# ---- rows in bulk ----


def fill(pages: int) -> Corpus:
    """A corpus of so many gold pages, and some more whose gold is not current yet."""
    corpus = create_corpus(slug=f"scale-{pages}", name=f"Scale {pages}", languages=["en"])
    extractors = [
        Extractor.objects.get_or_create(name=f"scale{number}", version="1", family=f"f{number}")[0].pk
        for number in range(EXTRACTORS)
    ]
    values: dict[str, Any] = {
        "corpus": corpus.pk, "pages": pages, "all": pages + ADDED, "sites": SITES, "months": MONTHS,
        "extractors": extractors, "cells": len(CELLS), "parts": len(PARTS),
    }  # fmt: skip
    _switch_triggers("disable")
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (*STATEMENTS, *_totals()):
            cursor.execute(statement, values)
    _switch_triggers("enable")
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    return corpus


def _switch_triggers(how: str) -> None:
    with connection.cursor() as cursor:
        for table in ("page", "gold", "extraction", "score"):
            cursor.execute(f"alter table annotator_{table} {how} trigger user")


# Numbers of the new rows follow those that are there: keys are offsets from the highest.
STATEMENTS = (
    """
    create temporary table base on commit preserve rows as select
        (select coalesce(max(id), 0) from annotator_page) as page,
        (select coalesce(max(id), 0) from annotator_extraction) as extraction
    """,
    """
    insert into annotator_page (id, corpus_id, sha256, size, url, site, charset, added_at, title, language,
        refusal, requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error, document_id)
    select b.page + n, %(corpus)s, encode(sha256((%(corpus)s || ' ' || n)::bytea), 'hex'), 1, '',
        'site' || n %% %(sites)s || '.example', '', now(), 'Page ' || n,
        (array['en','es','de'])[n %% 3 + 1], '',
        now(), now(), now(), 0, 0, '', '', b.page + n
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_storeddocument (id, page_id, version, text, sha256, length, blocks, encoding,
        encoding_source, repairs, packed_sha256, view_sha256, quirks, made_at)
    select b.page + n, b.page + n, '1', 'x', '', 1, '[]', '', '', '[]', '', '', false, now()
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_gold (id, page_id, number, document_id, verdict, reason, spans,
        distinguishable_labels, source, exposed_families, current, finalised_at)
    select b.page + n, b.page + n, 1, b.page + n, 'article', '', '[]',
        '["body","comments","headline","related","supplemental"]', 'single', '[]',
        case when n <= %(pages)s then true end, now() - n * interval '1 minute'
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_extraction (id, document_id, extractor_id, spans, reasons, explanation_error,
        seconds, requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select b.extraction + (n - 1) * cardinality(e.ids) + k, b.page + n, e.ids[k], '[]', '[]', '', .01,
        now(), now(), now(), 0, 0, '', ''
    from base b, (select %(extractors)s::bigint[] as ids) e, generate_series(1, %(all)s) n,
        generate_series(1, cardinality(e.ids)) k
    """,
    """
    insert into annotator_score (id, gold_id, extraction_id, matrix, blind, tuned_on,
        requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select x.id, x.document_id, x.id,
        jsonb_build_object('body', jsonb_build_object('content', 900 + x.id %% 90, '', 1 + x.id %% 80),
            '', jsonb_build_object('content', x.id %% 70, '', 2000)),
        x.id %% 5 > 0, false, now(), now(), now(), 0, 0, '', ''
    from annotator_extraction x, base b where x.id > b.extraction
    """,
    """
    insert into annotator_countedpage (page, corpus, gold, finalised_at, since, draw, language, site, month,
        verdict, releases, labels, characters, placed)
    select g.page_id, %(corpus)s, g.id, g.finalised_at, g.finalised_at,
        ('x' || substr(p.sha256, 1, 10))::bit(40)::bigint, p.language, p.site,
        to_char(now() - (g.id %% %(months)s) * interval '1 month', 'YYYY-MM'), 'article', '{}',
        '{main,article,any,body,label:headline,label:supplemental,label:comments,label:related}', 0, 0
    from annotator_gold g join annotator_page p on p.id = g.page_id, base b
    where g.id > b.page and g.current
    """,
    """
    insert into annotator_countedscore
        (page, corpus, extractor_id, score, kind, failed, microseconds, amounts, f1)
    select s.gold_id, %(corpus)s, x.extractor_id, s.id, case when s.blind then 3 else 2 end, false, 10000,
        array_fill(null::int, array[0]) || (
            select array_agg(v order by c, i) from generate_series(1, %(cells)s + 4) c,
            lateral (values (1, 900), (2, 950), (3, 1000),
                (4, 900000000 + (s.id * c * 7919) %% 99999999),
                (5, 880000000 + (s.id * c * 104729) %% 99999999)
            ) as part (i, v)),
        (select array_agg(((s.id * c * 7919) %% 10001)::smallint order by c)
            from generate_series(1, %(cells)s) c)
    from annotator_score s join annotator_extraction x on x.id = s.extraction_id, base b
    where x.id > b.extraction and s.gold_id <= b.page + %(pages)s
    """,
    "drop table base",
    *(
        f"select setval(pg_get_serial_sequence('annotator_{table}', 'id'), max(id)) from annotator_{table}"  # noqa: S608
        for table in ("page", "storeddocument", "gold", "extraction", "score")
    ),
)


def _totals() -> list[str]:
    """One row for each cell, extractor, slice and kind of page."""
    slices = """
        select '' as dimension, '' as value, %(pages)s as n
        union all select 'language', v, %(pages)s / 3 from unnest(array['en','es','de']) v
        union all select 'site', 'site' || v || '.example', %(pages)s / %(sites)s
            from generate_series(0, %(sites)s - 1) v
        union all select 'month', to_char(now() - v * interval '1 month', 'YYYY-MM'), %(pages)s / %(months)s
            from generate_series(0, %(months)s - 1) v
        union all select 'verdict', 'article', %(pages)s
        union all select 'guideline', '', %(pages)s
        union all select 'day', to_char(now() - v * interval '1 day', 'YYYY-MM-DD'), 1440
            from generate_series(0, %(pages)s / 1440) v
    """
    cells = ", ".join(f"('{metric}', '{labels}')" for metric, labels in CELLS)
    sums = ("precision", "recall", "f1", "precision_precision", "recall_recall", "precision_recall", "f1_f1")
    columns = dict.fromkeys(COLUMNS, "0")
    columns |= dict.fromkeys((*sums, "precision_both", "recall_both"), "s.n::bigint * 900000000")
    columns |= dict.fromkeys(("pages", "timed", "with_precision", "with_recall", "with_both"), "s.n")
    columns |= dict.fromkeys(("true", "predicted", "gold", "microseconds", "draws"), "s.n::bigint * 900")
    names = ", ".join(f'"{name}"' for name in columns)
    return [
        f"""
        insert into annotator_scoretotal
            (corpus_id, metric, labels, dimension, value, extractor_id, kind, {names})
        select %(corpus)s, c.metric, c.labels, s.dimension, s.value, e, k, {", ".join(columns.values())}
        from ({slices}) s, (values {cells}) c (metric, labels), unnest(%(extractors)s::bigint[]) e,
            unnest(array[2, 3]) k
        where s.n > 0
        """,  # noqa: S608  names of ours
        f"""
        insert into annotator_goldtotal
            (corpus_id, dimension, value, labels, pages, scores, characters, placed)
        select %(corpus)s, s.dimension, s.value, l, s.n, s.n * {EXTRACTORS}, 0, 0
        from ({slices}) s, unnest(array['', 'main', 'article', 'any', 'body']) l where s.n > 0
        """,  # noqa: S608
    ]
