"""How far the extractors of a page disagree, stored as its inclusion probability."""

from itertools import combinations
from statistics import fmean

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.actions import inclusion_probability, update_queue_keys
from annotator.annotations.study.models import PageOrder, StudyDesign
from annotator.annotations.study.queries import current_where
from annotator.pages.models import StoredDocument
from annotator.runs.models import Extraction
from extraction.agreement.character import f1
from extraction.metrics.character_labels import confusion
from extraction.spans import Span


def weigh_rounds(*, at_most: int) -> int:
    """Set the inclusion probability and queue key of rounds whose extractors are all done; how many."""
    by_disagreement = current_where(Q(order=PageOrder.DISAGREEMENT))
    return sum(_weigh(design, round_) for design in by_disagreement for round_ in _ready(design)[:at_most])


def _ready(design: StudyDesign) -> QuerySet[Round]:
    extractions = Extraction.objects.filter(document__page=OuterRef("page"))
    # A round that is begun was included for another reason, and counts for itself only.
    begun = Slot.objects.filter(round=OuterRef("pk"), begun_at__isnull=False)
    rounds = Round.objects.filter(
        page__corpus=design.corpus_id, purpose=Purpose.MAIN, inclusion_probability=None, finalised_at=None
    ).exclude(Exists(begun))
    return rounds.filter(Exists(extractions)).exclude(Exists(extractions.open())).order_by("pk")


@transaction.atomic
def _weigh(design: StudyDesign, round_: Round) -> bool:
    document = StoredDocument.objects.filter(page=round_.page_id).latest("made_at")
    probability = inclusion_probability(disagreement=disagreement(document), random_share=design.random_share)
    unweighed = Round.objects.filter(pk=round_.pk, inclusion_probability=None)
    if not unweighed.update(inclusion_probability=probability):
        return False
    update_queue_keys(design=design, round_id=round_.pk)
    return True


def disagreement(document: StoredDocument) -> float:
    """One minus the mean F1 of all pairs of extractors; 0 with fewer than two that may be shown."""
    done = Extraction.objects.done().filter(document=document, extractor__can_be_arm=True)
    outputs = [
        [Span(*span) for span in spans] for spans in done.order_by("pk").values_list("spans", flat=True)
    ]
    pairs = [f1(confusion(one, other, document.text)) for one, other in combinations(outputs, 2)]
    # Two extractors that find nothing agree.
    return 1 - fmean(1.0 if value is None else value for value in pairs) if pairs else 0.0
