"""Extractors against the gold of a corpus, page by page, in as many processes as requested.

A page that cannot be parsed and an extractor that crashes are results: they count as empty extractions, with
precision 0 and recall 0. Gold that cannot tell the requested labels apart is left out, and counted.
"""

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from typing import Any, NamedTuple

from extraction.documents.document import Document
from extraction.evaluation.page_metrics import METRICS, Prediction, Reference
from extraction.extractors import Output
from extraction.extractors.learned.trained import find
from extraction.formats import BadRecord, GoldError, GoldRecord, PageRecord
from extraction.metrics import PageScore, Summary, summarise
from extraction.parsing.errors import ParseError
from extraction.sandbox import Parser
from extraction.spans import text_of

#: Pages that wait for a process, for each process: enough to keep it busy, few enough to fit in memory.
WAITING = 4
#: The verdicts of gold under which its marks mean something.
SCORED_VERDICTS = frozenset({"article", "several"})


class Candidate(NamedTuple):
    """An extractor with all its parameters."""

    name: str
    parameters: dict[str, Any]


class Task(NamedTuple):
    """What is done with every page; each candidate runs once on it, however many metrics there are."""

    candidates: Sequence[Candidate]
    metrics: Sequence[str]
    labels: frozenset[str]


class Result(NamedTuple):
    """What one candidate did on one page: a score for each metric, CPU seconds, and why it failed if so."""

    scores: dict[str, PageScore]
    seconds: float
    error: str | None = None


class PageResult(NamedTuple):
    """The results of all candidates on one page, in their order; none with the reason why it was left out."""

    location: str
    results: list[Result]
    left_out: str | None = None


class PageOutcome(NamedTuple):
    """One page of a row; `location` is that of its record."""

    location: str
    score: PageScore
    seconds: float
    error: str | None


@dataclass(frozen=True)
class EvaluationRow:
    """One candidate over all pages, by one metric; rows of one evaluation have the same pages in order."""

    candidate: Candidate
    metric: str
    results: Sequence[PageOutcome]

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

    def where(self, keep: Callable[[str], bool]) -> "EvaluationRow":
        """The row of those pages only whose location is kept: halves of a corpus, say."""
        return EvaluationRow(self.candidate, self.metric, [r for r in self.results if keep(r.location)])

    def to_json(self) -> dict[str, Any]:
        """The row as it is printed as JSON."""
        identity = {
            "extractor": self.candidate.name,
            "version": find(self.candidate.name).version,
            "parameters": self.candidate.parameters,
        }
        cost = {"seconds": self.seconds, "errors": self.errors}
        return identity | self.summary.figures() | cost | self.summary.more_figures()


def evaluate(
    records: Iterable[PageRecord | BadRecord],
    task: Task,
    *,
    jobs: int = 1,
    on_page: Callable[[PageResult], object] | None = None,
) -> dict[str, list[EvaluationRow]]:
    """For each metric one row for each candidate, in their order.

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
            EvaluationRow(candidate, metric, [_outcome(page, index, metric) for page in pages])
            for index, candidate in enumerate(task.candidates)
        ]
        for metric in task.metrics
    }


def _outcome(page: PageResult, candidate: int, metric: str) -> PageOutcome:
    result = page.results[candidate]
    return PageOutcome(page.location, result.scores[metric], result.seconds, result.error)


def _results(records: Iterable[PageRecord | BadRecord], task: Task, jobs: int) -> Iterator[PageResult]:
    if jobs == 1:
        with Parser() as parser:
            yield from (judge(record, task, parser) for record in records)
        return
    # Not Pool.imap: it would read the whole corpus ahead.
    # Ctrl-C at a terminal is for all: ours ends them.
    pass_over = (signal.SIGINT, signal.SIG_IGN)
    with get_context("spawn").Pool(jobs, initializer=signal.signal, initargs=pass_over) as pool:
        waiting: deque[AsyncResult[PageResult]] = deque()
        for record in records:
            waiting.append(pool.apply_async(_judge_in_process, (record, task)))
            if len(waiting) >= jobs * WAITING:
                yield waiting.popleft().get()
        while waiting:
            yield waiting.popleft().get()


@cache
def _parser() -> Parser:
    """That of this process."""
    return Parser()


def _judge_in_process(record: PageRecord | BadRecord, task: Task) -> PageResult:
    return judge(record, task, _parser())


def judge(record: PageRecord | BadRecord, task: Task, parser: Parser) -> PageResult:
    """Parse one page, run every candidate on it and score them."""
    if isinstance(record, BadRecord):
        return PageResult(record.location, [], record.reason)
    if record.gold is None:
        return PageResult(record.location, [], "has no gold")
    if unscored := _unscored(record.gold, task):
        return PageResult(record.location, [], unscored)
    try:
        document = parser.parse(record.raw, record.charset).document
        reference = Reference.of(record.gold, document, task.labels)
    except ParseError as error:
        return PageResult(record.location, _all_failed(record.gold, task, str(error)))
    except GoldError as error:
        return PageResult(record.location, [], str(error))
    return PageResult(
        record.location, [_run(candidate, document, reference, task) for candidate in task.candidates]
    )


def _unscored(gold: GoldRecord, task: Task) -> str | None:
    """Why a page with gold is not scored; an article is what extractors are for."""
    if gold.verdict not in SCORED_VERDICTS:
        return f"its verdict is {gold.verdict}"
    return None if gold.can_tell(task.labels) else "its gold cannot tell these labels apart"


def _all_failed(gold: GoldRecord, task: Task, error: str) -> list[Result]:
    """Without a document no extractor has an output."""
    scores = _scores(Reference.without_document(gold), Prediction([], "", None, failed=True), task)
    return [Result(scores, 0.0, error) for _ in task.candidates]


def _run(candidate: Candidate, document: Document, reference: Reference, task: Task) -> Result:
    error = None
    try:
        extraction = find(candidate.name).run(document, **candidate.parameters)
    except OSError:
        raise  # of the machine: no score
    except Exception as crash:  # noqa: BLE001 - whatever it is, a crash is a score, and the run goes on
        error = f"{type(crash).__name__}: {crash}"
        extraction = Output([], None, 0.0)
    spans, printed, seconds = extraction
    text = text_of(document, spans, task.labels) if printed is None else printed
    prediction = Prediction(spans, text, document, failed=error is not None)
    return Result(_scores(reference, prediction, task), seconds, error)


def _scores(reference: Reference, prediction: Prediction, task: Task) -> dict[str, PageScore]:
    return {name: METRICS[name].score(reference, prediction, task.labels) for name in task.metrics}
