"""What an admin does to all jobs of a corpus at once."""

from functools import partial

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.gold.reannotation import actions as reannotation
from annotator.gold.reannotation import queries as reannotations
from annotator.pages.imports.actions import pause_import
from annotator.pages.imports.models import Import
from annotator.reparsing import actions as reparsing
from annotator.reparsing import queries as reparses
from annotator.runs.models import UNDER_WAY, Run
from annotator.runs.running import pause_run
from extraction.documents.document import PARSER_VERSION


def pause_all(*, corpus: Corpus) -> int:
    """Pause what can be resumed: imports, runs, new rounds, re-parsing; return how many jobs that were.

    Exports, releases and training go on: they can be stopped, not paused.
    """
    imports = Import.objects.filter(corpus=corpus, finished_at=None, confirmed_at__isnull=False)
    runs = Run.objects.filter(UNDER_WAY, corpus=corpus)
    pauses = [
        *(partial(pause_import, run=each) for each in imports),
        *(partial(pause_run, run=each) for each in runs),
    ]
    paused = 0
    for pause in pauses:
        try:
            pause()
        except Conflict:  # it has ended meanwhile, or a command holds it
            continue
        paused += 1
    rounds = reannotations.unfinished(corpus)
    if rounds and not rounds.stopped_at:
        reannotation.stop(reannotation=rounds)
        paused += 1
    reparse = reparses.last_run(corpus, PARSER_VERSION)
    if reparse and not reparse.stopped_at and reparses.open_jobs(reparse).exists():
        reparsing.stop(run=reparse)
        paused += 1
    return paused
