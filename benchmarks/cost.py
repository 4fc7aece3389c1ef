"""What a page costs all the way: imported with gold, parsed, run through six extractors, scored by seven
metrics.

CPU seconds of every process of `make run` with all that it starts, once the first pages have warmed them up.
What the processes do whether there is work or not is measured before, and taken off: otherwise a machine that
others keep busy for long would show more.

Twice: with the gold of the published corpus, which is the body alone, and with gold that tells all labels
apart, so that every metric is computed under every label set, which costs most.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.core.management import call_command

from annotator.common.work import work_models
from annotator.corpora.models import Corpus
from annotator.home.actions import create_corpus
from annotator.runs.actions import DEFAULT_EXTRACTORS
from annotator.runs.models import Extraction
from annotator.scoring.measuring import MEASURED, STORED, MeasuredText, measure
from annotator.scoring.models import Measurement, PageToCount, Score
from benchmarks.load_server import cpu_seconds, serving
from benchmarks.results import yes_no
from benchmarks.stopwatch import Stopwatch
from extraction.documents.document import Document
from extraction.extractors import get
from extraction.formats import WRITERS, GoldRecord, PageRecord, place
from extraction.metrics.character_labels import confusion
from extraction.parsing.parse import parse
from extraction.spans import LABELS, Span, clip, subtract
from tests.corpora import records

LIMIT = 0.25
OTHERS = set(LABELS) - {"body"}
# This process, which reads the file, is the annotators of other benchmarks.
ROLES = {"annotators": "import", "workers": "workers", "databases": "databases", "web server": "web server"}
# Seconds between two looks whether all is done: each costs some queries.
LOOK = 5
# Pages that are imported before, and seconds for which the processes are then watched doing nothing.
WARM_UP, IDLE = 16, 40

CpuSeconds = dict[str, float]


def run(limit: int | None = None) -> str:
    """Import the pages beside running workers until nothing is left to do, and add up what that took."""
    published = [record for record in records(limit) if record.gold]
    labelled = list(map(_labelled, published))
    with serving() as (_port, roles):
        _process("warm-up", labelled[:WARM_UP])
        with _measuring(roles) as idle:
            time.sleep(IDLE)
        idle["annotators"] = 0.0  # this process sleeps, and looks whether all is done
        golds = {"published": published[WARM_UP:], "labelled": labelled[WARM_UP:]}
        costs = [_cost(roles, idle, slug, some) for slug, some in golds.items()]
    failed = sum(map(_failed, golds))
    return "\n".join([*_table(costs, idle, len(published) - WARM_UP, failed), "", *_steps(golds["labelled"])])


def _cost(roles: Mapping[int, str], idle: CpuSeconds, slug: str, some: list[PageRecord]) -> CpuSeconds:
    """CPU seconds a page, by role."""
    # Other bytes than those of the other corpus, so that none of its files is in the file store.
    own = [replace(record, raw=record.raw + f"<!-- {slug} -->".encode()) for record in some]
    began = time.monotonic()
    with _measuring(roles) as spent:
        _process(slug, own)
    intervals = (time.monotonic() - began) / IDLE
    return {role: (spent[role] - idle[role] * intervals) / len(some) for role in ROLES}


def _process(slug: str, some: list[PageRecord]) -> None:
    """Import pages into a corpus of their own, and wait until there is nothing left to do."""
    corpus = create_corpus(slug=f"bench-cost-{slug}", name=slug)
    cells = len(DEFAULT_EXTRACTORS) * len(some)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.jsonl"
        with path.open("wb") as file:
            WRITERS["jsonl"].write(sorted(some, key=lambda record: record.sha256), file)
        call_command("import_pages", corpus.slug, "jsonl", str(path), with_gold=True)
    while not _is_done(corpus, cells):
        time.sleep(LOOK)


@contextmanager
def _measuring(roles: Mapping[int, str]) -> Iterator[CpuSeconds]:
    """What the processes use meanwhile, by role; known at the end."""
    before = cpu_seconds(roles)
    found: CpuSeconds = {}
    yield found
    now = cpu_seconds(roles)
    found |= {role: now[role] - before[role] for role in ROLES}


def _is_done(corpus: Corpus, cells: int) -> bool:
    return (
        Extraction.objects.filter(document__page__corpus=corpus).count() == cells
        and Score.objects.of_corpus(corpus).filter(finished_at__isnull=False).count() == cells
        and Measurement.objects.of_corpus(corpus).count() == cells
        and not PageToCount.objects.filter(corpus=corpus.pk).exists()
        and not any(model.objects.of_corpus(corpus).open().exists() for model in work_models())
    )


def _failed(slug: str) -> int:
    corpus = Corpus.objects.get(slug=f"bench-cost-{slug}")
    return sum(model.objects.of_corpus(corpus).failed().count() for model in work_models())


def _table(costs: Sequence[CpuSeconds], idle: CpuSeconds, pages: int, failed: int) -> Iterator[str]:
    yield "## Cost of a page"
    yield ""
    yield (
        f"{pages} pages, {len(DEFAULT_EXTRACTORS)} extractors, {len(MEASURED) + 1} metrics, in the processes "
        f"of `make run`, after {WARM_UP} others; load {os.getloadavg()[0]:.0f} at the end, {failed} failed. "
        f"What the processes use while there is nothing to do, measured for {IDLE} s before, is taken off."
    )
    yield ""
    yield (
        "| CPU seconds a page | gold as published: the body alone | gold that tells all labels apart "
        "| with nothing to do, CPU ms a second |"
    )
    yield "| --- | ---: | ---: | ---: |"
    for role, name in ROLES.items():
        cells = [f"{cost[role]:.3f}" for cost in costs]
        yield f"| {' | '.join([name, *cells])} | {1000 * idle[role] / IDLE:.0f} |"
    whole = [f"{sum(cost.values()):.3f}" for cost in costs]
    yield f"| {' | '.join([f'together, at most {LIMIT}', *whole])} | {1000 * sum(idle.values()) / IDLE:.0f} |"
    yield f"| {' | '.join(['met', *(yes_no(sum(cost.values()) <= LIMIT) for cost in costs)])} | |"


# ---- where it goes ----


def _labelled(record: PageRecord) -> PageRecord:
    """The page with gold that tells all labels apart: its own text as body, the rest as goldpan has it."""
    document = parse(record.raw)
    placed = place(record.gold, document).spans if record.gold else []
    body = [Span(start, end, "body") for start, end, _label in placed]
    others = [span for span in get("goldpan").run(document).spans if span.label in OTHERS]
    spans = clip([*body, *subtract(others, body)], document.blocks, document.text)
    return replace(record, gold=GoldRecord(spans=tuple(spans), parser=document.version))


def _steps(chosen: list[PageRecord]) -> Iterator[str]:
    """The work itself, in this process, without databases and messages."""
    watch = Stopwatch()
    for number, record in enumerate(chosen):
        document = watch.time("parse", number, partial(parse, record.raw))
        assert record.gold
        assert record.gold.spans is not None
        _score_all(watch, number, document, list(record.gold.spans))
    yield "| step, in one process | CPU ms a page |"
    yield "| --- | ---: |"
    for step in ("parse", "extractors", STORED, "metrics"):
        yield f"| {step} | {1000 * watch.seconds(step) / len(chosen):.1f} |"


def _score_all(watch: Stopwatch, number: int, document: Document, gold: list[Span]) -> None:
    extractors = [get(name) for name in DEFAULT_EXTRACTORS]
    outputs = watch.time("extractors", number, lambda: [each.run(document).spans for each in extractors])
    source = MeasuredText(document.text, tuple(document.blocks))
    watch.time(STORED, number, lambda: [confusion(gold, spans, document.text) for spans in outputs])
    score = partial(measure, source, gold, distinguishable_labels=LABELS, failed=False)
    watch.time("metrics", number, lambda: [score(spans) for spans in outputs])
