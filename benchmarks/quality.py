"""How good the extractors are on the published gold, corpus by corpus and metric by metric.

Every corpus begins with `goldpan` on the pages that nobody tuned it on: those whose id has an odd SHA-256.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tqdm import tqdm

from benchmarks import placing, published
from benchmarks.halves import HALVES, halves
from benchmarks.published import Corpus
from benchmarks.speed import OPPONENT, SLOW
from extraction.evaluation import Contender, Row, Task, evaluate
from extraction.extractors import get, names
from extraction.spans import LABEL_SETS
from extraction.tables import evaluation_table

#: Of each corpus; halves and aims are told by the first.
METRICS = {
    "Scrapinghub": ("shingle", "character", "rouge"),
    "WCXB, articles": ("words", "char-lcs"),
    "CleanPortalEval": ("words", "char-lcs", "cleaneval"),
    "CleanEval, final": ("words", "char-lcs"),
    "CleanEval, dev": ("words", "char-lcs", "cleaneval"),
}
#: Where slow peers run too; the other corpora would take hours.
FOR_ALL = frozenset({"Scrapinghub", "CleanPortalEval"})
JOBS = 2

NOTE = (
    "`goldpan` was learned from pages whose id has an even SHA-256; the figures on the odd ones stand first. "
    "Differences are paired by page, with bootstrap intervals, p is Wilcoxon's with Holm's correction over "
    "the rows of a table. The seconds in the tables are of a busy machine with warm caches: see Speed."
)

Rows = dict[str, list[Row]]  # by metric


class Aim(NamedTuple):
    """What a contender should reach on some pages of a corpus, by its first metric.

    `over` is added to the opponent's F1 on the same pages; with `f1`, that figure is the aim itself.
    """

    corpus: str
    half: str
    over: float | None = None
    f1: float | None = None


AIMS = (
    Aim("Scrapinghub", "odd", over=0.010),
    Aim("WCXB, articles", "odd", over=0.0),
    Aim("CleanPortalEval", "odd", over=0.0),
    Aim("Scrapinghub", "all", f1=0.977),
    Aim("WCXB, articles", "all", f1=0.945),
)
#: F1, precision and recall of the Java original on all of Scrapinghub, as published.
ORIGINAL, PUBLISHED, ALLOWED = "boilerpipe-article", (0.860, 0.850, 0.870), 0.002


def run(limit: int | None = None) -> str:
    """Aims, then for each corpus how its gold was placed and a table a metric."""
    corpora = published.found()
    if not corpora:
        return "## Quality\n\nNot measured: there is no published gold beside the project."
    measured = {corpus.title: measure(corpus, limit) for corpus in corpora}
    parts = ["## Quality", "", NOTE, "", *_aims(measured)]
    for corpus in corpora:
        parts += ["", *_corpus(corpus, measured[corpus.title], limit)]
    return "\n".join(parts)


def contenders(corpus: Corpus) -> list[Contender]:
    """Every extractor that is here, `goldpan` also set to precision; slow ones on small corpora only."""
    chosen = [
        name
        for name in names()
        if get(name).missing is None and (corpus.title in FOR_ALL or name not in SLOW)
    ]
    found = [Contender(name, get(name).settle({})) for name in chosen]
    return [*found, Contender("goldpan", get("goldpan").settle({"setting": "precision"}))]


def measure(corpus: Corpus, limit: int | None = None) -> Rows:
    """All contenders on one corpus, by its metrics."""
    task = Task(contenders(corpus), METRICS[corpus.title], LABEL_SETS[corpus.labels])
    with tqdm(desc=corpus.title, unit=" pages", disable=None) as bar:
        return evaluate(published.records(corpus, limit), task, jobs=JOBS, on_page=lambda _: bar.update())


def row_of(rows: Sequence[Row], name: str, **changed: object) -> Row | None:
    """The row of an extractor with these parameters changed, None where it is not here."""
    if get(name).missing:
        return None
    wanted = Contender(name, get(name).settle(changed))
    return next((row for row in rows if row.contender == wanted), None)


def _aims(measured: dict[str, Rows]) -> list[str]:
    head = ["| `goldpan` on | metric | F1 | aim |", "| --- | --- | ---: | --- |"]
    lines = [_aim(aim, measured[aim.corpus]) for aim in AIMS if aim.corpus in measured]
    if "Scrapinghub" in measured:
        lines += ["", _original(measured["Scrapinghub"])]
    return [*head, *lines]


def _aim(aim: Aim, by_metric: Rows) -> str:
    metric, rows = next(iter(by_metric.items()))
    ours, theirs = row_of(rows, "goldpan"), row_of(rows, OPPONENT)
    assert ours, "goldpan needs nobody's library"
    keep = HALVES[aim.half]
    f1 = ours.where(keep).summary.f1
    if aim.over is None:
        wanted = f"at least {aim.f1:.3f}, beyond what is asked"
    elif theirs is None:
        wanted = f"{OPPONENT} is not here"
    else:
        opponent = theirs.where(keep).summary.f1
        over = f" + {aim.over:.3f}" if aim.over else ""
        wanted = f"at least {opponent + aim.over:.3f}: {OPPONENT}'s {opponent:.3f}{over}"
    return f"| {aim.corpus}, {aim.half} | {metric} | {f1:.3f} | {wanted} |"


def _original(by_metric: Rows) -> str:
    row = row_of(by_metric["shingle"], ORIGINAL)
    assert row, "the chains need nobody's library"
    found = row.summary.f1, row.summary.precision, row.summary.recall
    distance = max(abs(ours - theirs) for ours, theirs in zip(found, PUBLISHED, strict=True))
    return (
        f"`{ORIGINAL}` on all of Scrapinghub, shingle F1/P/R: {_figures(found)}; the Java original as "
        f"published: {_figures(PUBLISHED)}; largest difference {distance:.4f}, allowed {ALLOWED}."
    )


def _figures(figures: Sequence[float]) -> str:
    return "/".join(f"{figure:.3f}" for figure in figures)


def _corpus(corpus: Corpus, by_metric: Rows, limit: int | None) -> list[str]:
    parts = [f"### {corpus.title}, label set `{corpus.labels}`", ""]
    halved = halves(corpus, by_metric, limit)
    parts += [*halved, "", *placing.report(corpus, limit)]
    for metric, rows in by_metric.items():
        table = evaluation_table(rows, row_of(rows, OPPONENT))
        parts += ["", f"All pages, {metric}:", "", "```", table, "```"]
    left_out = sorted(set(SLOW) - {row.contender.name for row in next(iter(by_metric.values()))})
    if left_out:
        parts += ["", f"Not run on these pages, for they are slow or not here: {', '.join(left_out)}."]
    return parts
