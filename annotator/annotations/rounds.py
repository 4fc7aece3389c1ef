"""Opening a round: its slots, and what each of them shows."""

from typing import Any

from django.db import transaction

from annotator.annotations import arms
from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.actions import give_turns, possible_arms, standing_design
from annotator.annotations.study.models import StudyDesign
from annotator.corpora.models import Corpus
from annotator.pages.models import Page


@transaction.atomic
def open_round(*, page: Page) -> Round:
    """The page's main round, with as many slots as the design asks for, and their arms, drawn here once."""
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    opened = Round.objects.filter(page=page, purpose=Purpose.MAIN).first()
    if opened:
        return opened
    design = standing_design(corpus=corpus)
    last = Round.objects.filter(design=design, purpose=Purpose.MAIN).order_by("-draw").first()
    before = account_after(last)
    drawn = arms.draw_arms(
        seed=design.seed,
        place=last.draw + 1 if last else 0,
        slots=design.slots,
        blind_share=design.blind_share,
        blind_before=before["blind"],
        extractors=offered(design, corpus),
        credit={int(key): credit for key, credit in before["credit"].items()},
    )
    made = Round.objects.create(
        page=page,
        design=design,
        blind=drawn.blind,
        draw=last.draw + 1 if last else 0,
        account={"blind": before["blind"] + drawn.blind, "credit": drawn.credit},
    )
    Slot.objects.bulk_create(
        [
            Slot(round=made, corpus=corpus, number=number, arm_id=arm)
            for number, arm in enumerate(drawn.arms, start=1)
        ]
    )
    give_turns(design=design, round_id=made.pk)
    return made


def account_after(last: Round | None) -> dict[str, Any]:
    """What was drawn up to this round of a design: blind ones, and how far each extractor is behind."""
    if last is None:
        return {"blind": 0, "credit": {}}
    if last.account is None:
        # Drawn before accounts were kept.
        drawn = Round.objects.filter(design=last.design_id, purpose=Purpose.MAIN, draw__lte=last.draw)
        return {"blind": drawn.filter(blind=True).count(), "credit": {}}
    kept: dict[str, Any] = last.account
    return kept


def offered(design: StudyDesign, corpus: Corpus) -> dict[int, float]:
    """Extractor -> its weight; one that was enabled after the shares were set has none."""
    possible = possible_arms(corpus)
    if not design.shares:
        return dict.fromkeys(possible, 1.0)
    return {key: float(design.shares.get(str(key), 0)) for key in possible}
