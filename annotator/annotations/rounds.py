"""Opening a round: its slots, and what each of them shows."""

from django.db import transaction

from annotator.annotations import arms
from annotator.annotations.models import Purpose, Round, Slot
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import CorpusExtractor


@transaction.atomic
def open_round(*, page: Page) -> Round:
    """The page's main round, with as many slots as its corpus asks for, and their arms, drawn here once."""
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    opened = Round.objects.filter(page=page, purpose=Purpose.MAIN).first()
    if opened:
        return opened
    rounds = Round.objects.filter(page__corpus=corpus, purpose=Purpose.MAIN)
    place = rounds.count()
    drawn = arms.draw_arms(
        seed=corpus.seed,
        place=place,
        slots=corpus.slots_per_page,
        blind_share=corpus.blind_share,
        blind_before=rounds.filter(blind=True).count(),
        extractors=_possible_arms(corpus),
    )
    made = Round.objects.create(page=page, blind=drawn.blind, draw=place)
    Slot.objects.bulk_create(
        [
            Slot(round=made, corpus=corpus, number=number, arm_id=arm)
            for number, arm in enumerate(drawn.arms, start=1)
        ]
    )
    return made


def _possible_arms(corpus: Corpus) -> list[int]:
    enabled = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__can_be_arm=True)
    return list(enabled.order_by("extractor_id").values_list("extractor_id", flat=True))
