"""Which scores are missing, and the version of the leaderboard."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from annotator.common.work import WorkQuerySet
from annotator.corpora.models import Corpus
from annotator.gold.models import NOT_BY_PEOPLE, Gold
from annotator.runs.models import Extraction
from annotator.scoring.models import LeaderboardVersion, PageToCount, Score

JUST_NOW = timedelta(minutes=1)


def leaderboard_version(corpus: Corpus) -> int:
    """Return a number that changes whenever a figure of the leaderboard may have changed."""
    return LeaderboardVersion.objects.filter(corpus=corpus).values_list("number", flat=True).first() or 0


def is_just_made(gold: Gold) -> bool:
    """Whether people have made it a moment ago, and may be looking for it on a leaderboard."""
    return gold.source not in NOT_BY_PEOPLE and gold.finalised_at > timezone.now() - JUST_NOW


def is_awaited(corpus: Corpus) -> bool:
    """Whether a page is to be counted whose gold is just made."""
    made = Gold.objects.filter(page__corpus=corpus, finalised_at__gt=timezone.now() - JUST_NOW)
    noted = PageToCount.objects.filter(corpus=corpus.pk, page=OuterRef("page"))
    return made.exclude(source__in=NOT_BY_PEOPLE).filter(Exists(noted)).exists()


def scores_to_compute(keys: Collection[int]) -> WorkQuerySet[Score]:
    """Return these scores, those of one gold together, with all that computing them needs."""
    rows = Score.objects.filter(pk__in=keys).select_related("extraction__extractor").order_by("gold", "pk")
    return rows.defer("extraction__reasons").prefetch_related("gold__document", "gold__page__corpus")


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
