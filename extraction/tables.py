"""Figures as text for a terminal."""

from collections.abc import Sequence
from typing import Any

from extraction.evaluation import Row
from extraction.extractors import ExtractorSpec


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


def extractors_table(specs: Sequence[ExtractorSpec]) -> str:
    """Name, version, parameters and what each extractor does."""
    rows = [
        [spec.name, f"version {spec.version}", parameters_text(spec.parameters), about(spec)]
        for spec in specs
    ]
    return "\n".join("  ".join(filter(None, row)) for row in rows)


def about(spec: ExtractorSpec) -> str:
    """The first line of an extractor's documentation."""
    return (spec.function.__doc__ or "").strip().partition("\n")[0]


def parameters_text(parameters: dict[str, Any]) -> str:
    """`key=value,...`, as the command line takes it."""
    return ",".join(f"{key}={value}" for key, value in parameters.items())


def evaluation_table(rows: Sequence[Row]) -> str:
    """One line for each contender, best F1 first."""
    header = ["extractor", "parameters", "P", "R", "F1", "95 %", "recall_all", "unplaced", "n", "failed", "s"]
    ordered = sorted(rows, key=lambda row: -row.summary.f1)
    return table(header, [_evaluation_cells(row) for row in ordered])


def _evaluation_cells(row: Row) -> list[str]:
    summary = row.summary
    low, high = summary.f1_low, summary.f1_high
    return [
        row.contender.name,
        parameters_text(row.contender.parameters),
        f"{summary.precision:.3f}",
        f"{summary.recall:.3f}",
        f"{summary.f1:.3f}",
        "-" if low is None or high is None else f"{low:.3f}-{high:.3f}",
        f"{summary.recall_all:.3f}",
        f"{summary.unplaced:.1%}",
        str(summary.n),
        str(summary.failures),
        f"{row.seconds:.2f}",
    ]


def agreement_table(figures: dict[str, Any]) -> str:
    """One line for each figure of an agreement report."""
    rows = [["pages", "", str(figures["pages"]), "", ""]]
    for group, content in figures.items():
        if isinstance(content, dict):
            rows += _figure_rows(group, content)
    return table(["figure", "", "value", "95 %", "n"], rows)


def _figure_rows(group: str, content: dict[str, Any]) -> list[list[str]]:
    rows = []
    for name, figure in content.items():
        if "value" in figure:
            rows.append([f"{group} {name}", figure["withheld"] or "", *_figure_cells(figure)])
        else:
            rows += _figure_rows(name, figure)
    return rows


def _figure_cells(figure: dict[str, Any]) -> list[str]:
    low, high = figure["low"], figure["high"]
    return [
        "-" if figure["value"] is None else f"{figure['value']:.3f}",
        "-" if low is None else f"{low:.3f}-{high:.3f}",
        str(figure["n"]),
    ]
