"""Extractors against the gold of a corpus, page by page, in as many processes as asked for.

A page that cannot be parsed and an extractor that crashes are results: they count as empty extractions, with
precision 0 and recall 0. Gold that cannot tell the labels asked for is left out, and counted.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from typing import Any, NamedTuple

from extraction.document import Document
from extraction.errors import ParseError
from extraction.extractors import Extraction, get
from extraction.formats import BadRecord, Gold, GoldError, Record, place
from extraction.metrics import PageScore, Summary, char_lcs, character, shingle, summarise
from extraction.sandbox import Parser
from extraction.spans import Span, text_of

#: Pages that wait for a process, for each process: enough to keep it busy, few enough to fit in memory.
WAITING = 4


class Contender(NamedTuple):
    """An extractor with all its parameters."""

    name: str
    parameters: dict[str, Any]


class Task(NamedTuple):
    """What is asked of every page."""

    contenders: Sequence[Contender]
    metric: str
    labels: frozenset[str]


class Result(NamedTuple):
    """What one contender did on one page; `error` is why it failed."""

    score: PageScore
    seconds: float
    error: str | None = None


class PageResult(NamedTuple):
    """The results of all contenders on one page, in their order; none with the reason why it was left out."""

    place: str
    results: list[Result]
    left_out: str | None = None


@dataclass(slots=True)
class Row:
    """One contender over all pages."""

    contender: Contender
    results: list[Result] = field(default_factory=list)

    @property
    def summary(self) -> Summary:
        """Its figures."""
        return summarise([result.score for result in self.results])

    @property
    def seconds(self) -> float:
        """What it took on all pages together, in CPU seconds, parsing aside."""
        return sum(result.seconds for result in self.results)

    def to_json(self) -> dict[str, Any]:
        """The row as it is printed as JSON."""
        identity = {
            "extractor": self.contender.name,
            "version": get(self.contender.name).version,
            "parameters": self.contender.parameters,
        }
        return identity | self.summary.figures() | {"seconds": self.seconds}


def evaluate(
    records: Iterable[Record | BadRecord],
    task: Task,
    *,
    jobs: int = 1,
    on_page: Callable[[PageResult], None] | None = None,
) -> list[Row]:
    """One row for each contender, in their order; `on_page` hears of each page, the left out ones too."""
    rows = [Row(contender) for contender in task.contenders]
    for page in _results(records, task, jobs):
        if on_page:
            on_page(page)
        for row, result in zip(rows, page.results, strict=False):
            row.results.append(result)
    return rows


def _results(records: Iterable[Record | BadRecord], task: Task, jobs: int) -> Iterator[PageResult]:
    if jobs == 1:
        with Parser() as parser:
            yield from (judge(record, task, parser) for record in records)
        return
    # Not Pool.imap: it would read the whole corpus ahead.
    with get_context("spawn").Pool(jobs, initializer=_start_process) as pool:
        waiting: deque[AsyncResult[PageResult]] = deque()
        for record in records:
            waiting.append(pool.apply_async(_judge_in_process, (record, task)))
            if len(waiting) >= jobs * WAITING:
                yield waiting.popleft().get()
        while waiting:
            yield waiting.popleft().get()


_process = ExitStack()
_parsers: list[Parser] = []


def _start_process() -> None:
    _parsers.append(_process.enter_context(Parser()))


def _judge_in_process(record: Record | BadRecord, task: Task) -> PageResult:
    return judge(record, task, _parsers[0])


def judge(record: Record | BadRecord, task: Task, parser: Parser) -> PageResult:
    """Parse one page, run every contender on it and score them."""
    if isinstance(record, BadRecord):
        return PageResult(record.place, [], record.reason)
    if record.gold is None:
        return PageResult(record.place, [], "has no gold")
    if not record.gold.can_tell(task.labels):
        return PageResult(record.place, [], "its gold cannot tell these labels apart")
    try:
        document = parser.parse(record.raw, record.charset).document
        truth = _Truth.of(record.gold, document, task.labels)
    except ParseError as error:
        return PageResult(record.place, _all_failed(record.gold, task, str(error)))
    except GoldError as error:
        return PageResult(record.place, [], str(error))
    return PageResult(record.place, [_run(contender, document, truth, task) for contender in task.contenders])


class _Truth(NamedTuple):
    """Gold in the shapes that metrics want."""

    spans: list[Span]
    text: str
    unplaced: int

    @classmethod
    def of(cls, gold: Gold, document: Document, labels: Collection[str]) -> "_Truth":
        spans, unplaced, _ = place(gold, document)
        own_spans = gold.spans is not None and gold.parser == document.version
        text = gold.text if gold.text is not None and not own_spans else text_of(document, spans, labels)
        return cls(spans, text, unplaced)


class _Said(NamedTuple):
    """What an extractor said of a page, in the shapes that metrics want; `page` is the canonical text."""

    spans: list[Span]
    page: str
    text: str
    failed: bool


def _all_failed(gold: Gold, task: Task, error: str) -> list[Result]:
    """Without a document all of the gold is unplaced, and nobody said anything."""
    text = gold.text or ""
    truth = _Truth([], text, sum(not char.isspace() for char in text))
    score = METRICS[task.metric](truth, _Said([], "", "", failed=True), task.labels)
    return [Result(score, 0.0, error) for _ in task.contenders]


def _run(contender: Contender, document: Document, truth: _Truth, task: Task) -> Result:
    error = None
    try:
        extraction = get(contender.name).run(document, **contender.parameters)
    except Exception as crash:  # noqa: BLE001 - whatever it is, a crash is a score, and the run goes on
        error = f"{type(crash).__name__}: {crash}"
        extraction = Extraction([], None, 0.0)
    spans, printed, seconds = extraction
    text = text_of(document, spans, task.labels) if printed is None else printed
    said = _Said(spans, document.text, text, failed=error is not None)
    return Result(METRICS[task.metric](truth, said, task.labels), seconds, error)


Metric = Callable[[_Truth, _Said, frozenset[str]], PageScore]


def _character(truth: _Truth, said: _Said, labels: frozenset[str]) -> PageScore:
    cells = character.matrix(truth.spans, said.spans, said.page)
    return character.from_matrix(cells, labels, gold_unplaced=truth.unplaced, failed=said.failed)


def _char_lcs(truth: _Truth, said: _Said, labels: frozenset[str]) -> PageScore:
    return char_lcs.compare(truth.text, said.text, failed=said.failed)


def _shingle(truth: _Truth, said: _Said, labels: frozenset[str]) -> PageScore:
    return shingle.compare(truth.text, said.text, failed=said.failed)


METRICS: dict[str, Metric] = {"character": _character, "char-lcs": _char_lcs, "shingle": _shingle}
