"""Counts the pages of large corpora, on the queue `score`."""

from celery import shared_task

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.home.counts import recount


@shared_task(**work.LIMITS)
def count_pages(corpus_id: int) -> None:
    recount(Corpus.objects.get(pk=corpus_id))
