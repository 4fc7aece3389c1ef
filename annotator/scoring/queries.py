"""Which scores are missing, and the version of the leaderboard."""

from datetime import datetime

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.runs.models import Extraction
from annotator.scoring.models import LeaderboardVersion, Score


def leaderboard_version(corpus: Corpus) -> int:
    """Return a number that changes whenever a figure of the leaderboard may have changed."""
    return LeaderboardVersion.objects.filter(corpus=corpus).values_list("number", flat=True).first() or 0


def unscored(since: datetime | None = None) -> QuerySet[Extraction, tuple[int, int]]:
    """Return the pairs of current gold and a finished extraction of its document that have no score.

    With `since` those of which either was made later.
    """
    scored = Score.objects.filter(extraction=OuterRef("pk"), gold=OuterRef("gold_id"))
    pairs = (
        Extraction.objects.filter(finished_at__isnull=False, document__gold__current=True)
        .annotate(gold_id=F("document__gold"))
        .exclude(Exists(scored))
        .values_list("gold_id", "pk")
    )
    if since is None:
        return pairs
    # One condition with "or" would read every extraction.
    golds = Gold.objects.filter(finalised_at__gte=since).values("document")
    return pairs.filter(finished_at__gte=since).union(pairs.filter(document__in=golds))
