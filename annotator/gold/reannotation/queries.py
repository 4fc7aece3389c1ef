"""The progress of re-annotations."""

from django.db.models import Count, Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.gold.reannotation.models import Reannotation, ReannotationExclusion, ReannotationPage


def reannotations(corpus: Corpus) -> QuerySet[Reannotation]:
    """The newest first, with the numbers of their pages: opened, left, excluded by reason, finalised."""
    made = Reannotation.objects.filter(corpus=corpus).select_related("requested_by", "corpus")
    return made.annotate(
        pages=Count("rows"),
        opened=Count("rows__round"),
        left=Count("rows", filter=Q(rows__round=None, rows__exclusion="")),
        in_work=Count("rows", filter=Q(rows__exclusion=ReannotationExclusion.IN_WORK)),
        gone=Count("rows", filter=Q(rows__exclusion=ReannotationExclusion.GONE)),
        too_few=Count("rows", filter=Q(rows__exclusion=ReannotationExclusion.TOO_FEW)),
        finalised=Count("rows", filter=Q(rows__round__finalised_at__isnull=False)),
    ).order_by("-requested_at", "-pk")


def unfinished(corpus: Corpus) -> Reannotation | None:
    """The one that is running or stopped: there is at most one."""
    return reannotations(corpus).filter(finished_at=None).first()


def waiting(reannotation: Reannotation) -> QuerySet[ReannotationPage]:
    """Pages whose round is still to be opened."""
    return ReannotationPage.objects.filter(reannotation=reannotation, round=None, exclusion="")


def is_active(pk: int) -> bool:
    """Whether it was not stopped."""
    return Reannotation.objects.filter(pk=pk, stopped_at=None).exists()
