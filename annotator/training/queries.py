"""Models of a corpus, and who may change them."""

from django.db.models import Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.training.models import LearningCurve, TrainedModel


def models_of(corpus: Corpus) -> QuerySet[TrainedModel]:
    """The corpus's models, newest first."""
    rows = TrainedModel.objects.filter(corpus=corpus)
    related = rows.select_related("release", "extractor", "requested_by")
    return related.defer("release__manifest", "release__datasheets")


def newest_curves(corpus: Corpus) -> QuerySet[LearningCurve]:
    """The newest learning curve, and the newest that was measured, if that is another one."""
    rows = LearningCurve.objects.filter(corpus=corpus).select_related("release")
    newest = rows.order_by("-pk").values("pk")[:1]
    measured = rows.filter(result__isnull=False).order_by("-pk").values("pk")[:1]
    found = rows.filter(Q(pk__in=newest) | Q(pk__in=measured)).order_by("-pk")
    return found.defer("release__manifest", "release__datasheets")
