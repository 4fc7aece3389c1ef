"""How far a renewal is, and what came of it."""

from django.db.models import Count, Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.renewal.models import Renewal, RenewedPage, Why


def renewals(corpus: Corpus) -> QuerySet[Renewal]:
    """The newest first, with its pages by what became of them: opened, left, left out and why, settled."""
    made = Renewal.objects.filter(corpus=corpus).select_related("requested_by", "corpus")
    return made.annotate(
        pages=Count("rows"),
        opened=Count("rows__round"),
        left=Count("rows", filter=Q(rows__round=None, rows__left_out="")),
        in_work=Count("rows", filter=Q(rows__left_out=Why.IN_WORK)),
        gone=Count("rows", filter=Q(rows__left_out=Why.GONE)),
        too_few=Count("rows", filter=Q(rows__left_out=Why.TOO_FEW)),
        settled=Count("rows", filter=Q(rows__round__settled_at__isnull=False)),
    ).order_by("-requested_at", "-pk")


def unfinished(corpus: Corpus) -> Renewal | None:
    """The one that is not done, be it stopped: there is at most one."""
    return renewals(corpus).filter(finished_at=None).first()


def waiting(renewal: Renewal) -> QuerySet[RenewedPage]:
    """Pages whose turn has not come."""
    return RenewedPage.objects.filter(renewal=renewal, round=None, left_out="")


def goes_on(pk: int) -> bool:
    """Whether nobody has stopped it."""
    return Renewal.objects.filter(pk=pk, stopped_at=None).exists()
