"""Comparing gold with the annotations it was made from, and writing the report of suggestion bias."""

from annotator.agreement.actions import count_pages, new_report, write_if_small
from annotator.agreement.comparison import marks_of
from annotator.agreement.queries import extractor_titles
from annotator.annotations.models import Purpose, Round
from annotator.annotations.queries import submissions, submitted_revisions
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.quality.bias import queries
from annotator.quality.bias.figures import bias_figures
from annotator.quality.bias.models import AdjudicationDelta, BiasReport
from extraction.metrics.character_labels import Matrix, confusion

# Annotations read between two heartbeats.
STEP = 1000


def request_delta(*, gold: Gold) -> AdjudicationDelta | None:
    """The open delta of gold made from annotations; None where there is none to compute."""
    if not queries.main_round_gold().filter(pk=gold.pk).exists():
        return None
    row, _ = AdjudicationDelta.objects.get_or_create(gold=gold)
    return row if row.finished_at is None else None


def compare_with_gold(delta: AdjudicationDelta) -> bool:
    """Compute a claimed delta, for the annotations of the gold's document."""
    gold = delta.gold
    final = gold.marks
    main = submissions(Round.objects.get(page=gold.page_id, purpose=Purpose.MAIN))
    submitted = [annotation for annotation in main if annotation.document_id == gold.document_id]
    revisions = submitted_revisions(submitted)
    differences = {
        str(annotation.annotator_id): differing(
            confusion(marks_of(revisions.get(annotation.pk)), final, gold.document.text)
        )
        for annotation in submitted
    }
    return work.finish(delta, differences=differences)


def differing(matrix: Matrix) -> tuple[int, int]:
    """Characters that the two label differently, and characters that either labels."""
    cells = [(row, column, count) for row, columns in matrix.items() for column, count in columns.items()]
    return (
        sum(count for row, column, count in cells if row != column),
        sum(count for row, column, count in cells if row or column),
    )


# ---- the report of a corpus ----


def request_report(*, corpus: Corpus) -> BiasReport:
    """The report of the corpus's current state; a small one is written at once."""
    made, _ = BiasReport.objects.get_or_create(
        corpus=corpus, version=queries.state(corpus), defaults=new_report(corpus)
    )
    return made if write_if_small(made, write_report) else request_report(corpus=corpus)


def write_report(row: BiasReport) -> bool:
    """Write a claimed report and delete those of earlier states; False if the claim was lost."""
    count_pages(row, row.corpus)
    found, pages = [], set()
    for observation in queries.observations(row.corpus):
        found.append(observation)
        pages.add(observation.page)
        if len(found) % STEP == 0 and not work.send_heartbeat(row, done=len(pages)):
            return False
    made = bias_figures(found, extractor_titles(row.corpus))
    written = work.finish(row, figures=made.to_json(), pages=made.pages, done=made.pages)
    if written:
        BiasReport.objects.filter(corpus=row.corpus, pk__lt=row.pk).delete()
    return written
