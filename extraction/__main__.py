"""`python -m extraction`: extractors, metrics and agreement from a terminal, without a database."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]

from extraction import tables
from extraction.agreement.report import ReportError, read, report
from extraction.errors import ParseError
from extraction.evaluation import METRICS, Contender, PageResult, Row, Task, evaluate
from extraction.extractors import REGISTRY, ExtractorError, extract, get, parse_with
from extraction.formats import READERS, BadRecord, FormatError, Record
from extraction.formats.records import read_bytes
from extraction.sandbox import Parser
from extraction.spans import LABEL_SETS, label_set, text_of

DEFAULT_EXTRACTOR = "tree-filter"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, or 2 with a message on standard error."""
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except (ExtractorError, FormatError, ParseError, ReportError) as error:
        print(f"extraction: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m extraction", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_list(commands)
    _add_extract(commands)
    _add_evaluate(commands)
    _add_agreement(commands)
    return parser


def _add_list(commands: Any) -> None:
    command = commands.add_parser("list", help="the extractors, their versions and parameters")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=list_extractors)


def _add_extract(commands: Any) -> None:
    command = commands.add_parser("extract", help="the text that an extractor takes from one page")
    command.add_argument("file", type=Path, metavar="FILE.html")
    command.add_argument(
        "--with", dest="extractor", default=DEFAULT_EXTRACTOR, metavar="NAME[:key=value,...]"
    )
    command.add_argument("--spans", action="store_true", help="print the spans as JSON in place of the text")
    command.add_argument("--labels", choices=LABEL_SETS, default="article", help="which labels the text has")
    command.add_argument("--encoding", metavar="E", help="what the HTTP headers declared")
    command.set_defaults(command=extract_file)


def _add_evaluate(commands: Any) -> None:
    command = commands.add_parser("evaluate", help="extractors against a corpus with gold")
    command.add_argument("format", choices=READERS, metavar="FORMAT", help=", ".join(READERS))
    command.add_argument("path", type=Path, metavar="PATH")
    command.add_argument("--with", dest="extractors", nargs="+", metavar="NAME[:key=value,...]")
    command.add_argument("--metric", choices=METRICS, default="character")
    command.add_argument("--labels", choices=LABEL_SETS, help="the format's own if left out")
    command.add_argument("--limit", type=_positive, metavar="N", help="only the first N records")
    command.add_argument("--jobs", type=_positive, default=1, metavar="N", help="processes")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=evaluate_corpus)


def _add_agreement(commands: Any) -> None:
    command = commands.add_parser("agreement", help="how far annotators agree")
    command.add_argument("file", type=Path, metavar="FILE.json")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=show_agreement)


def _positive(text: str) -> int:
    number = int(text)
    if number > 0:
        return number
    raise argparse.ArgumentTypeError("must be 1 or more")


def list_extractors(options: argparse.Namespace) -> None:
    """Print every extractor."""
    specs = [REGISTRY[name] for name in sorted(REGISTRY)]
    if not options.json:
        print(tables.extractors_table(specs))
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
        }
        for spec in specs
    ]
    print(json.dumps(rows, indent=2))


def extract_file(options: argparse.Namespace) -> None:
    """Print what one extractor takes from one saved page."""
    name, parameters = parse_with(options.extractor)
    try:
        raw = read_bytes(options.file)
    except FormatError as error:
        raise FormatError(f"{options.file} {error}") from error
    with Parser() as parser:
        document = parser.parse(raw, options.encoding).document
    spans = extract(document, name, **parameters)
    if options.spans:
        print(json.dumps({"sha256": document.sha256, "parser": document.version, "spans": spans}))
    else:
        print(text_of(document, spans, options.labels))


def evaluate_corpus(options: argparse.Namespace) -> None:
    """Score extractors on a corpus and print a row for each."""
    contenders = _contenders(options.extractors)
    source: Iterator[Record | BadRecord] = READERS[options.format].read(options.path)
    labels, records = _labels(options.labels, islice(source, options.limit))
    task = Task(contenders, options.metric, label_set(labels))
    with tqdm(total=options.limit, unit=" pages", disable=None) as progress:
        reporter = _Reporter(progress)
        rows = evaluate(records, task, jobs=options.jobs, on_page=reporter.hear)
    if options.json:
        print(json.dumps(_evaluation_json(options.metric, labels, reporter.scored, rows), indent=2))
    else:
        print(f"{options.metric}, {labels}, {reporter.scored} pages")
        print(tables.evaluation_table(rows))


def _contenders(texts: Sequence[str] | None) -> list[Contender]:
    chosen = [parse_with(text) for text in texts or sorted(REGISTRY)]
    return [Contender(name, get(name).settle(parameters)) for name, parameters in chosen]


def _labels(
    asked: str | None, records: Iterator[Record | BadRecord]
) -> tuple[str, Iterator[Record | BadRecord]]:
    """The label set asked for, or else that of the first page with gold; and the records, none lost."""
    seen: list[Record | BadRecord] = []
    while not asked and (record := next(records, None)) is not None:
        seen.append(record)
        if isinstance(record, Record) and record.gold:
            asked = record.default_label_set
    return asked or "article", chain(seen, records)


class _Reporter:
    """Says on standard error, above the progress bar, what was left out and what failed."""

    def __init__(self, progress: tqdm) -> None:
        self.progress = progress
        self.scored = 0

    def hear(self, page: PageResult) -> None:
        self.progress.update()
        self.scored += not page.left_out
        if page.left_out:
            self.progress.write(f"left out: {page.place}: {page.left_out}", file=sys.stderr)
        for error in sorted({result.error for result in page.results if result.error}):
            self.progress.write(f"failed: {page.place}: {error}", file=sys.stderr)


def _evaluation_json(metric: str, labels: str, pages: int, rows: Sequence[Row]) -> dict[str, Any]:
    return {"metric": metric, "labels": labels, "pages": pages, "results": [row.to_json() for row in rows]}


def show_agreement(options: argparse.Namespace) -> None:
    """Print how far the annotators of a file agree."""
    figures = report(read(options.file))
    print(json.dumps(figures, indent=2) if options.json else tables.agreement_table(figures))


if __name__ == "__main__":
    sys.exit(main())
