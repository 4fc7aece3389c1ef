"""`python -m extraction`: extractors, metrics and agreement from a terminal, without a database."""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import webencodings
from tqdm import tqdm

from extraction import tables
from extraction.agreement.report import ReportError, read, report
from extraction.documents.document import Document
from extraction.evaluation import METRICS, Candidate, EvaluationRow, PageResult, Task, evaluate
from extraction.evaluation.comparison import compare
from extraction.extractors import (
    BlockReason,
    ExtractorError,
    broken_plugins,
    get,
    names,
    own_names,
    parse_with,
)
from extraction.extractors.learned.trained import find
from extraction.formats import READERS, BadRecord, FormatError, PageRecord
from extraction.formats.records import read_bytes
from extraction.learning import command as learning
from extraction.learning.training import LearningError
from extraction.parsing.errors import ParseError
from extraction.sandbox import Parser
from extraction.shrinking import SECONDS, ExtractionError, ShrinkError, shrink
from extraction.spans import LABEL_SETS, Span, SpanError, label_set, text_of

DEFAULT_EXTRACTOR = "goldpan"
MOST_PAGES, MOST_JOBS, MOST_SECONDS = 1_000_000_000, 256, 86_400
_WITH = "NAME[:key=value,...]"
_SETS = ", ".join(LABEL_SETS)


class NothingEvaluated(Exception):
    """Not one page of a corpus could be scored."""


#: What a command cannot do for reasons that its message names.
_REFUSALS = (
    ExtractorError,
    FormatError,
    LearningError,
    NothingEvaluated,
    ParseError,
    ReportError,
    ShrinkError,
    SpanError,
)


def main(arguments: Sequence[str] | None = None, *, program: str = "python -m extraction") -> int:
    """Run one command; returns the exit status: 0; 2 with a message on standard error; 130 after Ctrl-C.

    `program` is what was called, for its help.
    """
    options = _parser(program).parse_args(arguments)
    try:
        options.command(options)
        sys.stdout.flush()
    except _REFUSALS as error:
        message = str(error)
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is left of it must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except UnicodeEncodeError as error:
        what = (
            f"{error.object[error.start]!a} cannot be written in {error.encoding}, the encoding of the output"
        )
        message = f"{what}: set PYTHONIOENCODING=utf-8"
    except OSError as error:
        message = error.strerror or str(error) or type(error).__name__
        if error.filename:
            message = f"{error.filename}: {message}"
        else:  # a child that was killed, a wait without end
            message += ". The machine is at fault, no page: nothing was scored, run the command again"
    except KeyboardInterrupt:
        print("extraction: stopped", file=sys.stderr)
        return 130
    else:
        return 0
    print(f"extraction: {message}", file=sys.stderr)
    return 2


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description=__doc__, epilog="COMMAND --help says more.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_list(commands)
    _add_extract(commands)
    _add_evaluate(commands)
    _add_agreement(commands)
    _add_shrink(commands)
    _add_train(commands)
    return parser


