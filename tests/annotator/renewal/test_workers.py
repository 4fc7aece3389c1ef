"""Real workers: rounds are opened, and what is handed in there comes to another version of gold by itself."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from annotator import journey
from annotator.annotations.models import Purpose, Round
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.renewal import actions
from annotator.renewal.choosing import Asked
from annotator.renewal.models import Renewal
from annotator.scoring.models import Score
from tests.annotator.gold.test_settling import SECOND, paragraph
from tests.annotator.renewal.made import guideline, people, settled_page
from tests.factories import MakePage, annotate
from tests.processes import A_WHILE, purge_queues, wait_for, worker

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_the_choice_to_scores_on_the_new_gold(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, tmp_path: Path
) -> None:
    purge_queues()
    pages = [settled_page(make_page, cast, extracted=True) for _ in range(2)]
    guideline(corpus, cast)
    eve, fay = people(corpus, "eve", "fay")
    with worker(tmp_path):
        renewal = actions.request_renewal(corpus=corpus, asked=Asked())
        journey.renewal_requested(renewal)
        wait_for(lambda: Renewal.objects.get().state == "done", A_WHILE, "the rounds")
        rounds = Round.objects.filter(purpose=Purpose.GUIDELINE)
        assert rounds.count() == 2
        for round_ in rounds:
            for person in (eve, fay):
                annotate(round_.page, person, [paragraph(round_.page, SECOND, "body")])
            journey.slot_submitted(round_.pk, is_last=True, is_controlled=False)
        newer = Gold.objects.filter(current=True, number=2, page__in=pages)
        wait_for(lambda: newer.count() == 2, A_WHILE, "the new versions of gold")
        scored = Score.objects.filter(gold__in=newer).exclude(finished_at=None)
        wait_for(lambda: scored.count() == 2 * corpus.enabled.count(), A_WHILE, "their scores")
    assert Gold.objects.filter(page__in=pages).count() == 4
