"""What an admin does to all jobs of a corpus at once."""

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.gold.reannotation import actions as reannotation
from annotator.gold.reannotation import queries as reannotations
from annotator.pages.imports.actions import pause_import
from annotator.pages.imports.models import Import
from annotator.reparsing import actions as reparsing
from annotator.reparsing import queries as reparses


def pause_all(*, corpus: Corpus) -> int:
    """Pause what can be resumed: imports, new rounds, re-parsing; return how many jobs that were.

    Exports and releases go on: they can be stopped, not paused.
    """
    paused = 0
    for run in Import.objects.filter(corpus=corpus, finished_at=None, confirmed_at__isnull=False):
        try:
            pause_import(run=run)
        except Conflict:  # it has ended meanwhile, or a command holds it
            continue
        paused += 1
    rounds = reannotations.unfinished(corpus)
    if rounds and not rounds.stopped_at:
        reannotation.stop(reannotation=rounds)
        paused += 1
    reparse = reparses.last_run(corpus)
    if reparse and not reparse.stopped_at and reparses.open_jobs(reparse).exists():
        reparsing.stop(run=reparse)
        paused += 1
    return paused
