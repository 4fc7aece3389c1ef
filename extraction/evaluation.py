"""Extractors against the gold of a corpus, page by page, in as many processes as asked for.

A page that cannot be parsed and an extractor that crashes are results: they count as empty extractions, with
precision 0 and recall 0. Gold that cannot tell the labels asked for is left out, and counted.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from typing import Any, NamedTuple

from extraction.document import Document
from extraction.errors import ParseError
from extraction.extractors import Extraction, get
from extraction.formats import BadRecord, Gold, GoldError, Record
from extraction.measures import METRICS, Said, Truth
from extraction.metrics import PageScore, Summary, summarise
from extraction.sandbox import Parser
from extraction.spans import text_of

__all__ = ["METRICS", "Contender", "Outcome", "PageResult", "Result", "Row", "Task", "evaluate", "judge"]

#: Pages that wait for a process, for each process: enough to keep it busy, few enough to fit in memory.
WAITING = 4
#: The verdicts of gold under which its marks mean something.
SCORED_VERDICTS = frozenset({"article", "several"})


class Contender(NamedTuple):
    """An extractor with all its parameters."""

    name: str
    parameters: dict[str, Any]


class Task(NamedTuple):
    """What is asked of every page; each contender runs once on it, however many metrics there are."""

    contenders: Sequence[Contender]
    metrics: Sequence[str]
    labels: frozenset[str]


class Result(NamedTuple):
    """What one contender did on one page: a score for each metric, CPU seconds, and why it failed if so."""

    scores: dict[str, PageScore]
    seconds: float
    error: str | None = None


class PageResult(NamedTuple):
    """The results of all contenders on one page, in their order; none with the reason why it was left out."""

    place: str
    results: list[Result]
    left_out: str | None = None


class Outcome(NamedTuple):
    """One page of a row; `place` is that of its record."""

    place: str
    score: PageScore
    seconds: float
    error: str | None


@dataclass(frozen=True)
class Row:
    """One contender over all pages, by one metric; rows of one evaluation have the same pages in order."""

    contender: Contender
    metric: str
    results: Sequence[Outcome]

    @property
    def scores(self) -> list[PageScore]:
        """The pages' scores."""
        return [result.score for result in self.results]

    @cached_property
    def summary(self) -> Summary:
        """Its figures."""
        return summarise(self.scores, by_page=METRICS[self.metric].by_page)

    @property
    def seconds(self) -> float:
        """What it took on all pages together, in CPU seconds, parsing aside."""
        return sum(result.seconds for result in self.results)

    @property
    def errors(self) -> dict[str, int]:
        """Why it failed, and on how many pages, the most frequent reason first."""
        return dict(Counter(result.error for result in self.results if result.error).most_common())

    def where(self, keep: Callable[[str], bool]) -> "Row":
        """The row of those pages only whose place is kept: halves of a corpus, say."""
        return Row(self.contender, self.metric, [r for r in self.results if keep(r.place)])

    def to_json(self) -> dict[str, Any]:
        """The row as it is printed as JSON."""
        identity = {
            "extractor": self.contender.name,
            "version": get(self.contender.name).version,
            "parameters": self.contender.parameters,
        }
        cost = {"seconds": self.seconds, "errors": self.errors}
        return identity | self.summary.figures() | cost | self.summary.more_figures()


def evaluate(
    records: Iterable[Record | BadRecord],
    task: Task,
    *,
    jobs: int = 1,
    on_page: Callable[[PageResult], None] | None = None,
) -> dict[str, list[Row]]:
    """For each metric one row for each contender, in their order.

    `on_page` hears of each page, the left out ones too.
    """
    pages: list[PageResult] = []
    for page in _results(records, task, jobs):
        if on_page:
            on_page(page)
        if page.results:
            pages.append(page)
    return {
        metric: [
            Row(contender, metric, [_outcome(page, place, metric) for page in pages])
            for place, contender in enumerate(task.contenders)
        ]
        for metric in task.metrics
    }


def _outcome(page: PageResult, contender: int, metric: str) -> Outcome:
    result = page.results[contender]
    return Outcome(page.place, result.scores[metric], result.seconds, result.error)


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
    if unscored := _unscored(record.gold, task):
        return PageResult(record.place, [], unscored)
    try:
        document = parser.parse(record.raw, record.charset).document
        truth = Truth.of(record.gold, document, task.labels)
    except ParseError as error:
        return PageResult(record.place, _all_failed(record.gold, task, str(error)))
    except GoldError as error:
        return PageResult(record.place, [], str(error))
    return PageResult(record.place, [_run(contender, document, truth, task) for contender in task.contenders])


def _unscored(gold: Gold, task: Task) -> str | None:
    """Why a page with gold is not scored; an article is what extractors are for."""
    if gold.verdict not in SCORED_VERDICTS:
        return f"its verdict is {gold.verdict}"
    return None if gold.can_tell(task.labels) else "its gold cannot tell these labels apart"


def _all_failed(gold: Gold, task: Task, error: str) -> list[Result]:
    """Without a document nobody said anything."""
    scores = _scores(Truth.without_document(gold), Said([], "", None, failed=True), task)
    return [Result(scores, 0.0, error) for _ in task.contenders]


def _run(contender: Contender, document: Document, truth: Truth, task: Task) -> Result:
    error = None
    try:
        extraction = get(contender.name).run(document, **contender.parameters)
    except Exception as crash:  # noqa: BLE001 - whatever it is, a crash is a score, and the run goes on
        error = f"{type(crash).__name__}: {crash}"
        extraction = Extraction([], None, 0.0)
    spans, printed, seconds = extraction
    text = text_of(document, spans, task.labels) if printed is None else printed
    said = Said(spans, text, document, failed=error is not None)
    return Result(_scores(truth, said, task), seconds, error)


def _scores(truth: Truth, said: Said, task: Task) -> dict[str, PageScore]:
    return {name: METRICS[name].score(truth, said, task.labels) for name in task.metrics}