def _add(commands: Any, name: str, run: Callable[[argparse.Namespace], None], **texts: str) -> Any:
    command = commands.add_parser(
        name,
        help=texts["about"],
        description=f"Print {texts['about']}.",
        epilog=texts.get("epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(command=run)
    return command


def _add_list(commands: Any) -> None:
    command = _add(commands, "list", list_extractors, about="the extractors, their versions and parameters")
    command.add_argument("--json", action="store_true", help="as JSON, with all that is known of each")


def _add_extract(commands: Any) -> None:
    command = _add(commands, "extract", extract_file, about="the text that an extractor takes from one page")
    command.add_argument("file", type=Path, metavar="FILE.html", help="a saved page; .gz is decompressed")
    command.add_argument(
        "--with",
        dest="extractor",
        default=DEFAULT_EXTRACTOR,
        metavar=_WITH,
        help="which extractor, with parameters that are not its own, or the .safetensors file of a trained "
        "model; %(default)s if left out",
    )
    command.add_argument("--spans", action="store_true", help="print the spans as JSON in place of the text")
    command.add_argument(
        "--why",
        action="store_true",
        help="print for each block its label, how likely it is body, how it begins and what counted; "
        "with --spans in the JSON. Only for extractors that tell reasons, as goldpan does",
    )
    command.add_argument(
        "--labels",
        choices=LABEL_SETS,
        default="article",
        metavar="SET",
        help=f"which labels the text has: {_SETS}; %(default)s if left out",
    )
    command.add_argument("--encoding", type=_encoding, metavar="E", help="what the HTTP headers declared")


def _add_evaluate(commands: Any) -> None:
    command = _add(
        commands,
        "evaluate",
        evaluate_corpus,
        about="how good extractors are on a corpus with gold",
        epilog=_metrics_text(),
    )
    command.add_argument("format", choices=READERS, metavar="FORMAT", help=", ".join(READERS))
    command.add_argument("path", type=Path, metavar="PATH", help="the corpus: a folder or a file")
    command.add_argument(
        "--with",
        dest="extractors",
        nargs="+",
        metavar=_WITH,
        help="which extractors, or files of trained models; our own if left out",
    )
    command.add_argument(
        "--metric",
        choices=METRICS,
        default="character",
        metavar="M",
        help="see below; %(default)s if left out",
    )
    command.add_argument(
        "--labels", choices=LABEL_SETS, metavar="SET", help=f"{_SETS}; the format's own if left out"
    )
    command.add_argument(
        "--against",
        metavar=_WITH,
        help="show how each extractor differs from this one, and whether by chance",
    )
    command.add_argument("--limit", type=_number(MOST_PAGES), metavar="N", help="only the first N records")
    command.add_argument(
        "--jobs",
        type=_number(MOST_JOBS),
        default=1,
        metavar="N",
        help="how many processes; %(default)s if left out",
    )
    command.add_argument("--json", action="store_true", help="as JSON in place of a table")


def _metrics_text() -> str:
    width = max(map(len, METRICS))
    lines = [f"  {name:{width}}  {tables.about_metric(metric)}" for name, metric in METRICS.items()]
    return "\n".join(
        [
            "metrics:",
            *lines,
            "",
            "A page that cannot be parsed and an extractor that fails count with precision 0 and recall 0.",
            "Intervals (95 %) resample the pages; below 30 pages they are withheld.",
        ]
    )


def _add_agreement(commands: Any) -> None:
    command = _add(commands, "agreement", show_agreement, about="how far annotators agree")
    command.add_argument("file", type=Path, metavar="FILE.json", help="their spans, page by page")
    command.add_argument("--json", action="store_true", help="as JSON in place of a table")


def _add_shrink(commands: Any) -> None:
    command = _add(
        commands,
        "shrink",
        shrink_page,
        about="the smallest page on which an extractor still makes an error, for a bug report",
        epilog="White space in TEXT does not count. What an extractor misses is left with something that it "
        "takes,\nwhat it takes wrongly with something that it leaves out, so that the error can be seen.",
    )
    command.add_argument("file", type=Path, metavar="FILE.html", help="a saved page; .gz is decompressed")
    command.add_argument(
        "--with", dest="extractor", required=True, metavar=_WITH, help="which extractor makes the error"
    )
    error = command.add_mutually_exclusive_group(required=True)
    error.add_argument("--missing", metavar="TEXT", help="text of the page that it leaves out")
    error.add_argument("--wrong", metavar="TEXT", help="text of the page that it takes")
    command.add_argument(
        "--labels",
        choices=LABEL_SETS,
        default="any",
        metavar="SET",
        help=f"which labels count as taken: {_SETS}; %(default)s if left out",
    )
    command.add_argument("--encoding", type=_encoding, metavar="E", help="what the HTTP headers declared")
    command.add_argument(
        "--seconds",
        type=_number(MOST_SECONDS),
        default=int(SECONDS),
        metavar="N",
        help="the smallest page found in this time; %(default)s if left out",
    )


def _add_train(commands: Any) -> None:
    command = _add(
        commands,
        "train",
        learning.train,
        about="how well a model does that is learned from pages with gold",
        epilog="web2text, boilernet and crf need the extra `learned` or requirements-learned.txt; what is "
        "learned does not.",
    )
    learning.add_arguments(command)


def _number(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        # The length is limited as Python refuses to read more than thousands of digits.
        if text.isascii() and text.isdecimal() and len(text) < 20 and 1 <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from 1 to {most:,}")

    return number


def _encoding(text: str) -> str:
    if webencodings.lookup(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an encoding of the web, such as utf-8 or gbk")
    return text


def list_extractors(options: argparse.Namespace) -> None:
    """Print every extractor."""
    specs, broken = [get(name) for name in names()], broken_plugins()
    if not options.json:
        print(tables.extractors_table(specs, broken))
        return
    rows = [
        {
            "name": spec.name,
            "version": spec.version,
            "family": spec.family,
            "parameters": spec.parameters,
            "can_be_arm": spec.can_be_arm,
            "tuned_on": sorted(spec.tuned_on),
            "about": tables.about(spec),
            "missing": spec.missing,
        }
        for spec in specs
    ]
    failed = [{"name": name, "missing": reason} for name, reason in broken.items()]
    print(json.dumps([*rows, *failed], indent=2))


def extract_file(options: argparse.Namespace) -> None:
    """Print what one extractor takes from one saved page."""
    name, parameters = parse_with(options.extractor, find)
    raw = _read_page(options.file)
    with Parser() as parser:
        document = parser.parse(raw, options.encoding).document
    spans, printed, _ = find(name).run(document, **parameters)
    reasons = find(name).reasons(document, **parameters) if options.why else None
    if not spans:
        print(f"extraction: {name} finds no content in this page", file=sys.stderr)
    if options.spans:
        print(json.dumps(_spans_json(document, spans, reasons)))
    elif reasons is not None:
        print(tables.reasons_table(document.text, reasons))
    else:
        print(text_of(document, spans, options.labels) if printed is None else printed)


def shrink_page(options: argparse.Namespace) -> None:
    """Print the smallest page on which an extractor still makes an error."""
    name, parameters = parse_with(options.extractor, find)
    raw = _read_page(options.file)
    with Parser() as parser:
        parser.parse(raw, options.encoding)  # in a child process: a page beyond the limits ends here
    error = ExtractionError(
        name,
        options.wrong if options.missing is None else options.missing,
        is_missing=options.missing is not None,
        parameters=parameters,
        labels=label_set(options.labels),
    )
    with tqdm(unit=" pages tried", disable=None, leave=False) as progress:

        def show(size: int, tried: int) -> None:
            progress.set_postfix_str(f"{size:,} bytes left", refresh=False)
            progress.update(tried - progress.n)

        shrunk = shrink(raw, error, charset=options.encoding, seconds=options.seconds, on_try=show)
    print(shrunk.html)
    end = "" if shrunk.is_minimal else "; the time was up, --seconds gives it more"
    print(
        f"extraction: {len(raw):,} bytes became {shrunk.size:,}, {shrunk.tried:,} pages tried{end}",
        file=sys.stderr,
    )


def _read_page(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except FormatError as error:
        raise FormatError(f"{path} {error}") from error


def _spans_json(document: Document, spans: list[Span], reasons: list[BlockReason] | None) -> dict[str, Any]:
    found: dict[str, Any] = {"sha256": document.sha256, "parser": document.version, "spans": spans}
    if reasons is not None:
        found["reasons"] = [
            reason._asdict()
            | {"evidence": [item._asdict() | {"text": str(item)} for item in reason.evidence]}
            for reason in reasons
        ]
    return found


def evaluate_corpus(options: argparse.Namespace) -> None:
    """Score extractors on a corpus and print a row for each."""
    candidates, against = _candidates(options.extractors, options.against)
    # Threads of NumPy's library that wait for each other would use up the cores of the other processes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    reader = READERS[options.format]
    labels, records = _labels(options.labels, islice(reader.read(options.path), options.limit))
    task = Task(candidates, [options.metric], label_set(labels))
    with tqdm(total=_total(reader, options), unit=" pages", disable=None) as progress:
        reporter = _Reporter(progress, candidates)
        rows = evaluate(records, task, jobs=options.jobs, on_page=reporter.hear)[options.metric]
    if not reporter.scored:
        raise NothingEvaluated(_why_nothing(reporter, options))
    other = next((row for row in rows if row.candidate == against), None)
    if options.json:
        print(json.dumps(_evaluation_json(options.metric, labels, reporter.scored, rows, other), indent=2))
    else:
        note = METRICS[options.metric].note
        print(", ".join(filter(None, [options.metric, labels, f"{reporter.scored} pages", note])))
        print(tables.evaluation_table(rows, other))


def _why_nothing(reporter: "_Reporter", options: argparse.Namespace) -> str:
    if reporter.left_out:
        return f"no page was evaluated: all {reporter.left_out} were left out, for the reasons above"
    return f"no page was evaluated: there are none in {options.path}; check the format and the path"


def _candidates(texts: Sequence[str] | None, against: str | None) -> tuple[list[Candidate], Candidate | None]:
    """The requested candidates, each once, and the one to compare them with, which is among them."""
    chosen = [_candidate(text) for text in texts or own_names()]
    other = _candidate(against) if against else None
    everyone = chosen if other is None else [*chosen, other]
    return [one for index, one in enumerate(everyone) if one not in everyone[:index]], other


def _candidate(text: str) -> Candidate:
    name, parameters = parse_with(text, find)
    return Candidate(name, find(name).with_defaults(parameters))


def _total(reader: ModuleType, options: argparse.Namespace) -> int | None:
    """How many records there are at most, if that is known without reading them."""
    counted = reader.count(options.path) if hasattr(reader, "count") else None
    known = [number for number in (counted, options.limit) if number is not None]
    return min(known, default=None)


def _labels(
    requested: str | None, records: Iterator[PageRecord | BadRecord]
) -> tuple[str, Iterator[PageRecord | BadRecord]]:
    """The requested label set, or the default of the first page with gold; and all the records."""
    seen: list[PageRecord | BadRecord] = []
    while not requested and (record := next(records, None)) is not None:
        seen.append(record)
        if isinstance(record, PageRecord) and record.gold:
            requested = record.default_label_set
    return requested or "article", chain(seen, records)


class _Reporter:
    """Says on standard error, above the progress bar, what was left out and what failed."""

    #: How often one reason for one extractor's failure is printed; the table counts them all.
    OFTEN_ENOUGH = 3

    def __init__(self, progress: "tqdm[NoReturn]", candidates: Sequence[Candidate]) -> None:
        self.progress = progress
        self.candidates = candidates
        self.scored = self.left_out = 0
        self.reported: Counter[tuple[str, str]] = Counter()

    def hear(self, page: PageResult) -> None:
        self.progress.update()
        self.scored += not page.left_out
        if page.left_out:
            self.left_out += 1
            self._say(f"left out: {page.location}: {page.left_out}")
        for candidate, result in zip(self.candidates, page.results, strict=False):
            if result.error:
                self._failed(page.location, candidate.name, result.error)

    def _failed(self, location: str, name: str, error: str) -> None:
        self.reported[name, error] += 1
        times = self.reported[name, error]
        if times <= self.OFTEN_ENOUGH:
            more = ", and from here on without a word" if times == self.OFTEN_ENOUGH else ""
            self._say(f"failed: {location}: {name}: {error}{more}")

    def _say(self, line: str) -> None:
        self.progress.write(line, file=sys.stderr)


def _evaluation_json(
    metric: str, labels: str, pages: int, rows: Sequence[EvaluationRow], against: EvaluationRow | None
) -> dict[str, Any]:
    results = [row.to_json() for row in rows]
    found: dict[str, Any] = {"metric": metric, "labels": labels, "pages": pages, "results": results}
    if METRICS[metric].note:
        found["note"] = METRICS[metric].note
    if against is not None:
        found["against"] = tables.candidate_text(against.candidate)
        for result, comparison in zip(results, compare(rows, against), strict=True):
            result["against"] = comparison and comparison.to_json()
    return found


def show_agreement(options: argparse.Namespace) -> None:
    """Print how far the annotators of a file agree."""
    figures = report(read(options.file))
    print(json.dumps(figures, indent=2) if options.json else tables.agreement_table(figures))


if __name__ == "__main__":
    sys.exit(main())
