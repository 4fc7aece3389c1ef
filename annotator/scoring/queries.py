"""Which scores are missing."""

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.corpora.models import Corpus
from annotator.runs.models import Extraction
from annotator.scoring.models import Score

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class _Unscored(TypedDict):
    gold_id: int


def unscored(corpus: Corpus | None = None) -> "QuerySet[WithAnnotations[Extraction, _Unscored]]":
    """Return the finished extractions that have no score against the current gold of their document."""
    scored = Score.objects.filter(extraction=OuterRef("pk"), gold=OuterRef("gold_id"))
    extractions = (
        Extraction.objects.filter(finished_at__isnull=False, document__gold__current=True)
        .annotate(gold_id=F("document__gold"))
        .exclude(Exists(scored))
    )
    return extractions.filter(document__page__corpus=corpus) if corpus else extractions
