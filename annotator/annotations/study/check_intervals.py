"""Where gold checks and repeats fall: one in each interval of 1 / rate pages of an annotator's main rounds.

The position within a interval is drawn by the seed of the study settings. One that could not be given within
its interval is forgotten: if those that are overdue came one after the other, annotators would notice them.
"""

import random

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.models import StudyDesign
from annotator.corpora.models import User


def rates(design: StudyDesign) -> dict[Purpose, float]:
    """The purposes that are wanted, with their share of an annotator's pages."""
    wanted = {Purpose.CHECK: design.check_rate, Purpose.REPEAT: design.repeat_rate}
    return {purpose: rate for purpose, rate in wanted.items() if rate > 0}


def interval_after(submitted: int, rate: float) -> int:
    """The number of the interval, from 0, in which an annotator is after so many pages."""
    return int(submitted * rate)


def due_after(seed: int, annotator_id: int, purpose: str, rate: float, interval: int) -> int:
    """After how many pages the one of this interval falls due."""
    position = random.Random(f"{seed}:{purpose}:{annotator_id}:{interval}").random()
    return int((interval + position) / rate)


def due_interval(design: StudyDesign, annotator: User, purpose: Purpose) -> int | None:
    """The annotator's interval, if its check or repeat is due and was not opened yet."""
    rate, submitted = rates(design)[purpose], _submitted(design, annotator)
    interval = interval_after(submitted, rate)
    is_due = due_after(design.seed, annotator.pk, purpose, rate, interval) <= submitted
    return interval if is_due and not _was_opened(design, annotator, purpose, interval) else None


def still_due(design: StudyDesign, annotator: User, pages: int) -> int:
    """How many checks and repeats are still to be opened while the annotator submits so many more pages."""
    wanted = rates(design)
    if not pages or not wanted:
        return 0
    submitted = _submitted(design, annotator)
    found = 0
    for purpose, rate in wanted.items():
        now, last = interval_after(submitted, rate), interval_after(submitted + pages, rate)
        is_last_due = due_after(design.seed, annotator.pk, purpose, rate, last) <= submitted + pages
        found += last - now + is_last_due - _was_opened(design, annotator, purpose, now)
    return found


def _submitted(design: StudyDesign, annotator: User) -> int:
    """Pages of main rounds that the annotator has submitted under the design."""
    slots = Slot.objects.filter(
        corpus=design.corpus_id, annotator=annotator, submitted_at__gte=design.made_at
    )
    return slots.filter(round__purpose=Purpose.MAIN).count()


def _was_opened(design: StudyDesign, annotator: User, purpose: Purpose, interval: int) -> bool:
    own = Round.objects.filter(design=design, purpose=purpose, draw=interval, slots__assigned_to=annotator)
    return own.exists()
