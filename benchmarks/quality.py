"""The quality of all extractors on published gold, by corpus and metric.

Each corpus begins with `goldpan` on held-out pages: those whose id has an odd SHA-256.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tqdm import tqdm

from benchmarks import gold_alignment, published_corpora
from benchmarks.held_out import HALVES, halves
from benchmarks.published_corpora import PublishedCorpus
from benchmarks.results import yes_no
from benchmarks.speed import OPPONENT, SLOW
from extraction.evaluation import Candidate, EvaluationRow, Task, evaluate
from extraction.extractors import get, names
from extraction.spans import LABEL_SETS
from extraction.tables import evaluation_table

#: By corpus. The targets refer to the first metric.
METRICS = {
    "Scrapinghub": ("shingle", "character", "rouge"),
    "WCXB, articles": ("words", "char-lcs"),
    "CleanPortalEval": ("words", "char-lcs", "cleaneval"),
    "Dragnet": ("words", "char-lcs"),
    "CleanEval, final": ("words", "char-lcs"),
    "CleanEval, dev": ("words", "char-lcs", "cleaneval"),
}
#: Corpora on which slow peers run as well; the others would take hours.
FOR_ALL = frozenset({"Scrapinghub", "CleanPortalEval"})
JOBS = 2

NOTE = (
    "`goldpan` was learned from pages whose id has an even SHA-256; the odd ones are listed first. "
    "Differences are paired by page, with bootstrap intervals, p is Wilcoxon's with Holm's correction over "
    "the rows of a table. The seconds in the tables were measured on a busy machine with warm caches; see "
    "Speed."
)

Rows = dict[str, list[EvaluationRow]]  # by metric


class QualityTarget(NamedTuple):
    """The target of `goldpan` on the held-out half of a corpus, by its first metric.

    Either `over`, relative to the peer's F1 on the same pages, or the absolute `f1`.
    """

    corpus: str
    over: float | None = None
    f1: float | None = None


TARGETS = (
    QualityTarget("Scrapinghub", f1=0.967),
    QualityTarget("WCXB, articles", f1=0.955),
    QualityTarget("CleanPortalEval", f1=0.945),
    QualityTarget("Dragnet", f1=0.925),
    QualityTarget("Scrapinghub", over=0.010),
    QualityTarget("WCXB, articles", over=0.0),
    QualityTarget("CleanPortalEval", over=0.0),
    QualityTarget("Dragnet", over=0.0),
)


def run(limit: int | None = None) -> str:
    """Return the targets, then for each corpus the alignment of its gold and a table per metric."""
    corpora = published_corpora.found()
    if not corpora:
        return "## Quality\n\nNot measured: there is no published gold beside the project."
    measured = {corpus.title: measure(corpus, limit) for corpus in corpora}
    parts = ["## Quality", "", NOTE, "", *_target_table(measured)]
    for corpus in corpora:
        parts += ["", *_corpus(corpus, measured[corpus.title], limit)]
    return "\n".join(parts)


def candidates(corpus: PublishedCorpus) -> list[Candidate]:
    """Return all available extractors, and `goldpan` set to precision; slow peers on small corpora only."""
    chosen = [
        name
        for name in names()
        if get(name).missing is None and (corpus.title in FOR_ALL or name not in SLOW)
    ]
    found = [Candidate(name, get(name).with_defaults({})) for name in chosen]
    return [*found, Candidate("goldpan", get("goldpan").with_defaults({"setting": "precision"}))]


def measure(corpus: PublishedCorpus, limit: int | None = None) -> Rows:
    """Evaluate all extractors on one corpus."""
    task = Task(candidates(corpus), METRICS[corpus.title], LABEL_SETS[corpus.labels])
    with tqdm(desc=corpus.title, unit=" pages", disable=None) as bar:
        return evaluate(
            published_corpora.records(corpus, limit), task, jobs=JOBS, on_page=lambda _: bar.update()
        )


def row_of(rows: Sequence[EvaluationRow], name: str, **changed: object) -> EvaluationRow | None:
    """Return the row of an extractor with these parameters, None if it is not installed."""
    if get(name).missing:
        return None
    wanted = Candidate(name, get(name).with_defaults(changed))
    return next((row for row in rows if row.candidate == wanted), None)


def _target_table(measured: dict[str, Rows]) -> list[str]:
    head = ["| `goldpan` on | metric | F1 | target | met |", "| --- | --- | ---: | --- | --- |"]
    return [*head, *(_target_row(aim, measured[aim.corpus]) for aim in TARGETS if aim.corpus in measured)]


def _target_row(aim: QualityTarget, by_metric: Rows) -> str:
    metric, rows = next(iter(by_metric.items()))
    ours, theirs = row_of(rows, "goldpan"), row_of(rows, OPPONENT)
    assert ours, "goldpan has no optional dependency"
    keep = HALVES["odd"]
    f1 = ours.where(keep).summary.f1
    wanted, why = aim.f1 or 0.0, ""
    if aim.over is not None:
        if theirs is None:
            return f"| {aim.corpus}, odd | {metric} | {f1:.3f} | {OPPONENT} is not installed | |"
        opponent = theirs.where(keep).summary.f1
        over = f" + {aim.over:.3f}" if aim.over else ""
        wanted, why = opponent + aim.over, f": {OPPONENT}'s {opponent:.3f}{over}"
    met = yes_no(round(f1, 3) >= round(wanted, 3))
    return f"| {aim.corpus}, odd | {metric} | {f1:.3f} | at least {wanted:.3f}{why} | {met} |"


def _corpus(corpus: PublishedCorpus, by_metric: Rows, limit: int | None) -> list[str]:
    parts = [f"### {corpus.title}, label set `{corpus.labels}`", ""]
    halved = halves(corpus, by_metric, limit)
    parts += [*halved, "", *gold_alignment.report(corpus, limit)]
    for metric, rows in by_metric.items():
        table = evaluation_table(rows, row_of(rows, OPPONENT))
        parts += ["", f"All pages, {metric}:", "", "```", table, "```"]
    left_out = sorted(set(SLOW) - {row.candidate.name for row in next(iter(by_metric.values()))})
    if left_out:
        parts += ["", f"Not run, because they are slow or not installed: {', '.join(left_out)}."]
    return parts
