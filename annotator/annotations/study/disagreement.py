"""Orders by disagreement: how unlike what the extractors say of a page is, kept as its odds."""

from itertools import combinations
from statistics import fmean

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.actions import give_turns, inclusion
from annotator.annotations.study.models import Order, StudyDesign
from annotator.pages.models import Document
from annotator.runs.models import Extraction
from extraction.agreement.character import confusion, f1
from extraction.spans import Span


def weigh_rounds(*, at_most: int) -> int:
    """Give their odds to rounds whose extractors are all done, and their turn; how many."""
    by_disagreement = [design for design in _standing() if design.order == Order.DISAGREEMENT]
    return sum(_weigh(design, round_) for design in by_disagreement for round_ in _ready(design)[:at_most])


def _standing() -> QuerySet[StudyDesign]:
    newer = StudyDesign.objects.filter(corpus=OuterRef("corpus"), number__gt=OuterRef("number"))
    return StudyDesign.objects.exclude(Exists(newer))


def _ready(design: StudyDesign) -> QuerySet[Round]:
    extractions = Extraction.objects.filter(document__page=OuterRef("page"))
    # What is begun already had its turn for another reason, and stands for itself.
    begun = Slot.objects.filter(round=OuterRef("pk"), begun_at__isnull=False)
    rounds = Round.objects.filter(
        page__corpus=design.corpus_id, purpose=Purpose.MAIN, inclusion=None, settled_at=None
    ).exclude(Exists(begun))
    return rounds.filter(Exists(extractions)).exclude(Exists(extractions.open())).order_by("pk")


@transaction.atomic
def _weigh(design: StudyDesign, round_: Round) -> bool:
    document = Document.objects.filter(page=round_.page_id).latest("made_at")
    odds = inclusion(unlike=unlikeness(document), random_share=design.random_share)
    if not Round.objects.filter(pk=round_.pk, inclusion=None).update(inclusion=odds):
        return False
    give_turns(design=design, round_id=round_.pk)
    return True


def unlikeness(document: Document) -> float:
    """One minus the mean F1 of all pairs of extractors; 0 with fewer than two that may be shown."""
    done = Extraction.objects.filter(
        document=document, finished_at__isnull=False, error="", extractor__can_be_arm=True
    )
    said = [[Span(*span) for span in spans] for spans in done.order_by("pk").values_list("spans", flat=True)]
    pairs = [f1(confusion(one, other, document.text)) for one, other in combinations(said, 2)]
    # Two that find nothing are alike.
    return 1 - fmean(1.0 if value is None else value for value in pairs) if pairs else 0.0
