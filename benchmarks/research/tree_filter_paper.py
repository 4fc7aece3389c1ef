"""Reproduces the tables of the tree-filter paper: depth 1 to 5 over Boilerpipe, on every available corpus.

The metric is `char-lcs` with macro-averaged precision and recall, as in the paper. Run it as
`python -m benchmarks.research.tree_filter_paper`.
"""

from typing import NamedTuple

from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.published_corpora import PublishedCorpus
from extraction.evaluation import Candidate, EvaluationRow, Task, evaluate
from extraction.extractors import get
from extraction.spans import LABEL_SETS

METRIC = "char-lcs"
JOBS = 2
DEPTHS = range(1, 6)
BASES = ("boilerpipe-default", "boilerpipe-article")
TOLERANCE = 0.015  # the earlier results are rounded to two places

Figures = tuple[float, float, float]  # precision, recall, F1


#: The earlier results of WCXB are those of its first articles.
FIRST = {"WCXB, articles": 300}

# Results in the paper, by approach: Spanish and English news of its authors, and CleanEval's test set.
PAPER: dict[str, tuple[Figures, Figures]] = {
    "Boilerpipe": ((0.83, 0.98, 0.90), (0.76, 0.92, 0.83)),
    "jusText": ((0.86, 0.93, 0.89), (0.85, 0.84, 0.84)),
    "tree filter, 1": ((0.97, 0.92, 0.94), (0.96, 0.82, 0.89)),
    "tree filter, 2": ((0.97, 0.93, 0.95), (0.95, 0.84, 0.89)),
    "tree filter, 3": ((0.91, 0.95, 0.92), (0.90, 0.88, 0.89)),
    "tree filter, 4": ((0.90, 0.95, 0.92), (0.87, 0.88, 0.87)),
    "tree filter, 5": ((0.89, 0.95, 0.91), (0.85, 0.89, 0.87)),
}
PAPER_CLEANEVAL: dict[str, Figures] = {
    "Boilerpipe": (0.95, 0.74, 0.83),
    "tree filter, 2": (0.96, 0.66, 0.78),
}

# Earlier results of another implementation and parser: no filter, then depth 1 to 5.
BEFORE = {
    ("Scrapinghub", "boilerpipe-default"): """
        .79/.92/.85 .95/.83/.88 .94/.84/.89 .94/.87/.90 .92/.86/.89 .91/.86/.89""",
    ("Scrapinghub", "boilerpipe-article"): """
        .86/.88/.87 .93/.81/.87 .93/.82/.87 .92/.84/.88 .92/.85/.88 .92/.85/.88""",
    ("CleanEval, final", "boilerpipe-default"): """
        .92/.84/.88 .94/.68/.79 .94/.72/.81 .94/.74/.83 .94/.76/.84 .93/.77/.84""",
    ("CleanEval, final", "boilerpipe-article"): """
        .94/.77/.85 .95/.66/.78 .95/.69/.80 .95/.70/.81 .95/.71/.81 .95/.72/.82""",
    ("WCXB, articles", "boilerpipe-default"): """
        .86/.90/.88 .96/.72/.82 .96/.74/.84 .96/.78/.86 .95/.79/.86 .95/.80/.87""",
    ("WCXB, articles", "boilerpipe-article"): """
        .92/.81/.86 .96/.67/.79 .96/.69/.80 .96/.72/.82 .95/.73/.83 .95/.74/.83""",
}


class PaperRow(NamedTuple):
    """A row of a corpus's table; `depth` 0 is Boilerpipe without the filter."""

    base: str
    depth: int
    pages: int
    found: Figures
    compared: Figures  # on the pages of the earlier results
    before: Figures | None

    @property
    def difference(self) -> float:
        """The largest distance from the earlier results; 0 without any."""
        return max((abs(a - b) for a, b in zip(self.compared, self.before or self.compared, strict=True)))


def run(limit: int | None = None) -> str:
    """Return the paper's results and ours as Markdown; `limit` is the maximum number of pages per corpus."""
    parts = ["## The tree filter paper", "", *_paper()]
    found = published_corpora.found()
    if not found:
        parts += ["", "Not measured: there is no published gold beside the project."]
    for corpus in tqdm(found, desc="paper", disable=None):
        parts += ["", *_table(corpus, measure(corpus, limit))]
    return "\n".join(parts)


def measure(corpus: PublishedCorpus, limit: int | None = None) -> list[PaperRow]:
    """Evaluate both bases without and with the filter."""
    candidates = [_candidate(base, depth) for base in BASES for depth in (0, *DEPTHS)]
    task = Task(candidates, [METRIC], LABEL_SETS[corpus.labels])
    rows = evaluate(published_corpora.records(corpus, limit), task, jobs=JOBS)[METRIC]
    ways = ((base, depth) for base in BASES for depth in (0, *DEPTHS))
    return [_line(corpus, base, depth, row) for (base, depth), row in zip(ways, rows, strict=True)]


def _candidate(base: str, depth: int) -> Candidate:
    name, parameters = ("tree-filter", {"base": base, "depth": depth}) if depth else (base, {})
    return Candidate(name, get(name).with_defaults(parameters))


def _line(corpus: PublishedCorpus, base: str, depth: int, row: EvaluationRow) -> PaperRow:
    first = row.results[: FIRST.get(corpus.title, len(row.results))]
    before = BEFORE.get((corpus.title, base), "").split()
    return PaperRow(
        base,
        depth,
        len(row.results),
        _figures(row),
        _figures(EvaluationRow(row.candidate, row.metric, first)),
        _read(before[depth]) if before else None,
    )


def _figures(row: EvaluationRow) -> Figures:
    summary = row.summary
    return summary.precision, summary.recall, summary.f1_of_means


def _read(text: str) -> Figures:
    precision, recall, f1 = map(float, text.split("/"))
    return precision, recall, f1


def _paper() -> list[str]:
    lines = [
        "Results in the paper, P R F1 (its news corpus is not published, CleanEval's test set is):",
        "",
        "| approach | Spanish news | English news | CleanEval |",
        "| --- | --- | --- | --- |",
    ]
    for approach, (spanish, english) in PAPER.items():
        cleaneval = PAPER_CLEANEVAL.get(approach)
        cells = [_write(spanish), _write(english), _write(cleaneval) if cleaneval else ""]
        lines.append(f"| {approach} | {' | '.join(cells)} |")
    return lines


def _table(corpus: PublishedCorpus, lines: list[PaperRow]) -> list[str]:
    first = FIRST.get(corpus.title)
    before = f"before, first {first}" if first else "before"
    texts = [
        f"### {corpus.title}: {lines[0].pages} pages, label set `{corpus.labels}`",
        "",
        f"| base | depth | P R F1 | {before} | largest difference |",
        "| --- | --- | --- | --- | --- |",
    ]
    for line in lines:
        earlier = _write(line.before) if line.before else ""
        difference = f"{line.difference:.3f}{_flag(line)}" if line.before else ""
        cells = [line.base, str(line.depth or "no filter"), _write(line.found, 3), earlier, difference]
        texts.append(f"| {' | '.join(cells)} |")
    return texts


def _flag(line: PaperRow) -> str:
    return "" if line.difference <= TOLERANCE else " (more than allowed)"


def _write(figures: Figures, places: int = 2) -> str:
    return " ".join(f"{figure:.{places}f}".removeprefix("0") for figure in figures)


if __name__ == "__main__":
    print(run())
