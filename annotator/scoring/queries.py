"""Which cells of (gold, extraction) are missing."""

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.corpora.models import Corpus
from annotator.runs.models import Extraction
from annotator.scoring.models import Score


def unscored(corpus: Corpus | None = None) -> QuerySet[Extraction]:
    """Finished extractions of documents with current gold, without a score against it."""
    scored = Score.objects.filter(extraction=OuterRef("pk"), gold=OuterRef("gold_id"))
    cells = (
        Extraction.objects.filter(finished_at__isnull=False, document__gold__current=True)
        .annotate(gold_id=F("document__gold"))
        .exclude(Exists(scored))
    )
    return cells.filter(document__page__corpus=corpus) if corpus else cells


def unmeasured() -> QuerySet[Score]:
    """Finished scores of current gold that an earlier version made, and that have no measurement."""
    return Score.objects.filter(
        gold__current=True, finished_at__isnull=False, error="", measurement=None
    ).order_by("pk")
