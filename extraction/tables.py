"""Figures as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from extraction.agreement.units import LEVELS
from extraction.evaluation import Candidate, EvaluationRow
from extraction.evaluation.comparison import RowComparison, compare
from extraction.evaluation.page_metrics import Metric
from extraction.extractors import BlockReason, ExtractorSpec
from extraction.extractors.learned.trained import find

# How much of a block is shown for it, in characters.
_BEGINNING = 40


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width, the first two to the left, the others to the right."""
    cells = [header, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def extractors_table(specs: Sequence[ExtractorSpec], broken: Mapping[str, str]) -> str:
    """Name, version, parameters, what each extractor does, and why it cannot; then plugins that broke."""
    rows = [
        [spec.name, f"version {spec.version}", parameters_text(spec.parameters), about(spec), _missing(spec)]
        for spec in specs
    ]
    rows += [[name, f"cannot be loaded: {reason}"] for name, reason in broken.items()]
    return "\n".join("  ".join(filter(None, row)) for row in rows)


def _missing(spec: ExtractorSpec) -> str:
    return f"[{spec.missing}]" if spec.missing else ""


def about(spec: ExtractorSpec) -> str:
    """The first line of an extractor's documentation."""
    return (spec.function.__doc__ or "").strip().partition("\n")[0]


def about_metric(metric: Metric) -> str:
    """What a metric counts, which F1 it is known by, and what else has to be known about it."""
    f1 = "F1 is the mean of the pages' F1" if metric.by_page else ""
    return "; ".join(filter(None, [metric.about, f1, metric.note]))


def parameters_text(parameters: dict[str, Any]) -> str:
    """`key=value,...`, as the command line takes it."""
    return ",".join(f"{key}={value}" for key, value in parameters.items())


def reasons_table(text: str, reasons: Sequence[BlockReason]) -> str:
    """One line for each block: its label, the probability of body, its first words, and what counted."""
    width = max((len(reason.label or "") for reason in reasons), default=0)
    return "\n".join(
        f"{reason.label or '-':{width}}  {reason.probability:4.0%}  "
        f"{' '.join(text[reason.start : reason.end].split())[:_BEGINNING]:{_BEGINNING}}  "
        f"{'; '.join(map(str, reason.evidence))}".rstrip()
        for reason in reasons
    )


def evaluation_table(rows: Sequence[EvaluationRow], against: EvaluationRow | None = None) -> str:
    """One line for each candidate, best F1 first; with `against`, how each one compares with that row.

    Below the table stand the reasons of failures.
    """
    compared = compare(rows, against) if against else [None] * len(rows)
    extras = list(dict.fromkeys(name for row in rows for name in row.summary.extras))
    header = [*_HEADER[:6], *extras, *_HEADER[6:], *(_AGAINST if against else ())]
    cells = [
        _evaluation_cells(row, extras) + (_comparison_cells(comparison) if against else [])
        for row, comparison in zip(rows, compared, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda index: -rows[index].summary.f1)
    lines = [table(header, [cells[index] for index in order]), *_failures(rows)]
    if against:
        lines.append(f"diff: F1 minus that of {candidate_text(against.candidate)}, p: Wilcoxon, Holm")
    return "\n".join(lines)


_HEADER = ("extractor", "parameters", "P", "R", "F1", "95 %", "recall_all", "unplaced", "n", "failed", "s")
_AGAINST = ("diff", "95 %", "p")
_REASONS = 3  # of failures, for each row: the most frequent ones


def candidate_text(candidate: Candidate) -> str:
    """`NAME[:key=value,...]`, as the command line takes it, without what is so anyway."""
    return ":".join(filter(None, [candidate.name, _changed(candidate)]))


def _changed(candidate: Candidate) -> str:
    """The parameters that are not the extractor's own."""
    defaults = find(candidate.name).parameters
    return parameters_text({key: v for key, v in candidate.parameters.items() if defaults.get(key) != v})


def _evaluation_cells(row: EvaluationRow, extras: Sequence[str]) -> list[str]:
    summary = row.summary
    return [
        row.candidate.name,
        _changed(row.candidate),
        _figure(summary.precision),
        _figure(summary.recall),
        _figure(summary.f1),
        _bounds(summary.f1_low, summary.f1_high),
        *(_figure(summary.extras.get(name)) for name in extras),
        _figure(summary.recall_all),
        f"{summary.unplaced:.1%}",
        str(summary.n),
        str(summary.failures),
        f"{row.seconds:.2f}",
    ]


def _comparison_cells(comparison: RowComparison | None) -> list[str]:
    if comparison is None:
        return ["-", "-", "-"]
    difference = comparison.difference
    return [
        f"{difference.value:+.3f}",
        _bounds(difference.low, difference.high, "+.3f", " to "),
        _p_value(comparison.p_holm),
    ]


def _p_value(p: float | None) -> str:
    return "<.0001" if p is not None and p < 1e-4 else _figure(p, ".4f")


def _figure(value: float | None, form: str = ".3f") -> str:
    return "-" if value is None else format(value, form)


def _bounds(low: float | None, high: float | None, form: str = ".3f", between: str = "-") -> str:
    return "-" if low is None or high is None else f"{low:{form}}{between}{high:{form}}"


def _failures(rows: Sequence[EvaluationRow]) -> list[str]:
    return [
        f"{candidate_text(row.candidate)} failed on {pages} of {row.summary.n} pages: {reason}"
        for row in rows
        for reason, pages in list(row.errors.items())[:_REASONS]
    ]


_AGREEMENT = ("figure", "", "value", "95 %", "pages", "units", "by chance")
_SHORT = ("cohen_kappa", "positive_agreement")  # what is shown of a label's words and blocks
_SPOKEN = {"labels": "", "label_sets": "set "}  # how the figures of a group are named in the table


def agreement_table(figures: dict[str, Any]) -> str:
    """One line for each figure of an agreement report; below stands what the letters beside them mean.

    `f1`, which is the positive agreement under its other name, has no line of its own; of the words and
    blocks of a label the JSON has more.
    """
    found = list(_figures_in("", {key: value for key, value in figures.items() if key != "excluded"}))
    reasons = list(dict.fromkeys(figure["withheld"] for _, figure in found if figure["withheld"]))
    rows = [[name, _note(figure["withheld"], reasons), *_figure_cells(figure)] for name, figure in found]
    left_out = [f"left out, {reason}: {pages}" for reason, pages in figures["excluded"].items()]
    notes = [f"{_note(reason, reasons)}: {reason}" for reason in reasons]
    return "\n".join([f"{figures['pages']} pages", *left_out, table(_AGREEMENT, rows), *notes])


def _figures_in(prefix: str, content: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, inner in content.items():
        if not isinstance(inner, dict) or name == "f1":
            continue
        if "value" not in inner:
            short = {key: inner[key] for key in _SHORT} if prefix and name in LEVELS else inner
            yield from _figures_in(prefix + _SPOKEN.get(name, f"{name} "), short)
        else:
            yield f"{prefix}{name}", inner


def _note(reason: str | None, reasons: Sequence[str]) -> str:
    """The letters of a reason, as spreadsheets name columns: a to z, aa, ab ..."""
    letters, left = "", 0 if reason is None else reasons.index(reason) + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def _figure_cells(figure: dict[str, Any]) -> list[str]:
    return [
        _figure(figure["value"]),
        _bounds(figure["low"], figure["high"]),
        str(figure["n"]),
        str(figure["units"]),
        _figure(figure["chance"]),
    ]
