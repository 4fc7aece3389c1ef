"""How good the extractors are on the published gold, metric by metric."""

from tqdm import tqdm

from extraction.evaluation import Contender, Row, Task, evaluate
from extraction.extractors import REGISTRY
from extraction.spans import LABEL_SETS
from extraction.tables import evaluation_table
from tests.corpora import HAS_REAL_PAGES, records

METRICS = ("character", "char-lcs", "shingle")
LABELS = "body"  # what the Scrapinghub gold holds
JOBS = 2


def run(limit: int | None = None) -> str:
    """A table a metric; nothing but a sentence where there is no published gold."""
    if not HAS_REAL_PAGES:
        return "## Quality\n\nNot measured: there is no published gold beside the project."
    parts = ["## Quality", "", f"Published gold of the Scrapinghub benchmark, label set `{LABELS}`."]
    for metric, rows in _rows(limit).items():
        parts += ["", f"### {metric}", "", "```", evaluation_table(rows), "```"]
    return "\n".join(parts)


def _rows(limit: int | None) -> dict[str, list[Row]]:
    contenders = [Contender(name, spec.settle({})) for name, spec in REGISTRY.items()]
    pages = records(limit)
    task = Task(contenders, METRICS, LABEL_SETS[LABELS])
    return evaluate(tqdm(pages, desc="quality", disable=None), task, jobs=JOBS)
