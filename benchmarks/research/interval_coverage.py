"""The coverage of the 95 % intervals of agreement, on a population whose true values are known.

Real pages with gold are marked by two simulated annotators (`annotator_errors.py`). All these pages are the
population. Counts how often the interval of a sample contains the value of the population. For unitizing,
only intervals that would be shown count; the share of samples with one is reported.

Run it as `python -m benchmarks.research.interval_coverage`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.research import annotator_errors
from extraction.agreement import coefficients as of
from extraction.agreement.coefficients import Coincidences, Numbers, ratio
from extraction.agreement.counts import PageTables, View, count_page
from extraction.agreement.figures import Figure
from extraction.agreement.intervals import BEYOND_CHANCE, SHARE, Bounds, Scale, bounds, jackknifed
from extraction.agreement.pool import Pool
from extraction.agreement.stacked import Stacked, grouped
from extraction.agreement.unitizing import disagreement, together
from extraction.agreement.units import ContentUnits
from extraction.formats import BadRecord, GoldError, place
from extraction.formats.gold import ARTICLE
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Span

SIZES = (30, 100, 300)
SAMPLES = 1000
SAMPLES_OF_UNITS = 400  # alpha_U is computed for each sample
RESAMPLES = 400  # of the bootstrap, for comparison
AIM = 93
EVEN = "even"

Outcomes = dict[int, list[bool]]


class Case(NamedTuple):
    """A coefficient of sums over pages: the summands of each page, the coefficient, and its scale. `agreed`
    are the pages on which both annotators agree on a label, if the coefficient depends on them."""

    name: str
    pages: Numbers
    figure: Callable[[Numbers], Numbers]
    scale: Scale
    agreed: NDArray[np.bool_] | None = None


class CoverageRow(NamedTuple):
    """A value of the population, and which intervals contain it, by sample size."""

    name: str
    truth: float
    held: Outcomes
    by_bootstrap: Outcomes
    width: float


class UnitizingRow(NamedTuple):
    """A value of unitizing, and whether its interval contains it, by sample size; None for samples without an
    interval. `always` is the same if intervals were never withheld."""

    name: str
    truth: float
    found: dict[int, list[bool | None]]
    always: dict[int, list[bool | None]]
    width: float


def run(limit: int | None = None) -> str:
    """Return a table of coverage in percent, by coefficient and sample size."""
    counts = list(population(limit))
    if not counts:
        return (
            "## Coverage of the intervals of agreement\n\nNot measured: no published corpora are available."
        )
    random = np.random.default_rng(7)
    share = 1 if limit is None else 10
    rows = [
        _row(case, SAMPLES // share, random) for case in tqdm(list(cases(counts)), "coverage", disable=None)
    ]
    even, other = even_spans(len(counts)), np.random.default_rng(8)
    unitizing = [
        row
        for view, name, pages in (
            *((("label", label), label, counts) for label in annotator_errors.LABELS),
            (None, "all labels", counts),
            (("label", EVEN), "a simulated label of spans about as long as one another", even),
        )
        for row in _rows_of_unitizing(view, name, pages, SAMPLES_OF_UNITS // share, other)
    ]
    return "\n\n".join([_report(rows, len(counts)), _report_of_unitizing(unitizing), _least(rows, unitizing)])


def population(limit: int | None) -> Iterator[PageTables]:
    """Yield every page whose gold can be aligned, as marked by the simulated annotators."""
    random = np.random.default_rng(1)
    for corpus in published_corpora.found():
        for record in tqdm(published_corpora.records(corpus, limit), corpus.title, disable=None):
            if isinstance(record, BadRecord) or record.gold is None or record.gold.verdict != ARTICLE:
                continue
            try:
                document = parse(record.raw)
                gold: Sequence[Span] = place(record.gold, document).spans
            except (ParseError, GoldError):
                continue
            units = ContentUnits.of_text(document.text, document.blocks)
            yield count_page(annotator_errors.annotators(document, gold, random), units)


def cases(counts: Sequence[PageTables]) -> Iterator[Case]:
    """Return the coefficients of each kind, level and label."""
    labels = ["", *annotator_errors.LABELS]
    for level in ("character", "block"):
        tables = Stacked(counts, level, labels, np.ones(len(counts))).pairs
        alike = _alike(tables)
        yield Case(f"{level}, observed", tables, of.observed, SHARE)
        yield Case(f"{level}, Cohen's kappa", tables, of.cohen_kappa, BEYOND_CHANCE, alike)
        yield Case(f"{level}, Krippendorff's alpha", tables, _alpha, BEYOND_CHANCE, alike)
        yield Case(f"{level}, AC1", tables, of.gwet_ac1, BEYOND_CHANCE)
        yield Case(f"{level}, positive agreement", tables, of.positive, SHARE, alike)
        for label in annotator_errors.LABELS:
            one = grouped(tables, np.array([[each != label, each == label] for each in labels]))
            yield from _of_label(f"{level}, %s of {label}", one)
    yield from _of_label("made up, %s of a label seldom agreed on", seldom_agreed(len(counts)))
    spans = np.array([_spans(page) for page in counts], dtype=np.float64)
    yield Case("spans, exact F1", spans, lambda sums: ratio(sums[..., 1], sums[..., 0]), SHARE)
    yield Case("spans, partial F1", spans, lambda sums: ratio(sums[..., 2], sums[..., 0]), SHARE)


def _of_label(name: str, tables: Numbers) -> Iterator[Case]:
    yield Case(name % "kappa", tables, of.cohen_kappa, BEYOND_CHANCE, _alike(tables))
    yield Case(name % "F1", tables, of.positive, SHARE, _alike(tables))


def _alike(tables: Numbers) -> NDArray[np.bool_]:
    return np.asarray(np.trace(tables, axis1=1, axis2=2) > tables[:, 0, 0])


def seldom_agreed(pages: int) -> Numbers:
    """Return tables of a label that is on 30 % of the pages, and agreed on in a tenth of these."""
    random = np.random.default_rng(1)
    length = np.exp(random.normal(8, 0.8, pages)) + 200
    parts = np.minimum(np.exp(random.normal(5, 1, (2, pages))) + 5, length / 4)
    used, agreed = random.random(pages) < 0.3, random.random(pages) < 0.1
    both, by_first = used & agreed, random.random(pages) < 0.5
    tables = np.zeros((pages, 2, 2))
    tables[:, 1, 1] = np.where(both, 0.9 * parts[0], 0)
    tables[:, 1, 0] = np.where(both, 0.1 * parts[0], np.where(used & by_first, parts[0], 0))
    tables[:, 0, 1] = np.where(both, 0.1 * parts[1], np.where(used & ~by_first, parts[1], 0))
    tables[:, 0, 0] = length - tables.sum(axis=(1, 2))
    return tables


def even_spans(pages: int) -> list[PageTables]:
    """Return pages with one to three spans of about 20 characters, like dates. One in twenty is missed, and
    one in seven has a moved edge, more on difficult pages."""
    random = np.random.default_rng(1)
    return [_of_even_spans(random) for _ in range(pages)]


def _of_even_spans(random: np.random.Generator) -> PageTables:
    length = int(np.exp(random.normal(8, 0.8))) + 400
    hardness = random.gamma(annotator_errors.SHAPE, 1 / annotator_errors.SHAPE)
    starts = np.sort(random.choice(np.arange(0, length - 200, 100), random.integers(1, 4), replace=False))
    spans = [(start, start + 3 + min(80, int(np.exp(random.normal(3, 0.2))))) for start in starts.tolist()]
    marked: dict[str, list[Span]] = {"ada": [], "ben": []}
    for found in marked.values():
        for start, end in spans:
            if random.random() >= 0.05 * hardness:
                by = int(random.integers(1, 9)) if random.random() < 0.15 * hardness else 0
                found.append(Span(start, end + by, EVEN))
    return count_page(marked, ContentUnits.of_length(length))


def _alpha(tables: Numbers) -> Numbers:
    return of.alpha(Coincidences(tables + tables.swapaxes(-1, -2), np.ones(tables.shape[:-2])))


def _spans(page: PageTables) -> tuple[int, int, int]:
    found = [meeting for (kind, _), meeting in page.pairs[0].meetings.items() if kind == "label"]
    return (
        sum(each.first + each.second for each in found),
        sum(2 * each.exact for each in found),
        sum(each.first_hits + each.second_hits for each in found),
    )


def _row(case: Case, samples: int, random: np.random.Generator) -> CoverageRow:
    truth = float(case.figure(case.pages.sum(axis=0)))
    held: Outcomes = {size: [] for size in SIZES}
    bootstrapped: Outcomes = {size: [] for size in SIZES}
    widths = []
    for size in SIZES:
        for number in range(samples):
            indices = random.integers(0, len(case.pages), size)
            pages = case.pages[indices]
            agreed = None if case.agreed is None else int(case.agreed[indices].sum())
            low, high, _ = bounds(case.figure(jackknifed(pages)), case.scale, agreed=agreed)
            if low is not None and high is not None:
                held[size].append(low <= truth <= high)
                widths.append((size, high - low))
            if number % 4 == 0:
                drawn = random.multinomial(size, np.full(size, 1 / size), RESAMPLES).astype(np.float64)
                figures = case.figure(np.tensordot(drawn, pages, 1))
                lower, upper = np.nanquantile(figures, [0.025, 0.975])
                bootstrapped[size].append(bool(lower <= truth <= upper))
    return CoverageRow(case.name, truth, held, bootstrapped, _width(widths))


def _rows_of_unitizing(
    view: View | None, name: str, counts: Sequence[PageTables], samples: int, random: np.random.Generator
) -> Iterator[UnitizingRow]:
    """Measure alpha_U of 1995 and of 2016 on the same samples."""
    truths = Pool(counts).unitizing(view)
    of_sizes = {
        size: [_sampled(view, counts, size, random) for _ in tqdm(range(samples), name, disable=None)]
        for size in SIZES
    }
    for key, year in (("alpha_u", 1995), ("alpha_u_2016", 2016)):
        truth = truths[key].value
        if truth is None:
            continue
        found = {size: [_holds(each[key], truth) for each, _ in of] for size, of in of_sizes.items()}
        always = {size: [_holds(each, truth) for _, each in of] for size, of in of_sizes.items()}
        widths = [_wide(each[key]) for each, _ in of_sizes[SIZES[-1]]]
        yield UnitizingRow(
            f"alpha_U of {year}, {name}",
            truth,
            found,
            always if key == "alpha_u" else {},
            float(np.median([width for width in widths if width is not None] or [np.nan])),
        )


def _sampled(
    view: View | None, counts: Sequence[PageTables], size: int, random: np.random.Generator
) -> tuple[dict[str, Figure], Bounds]:
    """Return the coefficients of a sample, and the interval of alpha_U of 1995 if it were never withheld."""
    pages = [counts[index] for index in random.integers(0, len(counts), size)]
    pool = Pool(pages)
    views = [view] if view else [each for each in pool.views if each[0] == "label"]
    differ = together([disagreement(pages, each) for each in views])
    return pool.unitizing(view), bounds(differ.alpha, BEYOND_CHANCE)


def _holds(found: Figure | Bounds, truth: float) -> bool | None:
    return None if found.low is None or found.high is None else found.low <= truth <= found.high


def _wide(found: Figure) -> float | None:
    return None if found.low is None or found.high is None else found.high - found.low


def _width(widths: Sequence[tuple[int, float]]) -> float:
    return float(np.median([width for size, width in widths if size == SIZES[-1]]))


def _report(rows: Sequence[CoverageRow], pages: int) -> str:
    titles = ", ".join(corpus.title for corpus in published_corpora.found())
    last = SIZES[-1]
    lines = [
        f"| {row.name} | {row.truth:.3f} | "
        + " | ".join(f"{_percent(row.held[size])} ({_percent(row.by_bootstrap[size])})" for size in SIZES)
        + f" | {row.width:.3f} |"
        for row in rows
    ]
    return "\n".join(
        [
            "## Coverage of the intervals of agreement",
            "",
            f"{pages} real pages ({titles}), marked by two simulated annotators; samples of them with "
            "replacement, and the share of intervals that hold the figure of all. In brackets the plain "
            "percentile bootstrap.",
            "",
            "| figure | of all | " + " | ".join(f"{size} pages" for size in SIZES) + f" | width at {last} |",
            "| --- | ---: |" + " ---: |" * (len(SIZES) + 1),
            *lines,
        ]
    )


def _report_of_unitizing(rows: Sequence[UnitizingRow]) -> str:
    lines = [
        f"| {row.name} | {row.truth:.3f} | "
        + " | ".join(_cell(row.found[size], row.always.get(size)) for size in SIZES)
        + f" | {'-' if np.isnan(row.width) else f'{row.width:.3f}'} |"
        for row in rows
    ]
    return "\n".join(
        [
            "Of unitizing: in how many samples there is an interval, and how many of these hold the figure "
            "of all. In brackets how many would if alpha_U of 1995 always had one.",
            "",
            "| figure | of all | "
            + " | ".join(f"{size} pages" for size in SIZES)
            + f" | width at {SIZES[-1]} |",
            "| --- | ---: |" + " ---: |" * (len(SIZES) + 1),
            *lines,
        ]
    )


def _least(rows: Sequence[CoverageRow], unitizing: Sequence[UnitizingRow]) -> str:
    last = SIZES[-1]
    held = {row.name: row.held[last] for row in rows} | {
        row.name: _shown(row.found[last]) for row in unitizing
    }
    name = min(held, key=lambda each: _share(held[each]))
    return f"Least at {last} pages: {_percent(held[name])} ({name}); aim: at least {AIM} %."


def _shown(found: Sequence[bool | None]) -> list[bool]:
    return [each for each in found if each is not None]


def _cell(found: Sequence[bool | None], always: Sequence[bool | None] | None) -> str:
    shown = _shown(found)
    of_these = f"of {len(shown) / len(found):.1%}: {_percent(shown)}"
    return of_these if always is None else f"{of_these} ({_percent(_shown(always))})"


def _share(outcomes: Sequence[bool]) -> float:
    return sum(outcomes) / len(outcomes) if outcomes else 1.0


def _percent(outcomes: Sequence[bool]) -> str:
    return f"{_share(outcomes):.1%}" if outcomes else "-"


if __name__ == "__main__":
    print(run())
