"""Opening the main round of a page: its slots, and what each of them shows."""

from typing import Any

from django.db import transaction

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.rounds import arms
from annotator.annotations.study.actions import (
    current_design,
    possible_arms,
    update_queue_keys,
    weights,
)
from annotator.annotations.study.models import StudyDesign
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.tuned_on import knowing


@transaction.atomic
def open_round(*, page: Page) -> Round | None:
    """The page's main round; if new, with as many slots as the design asks for, and their arms drawn.

    None where the page was taken down, or its import undone, before it had one.
    """
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    opened = Round.objects.filter(page=page, purpose=Purpose.MAIN).first()
    if opened:
        return opened
    # A takedown closes the rounds that it sees: the page is locked before it is asked whether there was one.
    same = Page.objects.filter(pk=page.pk)
    list(same.select_for_update(no_key=True).values_list("pk"))
    if not same.filter(takedown=None).exists():
        return None
    design = current_design(corpus=corpus)
    last = Round.objects.filter(design=design, purpose=Purpose.MAIN).order_by("-draw").first()
    number = last.draw + 1 if last else 0
    # Blind rounds so far, and how far each extractor is behind; every main round has such an account.
    before: Any = last.account if last else {"blind": 0, "credit": {}}
    drawn = arms.draw_arms(
        seed=design.seed,
        number=number,
        slots=design.slots,
        blind_share=design.blind_share,
        blind_before=before["blind"],
        extractors=offered(design, corpus, page),
        credit={int(key): credit for key, credit in before["credit"].items()},
    )
    made = Round.objects.create(
        page=page,
        design=design,
        blind=drawn.blind,
        draw=number,
        account={"blind": before["blind"] + drawn.blind, "credit": drawn.credit},
    )
    Slot.objects.bulk_create(
        [
            Slot(round=made, corpus=corpus, number=slot, arm_id=arm)
            for slot, arm in enumerate(drawn.arms, start=1)
        ]
    )
    update_queue_keys(design=design, round_id=made.pk)
    return made


def offered(design: StudyDesign, corpus: Corpus, page: Page) -> dict[int, float]:
    """Extractor that the page's slots may show -> its weight."""
    weighed = weights(design, corpus, possible_arms(corpus))
    trained = any(arm.is_trained for arm in weighed)
    known = set(knowing(page).values_list("pk", flat=True)) if trained else set()
    return {arm.pk: weight for arm, weight in weighed.items() if arm.pk not in known}
