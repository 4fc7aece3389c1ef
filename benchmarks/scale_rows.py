"""The rows of a corpus of up to a million gold pages with 15 extractors, made in bulk by SQL.

All pages came with one import, and are in one release. Each has its main round. Every other page was
annotated by two people and compared; the others came with their gold, and nobody has taken their slots.
Totals have the keys and the number of rows that counting gives them, not the sums; the rows of scores, gold
and pages are those that screens and the writer read.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.utils import timezone

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import label_sets_of
from annotator.pages.imports.models import Import, SourceKind
from annotator.releases.models import Release
from annotator.runs.models import CorpusExtractor, Extractor
from annotator.scoring.measuring import MEASURED
from annotator.scoring.totals.figures import CELLS, COLUMNS, SHARES
from extraction.agreement.counts import count_page
from extraction.agreement.units import ContentUnits
from extraction.spans import LABEL_SETS, Span

EXTRACTORS, SITES, MONTHS = 15, 500, 24
# Pages more whose gold is not current yet.
WAITING = 50
# Different scores; each row takes one of them.
SCORES = 10_007
SINGLE = ("headline", "supplemental", "comments", "related")
FILLED = (
    "page", "storeddocument", "round", "slot", "annotation", "agreement", "gold", "extraction", "score",
    "measurement", "importrecord", "releasepage", "countedpage", "countedscore", "scoretotal", "goldtotal",
)  # fmt: skip


def filled(pages: int) -> Corpus:
    """The corpus of so many gold pages, and some more whose gold is not current yet; made unless it is there.

    Raises RuntimeError for one that was made in part.
    """
    slug = f"scale-{pages}"
    found = Corpus.objects.filter(slug=slug).first()
    if found is None:
        return _fill(slug, pages)
    if not CorpusExtractor.objects.filter(corpus=found).exists():
        raise RuntimeError(f"The corpus {slug} was made in part. Delete the folder that was kept.")
    return found


def _fill(slug: str, pages: int) -> Corpus:
    corpus = create_corpus(slug=slug, name=f"Scale {pages}", languages=["en"])
    extractors = [
        Extractor.objects.get_or_create(name=f"scale{number}", version="1", family=f"f{number}")[0].pk
        for number in range(EXTRACTORS)
    ]
    people = [User.objects.get_or_create(username=f"scale-{name}")[0].pk for name in ("ada", "ben")]
    now = timezone.now()
    imported = Import.objects.create(
        corpus=corpus, source_kind=SourceKind.UPLOAD, name="news.zip", total=pages, position=pages, new=pages,
        uploaded_at=now, previewed_at=now, confirmed_at=now, completed_at=now, finished_at=now,
    )  # fmt: skip
    release = Release.objects.create(
        corpus=corpus, number=1, pages=pages, done=pages, splits={"train": pages, "dev": 0, "test": 0},
        sha256="0" * 64, finished_at=now,
    )  # fmt: skip
    values = {
        "import": imported.pk, "release": release.pk,
        "corpus": corpus.pk, "pages": pages, "all": pages + WAITING, "sites": SITES, "months": MONTHS,
        "extractors": extractors, "cells": len(CELLS), "scores": SCORES, "people": people, "waiting": WAITING,
        "single": len(SINGLE), "confusion": json.dumps({"body": {"body": 900, "": 20}, "": {"body": 10}}),
        "labels": [*LABEL_SETS, *(f"label:{name}" for name in SINGLE)],
        **_comparison(corpus, people), "figures": json.dumps(_figures()),
    }  # fmt: skip
    with _without_constraints():
        for statement in (*STATEMENTS, *_totals()):
            _run(statement, values)
    for table in FILLED:
        _run(f"vacuum (analyze) annotator_{table}")
    CorpusExtractor.objects.bulk_create(CorpusExtractor(corpus=corpus, extractor_id=pk) for pk in extractors)
    return corpus


def _run(statement: str, values: dict[str, Any] | None = None) -> None:
    began = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    if (took := time.monotonic() - began) > 1:
        print(f"{took:7.1f} s  {' '.join(statement.split())[:90]}", file=sys.stderr)


def _comparison(corpus: Corpus, people: list[int]) -> dict[str, str]:
    """The counts and participants of a comparison, the same for every page."""
    text = "The council said that the bridge would open again. " * 20
    one, other = Span(0, len(text), "body"), Span(0, len(text) - 50, "body")
    keys = [str(person) for person in people]
    counts = count_page(
        dict(zip(keys, ([one], [other]), strict=True)),
        ContentUnits.of_text(text, [(0, len(text))]),
        verdicts=dict.fromkeys(keys, "article"),
        sets=label_sets_of(corpus),
    )
    participants: list[dict[str, Any]] = [
        {"annotator": person, "shown": None, "guideline": 1, "seconds": 60,
         "submitted": "2026-01-01T00:00:00+00:00", "overlaps": {}}
        for person in people
    ]  # fmt: skip
    return {"counts": json.dumps(counts.to_json()), "participants": json.dumps(participants)}


def _figures() -> dict[str, dict[str, list[float]]]:
    """What a score has by the metrics that its matrix does not hold."""
    amounts = {metric: [0.9, 1.0, 0.95] if metric in SHARES else [90.0, 100.0, 95.0] for metric in MEASURED}
    return {metric: dict.fromkeys(LABEL_SETS, amounts[metric]) for metric in MEASURED}


@contextmanager
def _without_constraints() -> Iterator[None]:
    """Leave out triggers, foreign keys and indexes that are no constraint, and make them again at the end.

    That takes less time than keeping them up to date row by row. Foreign keys are not checked once more.
    """
    tables = [f"annotator_{table}" for table in FILLED]
    with connection.cursor() as cursor:
        cursor.execute("set maintenance_work_mem = '1GB'; set work_mem = '256MB'")
        cursor.execute(
            "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint"
            " where contype = 'f' and conrelid = any(%s::regclass[])",
            [tables],
        )
        keys = [(table, name, definition.removesuffix(" NOT VALID")) for table, name, definition in cursor]
        cursor.execute(
            "select i.indexname, i.indexdef from pg_indexes i where i.tablename = any(%s) and not exists"
            " (select from pg_constraint c where c.conname = i.indexname)",
            [tables],
        )
        indexes = cursor.fetchall()
        for table in tables:
            cursor.execute(f"alter table {table} disable trigger user")
        for table, name, _definition in keys:
            cursor.execute(f'alter table {table} drop constraint "{name}"')
        for name, _definition in indexes:
            cursor.execute(f'drop index "{name}"')
    yield
    for _name, definition in indexes:
        _run(definition)
    for table, name, definition in keys:
        _run(f'alter table {table} add constraint "{name}" {definition} not valid')
    for table in tables:
        _run(f"alter table {table} enable trigger user")


# Numbers of the new rows follow those that are there: keys are offsets from the highest.
_KEYED = (
    "page", "storeddocument", "round", "slot", "annotation", "agreement", "gold", "extraction", "score",
)  # fmt: skip
STATEMENTS = (
    f"""
    create temporary table base as select {
        ", ".join(f"(select coalesce(max(id), 0) from annotator_{table}) as {table}" for table in _KEYED)
    }
    """,  # noqa: S608  names of ours
    """
    create temporary table made as select n as score,
        jsonb_build_object('body', jsonb_build_object('content', 900 + n %% 90, '', 1 + n %% 80),
            '', jsonb_build_object('content', n %% 70, '', 2000)) as matrix,
        (select array_agg(v order by c, i) from generate_series(1, %(cells)s + %(single)s) c,
            lateral (values (1, 900), (2, 950), (3, 1000),
                (4, 900000000 + (n * c * 7919::bigint) %% 99999999),
                (5, 880000000 + (n * c * 104729::bigint) %% 99999999)
            ) as part (i, v))::int[] as amounts,
        (select array_agg(((n * c * 7919::bigint) %% 10001)::smallint order by c)
            from generate_series(1, %(cells)s) c) as f1
    from generate_series(0, %(scores)s - 1) n
    """,
    "analyze made",
    """
    insert into annotator_page (id, corpus_id, sha256, size, url, site, charset, added_at, title, language,
        refusal, capture, note, requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error,
        document_id)
    select b.page + n, %(corpus)s, encode(sha256((%(corpus)s || ' ' || n)::bytea), 'hex'), 1,
        'https://site' || n %% %(sites)s || '.example/news/' || n, 'site' || n %% %(sites)s || '.example', '',
        now(), 'Page ' || n, (array['en','es','de'])[n %% 3 + 1], '', 'sent', '',
        now(), now(), now(), 0, 0, '', '', b.storeddocument + n
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_storeddocument (id, page_id, version, text, sha256, length, blocks, encoding,
        encoding_source, repairs, packed_sha256, view_sha256, quirks, made_at)
    select b.storeddocument + n, b.page + n, '1', 'x', '', 1, '[]', '', '', '[]', '', '', false, now()
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_round (id, page_id, purpose, number, blind, draw, opened_at, edition, finalised_at,
        final_after)
    select b.round + n, b.page + n, 'main', 1, true, n, now(), 1, case when n %% 2 = 0 then now() end, '0'
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_slot (id, round_id, corpus_id, number, begun_at, queue_key, annotator_id,
        claimed_at, lease_until, submitted_at)
    select b.slot + 2 * n + k, b.round + n, %(corpus)s, k, case when is_done then at end,
        lpad(n::text, 40, '0'), case when is_done then (%(people)s::bigint[])[k] end,
        case when is_done then at end, case when is_done then at end, case when is_done then at end
    from generate_series(1, %(all)s) n, generate_series(1, 2) k, base b,
        lateral (select n %% 2 = 0 as is_done, now() - n * interval '1 minute' as at) s
    """,
    """
    insert into annotator_annotation (id, slot_id, annotator_id, document_id, guideline_version, opened_at,
        revision, active_seconds, submitted_at)
    select b.annotation + n + k, b.slot + 2 * n + k, (%(people)s::bigint[])[k], b.storeddocument + n, 1,
        now() - n * interval '1 minute', 1, 60, now() - n * interval '1 minute'
    from generate_series(2, %(all)s, 2) n, generate_series(1, 2) k, base b
    """,
    """
    insert into annotator_agreement (id, round_id, edition, document_id, verdict, reason, agreed, disputes,
        disputed_characters, marked_characters, confusion, kappa, f1, same_verdict, counts, participants,
        requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select b.agreement + n / 2, b.round + n, 1, b.storeddocument + n, 'article', '', '[]', '[]', 0, 900,
        %(confusion)s::jsonb, .9, .9 + (n %% 1000) / 10000.0, true, %(counts)s::jsonb,
        %(participants)s::jsonb, now(), now(), now() - n * interval '1 minute', 0, 0, '', ''
    from generate_series(2, %(all)s, 2) n, base b
    """,
    """
    insert into annotator_gold (id, page_id, number, document_id, verdict, reason, spans,
        distinguishable_labels, source, exposed_families, current, finalised_at)
    select b.gold + n, b.page + n, 1, b.storeddocument + n, 'article', '', '[]',
        '["body","comments","headline","related","supplemental"]',
        case when n %% 2 = 0 then 'unanimous' else 'imported' end, '[]',
        case when n <= %(pages)s then true end, now() - n * interval '1 minute'
    from generate_series(1, %(all)s) n, base b
    """,
    """
    insert into annotator_extraction (id, document_id, extractor_id, spans, reasons, explanation_error,
        seconds, requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select b.extraction + (n - 1) * cardinality(e.ids) + k, b.storeddocument + n, e.ids[k], '[]', '[]', '',
        .01, now(), now(), now(), 0, 0, '', ''
    from base b, (select %(extractors)s::bigint[] as ids) e, generate_series(1, %(all)s) n,
        generate_series(1, cardinality(e.ids)) k
    """,
    """
    insert into annotator_score (id, gold_id, extraction_id, matrix, blind,
        requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select b.score + s.n, b.gold + (s.n - 1) / s.extractors + 1, b.extraction + s.n, made.matrix,
        s.n %% 5 > 0, now(), now(), now(), 0, 0, '', ''
    from base b, (select n, cardinality(%(extractors)s::bigint[]) as extractors
        from generate_series(1, %(all)s::bigint * cardinality(%(extractors)s::bigint[])) n) s
    join made on made.score = s.n %% %(scores)s
    """,
    """
    insert into annotator_measurement (score_id, figures,
        requested_at, enqueued_at, finished_at, attempts, faults, last_fault, error)
    select s.id, %(figures)s::jsonb, now(), now(), now(), 0, 0, '', ''
    from base b join annotator_score s on s.gold_id > b.gold + %(pages)s
    """,
    """
    insert into annotator_importrecord (run_id, position, location, outcome, page_id, gold, cause, reason)
    select %(import)s, n, 'news/' || n || '.html', 'added', b.page + n, n %% 2 = 1, '', ''
    from generate_series(1, %(pages)s) n, base b
    """,
    """
    insert into annotator_releasepage (release_id, gold_id, sha256, gold_sha256, split, "group", metadata)
    select %(release)s, b.gold + n, p.sha256, p.sha256, 'train', p.sha256,
        jsonb_build_object('url', p.url, 'site', p.site, 'language', p.language)
    from generate_series(1, %(pages)s) n, base b, annotator_page p where p.id = b.page + n
    """,
    """
    insert into annotator_countedpage (page, corpus, gold, finalised_at, since, draw, language, site, month,
        capture, verdict, guideline, releases, labels, characters, placed)
    select b.page + n, %(corpus)s, b.gold + n, now() - n * interval '1 minute',
        now() - n * interval '1 minute',
        ('x' || substr(encode(sha256((%(corpus)s || ' ' || n)::bytea), 'hex'), 1, 10))::bit(40)::bigint,
        (array['en','es','de'])[n %% 3 + 1], 'site' || n %% %(sites)s || '.example',
        to_char(now() - (n %% %(months)s) * interval '1 month', 'YYYY-MM'), 'sent', 'article',
        case when n %% 2 = 0 then 1 end, '{1}', %(labels)s, 0, 0
    from generate_series(1, %(pages)s) n, base b
    """,
    """
    insert into annotator_countedscore
        (page, corpus, extractor_id, score, kind, failed, microseconds, amounts, f1)
    select b.page + (s.n - 1) / s.extractors + 1, %(corpus)s,
        (%(extractors)s::bigint[])[(s.n - 1) %% s.extractors + 1], b.score + s.n,
        case when s.n %% 5 > 0 then 3 else 2 end, false, 10000, made.amounts, made.f1
    from base b, (select n, cardinality(%(extractors)s::bigint[]) as extractors
        from generate_series(1, %(pages)s::bigint * cardinality(%(extractors)s::bigint[])) n) s
    join made on made.score = s.n %% %(scores)s
    """,
    """
    insert into annotator_countedscore
        (page, corpus, extractor_id, score, kind, failed, microseconds, amounts, f1)
    select b.page + n, %(corpus)s, null, null, 7, false, null, made.amounts, made.f1
    from base b, generate_series(2, %(pages)s, 2) n join made on made.score = n %% %(scores)s
    """,
    "drop table base, made",
    *(
        f"select setval(pg_get_serial_sequence('annotator_{table}', 'id'), max(id)) from annotator_{table}"  # noqa: S608
        for table in _KEYED
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
        union all select 'capture', 'sent', %(pages)s
        union all select 'release', '1', %(pages)s
        union all select 'guideline', v, %(pages)s / 2 from unnest(array['', '1']) v
        union all select 'day', to_char(now() - v * interval '1 day', 'YYYY-MM-DD'), 1440
            from generate_series(0, %(pages)s / 1440) v
    """
    singles = [("character", f"label:{name}") for name in SINGLE]
    cells = ", ".join(f"('{metric}', '{labels}')" for metric, labels in (*CELLS, *singles))
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
        select %(corpus)s, c.metric, c.labels, s.dimension, s.value, e.id, e.kind,
            {", ".join(columns.values())}
        from ({slices}) s, (values {cells}) c (metric, labels), (
            select id, kind from unnest(%(extractors)s::bigint[]) id, unnest(array[2, 3]) kind
            union all select null, 7
        ) e (id, kind)
        where s.n > 0
        """,  # noqa: S608  names of ours
        f"""
        insert into annotator_goldtotal
            (corpus_id, dimension, value, labels, pages, scores, characters, placed)
        select %(corpus)s, s.dimension, s.value, l, s.n, s.n::bigint * {EXTRACTORS}, 0, 0
        from ({slices}) s, unnest(%(labels)s || array['']) l where s.n > 0
        """,  # noqa: S608  names of ours
    ]
