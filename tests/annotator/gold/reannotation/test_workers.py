"""Real workers: rounds are opened, and their submissions make another version of gold."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from annotator import pipeline
from annotator.annotations.models import Purpose, Round
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.reannotation import actions
from annotator.gold.reannotation.models import Reannotation
from annotator.gold.reannotation.page_selection import PageCriteria
from annotator.scoring.models import Score
from tests.annotator.gold.reannotation.scenarios import finalised_page, guideline, people
from tests.annotator.gold.test_adjudication import SECOND, paragraph
from tests.factories import MakePage, annotate
from tests.processes import purge_queues, wait_for, worker

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_the_choice_to_scores_on_the_new_gold(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, tmp_path: Path
) -> None:
    purge_queues()
    pages = [finalised_page(make_page, cast, extracted=True) for _ in range(2)]
    guideline(corpus, cast)
    eve, fay = people(corpus, "eve", "fay")
    with worker(tmp_path):
        reannotation = actions.request_reannotation(corpus=corpus, criteria=PageCriteria())
        pipeline.enqueue(reannotation)
        wait_for(lambda: Reannotation.objects.get().state == "done", "the rounds")
        rounds = Round.objects.filter(purpose=Purpose.GUIDELINE)
        assert rounds.count() == 2
        for round_ in rounds:
            for person in (eve, fay):
                annotate(round_.page, person, [paragraph(round_.page, SECOND, "body")])
            pipeline.slot_submitted(round_.pk, is_last=True, is_controlled=False)
        newer = Gold.objects.filter(current=True, number=2, page__in=pages)
        wait_for(lambda: newer.count() == 2, "the new versions of gold")
        scored = Score.objects.filter(gold__in=newer).exclude(finished_at=None)
        wait_for(lambda: scored.count() == 2 * corpus.enabled.count(), "their scores")
    assert Gold.objects.filter(page__in=pages).count() == 4
