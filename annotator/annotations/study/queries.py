"""The current study settings."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.annotations.study.models import StudyDesign
from annotator.common.roles import ANNOTATOR
from annotator.corpora.models import Corpus, Membership, User


def newest(corpus: Corpus) -> StudyDesign | None:
    """The current version; None before the first round, unless one was made with the corpus."""
    return StudyDesign.objects.filter(corpus=corpus).order_by("-number").first()


def current_where(wanted: Q) -> QuerySet[StudyDesign]:
    """The current versions of corpora, those that are as wanted."""
    later = StudyDesign.objects.filter(corpus=OuterRef("corpus"), number__gt=OuterRef("number"))
    return StudyDesign.objects.filter(wanted).exclude(Exists(later)).order_by()


def current(corpus: Corpus) -> StudyDesign:
    """The current version, or an unsaved one with number 0, the defaults of the first round."""
    return newest(corpus) or StudyDesign(corpus=corpus, number=0, seed=corpus.seed)


def versions(corpus: Corpus) -> QuerySet[StudyDesign]:
    found = StudyDesign.objects.filter(corpus=corpus).select_related("made_by").prefetch_related("people")
    return found.annotate(rounds_opened=Count("rounds")).order_by("-number")


def annotators(corpus: Corpus) -> QuerySet[User]:
    """The current annotators of the corpus whose accounts are active."""
    now = Membership.objects.filter(corpus=corpus, role=ANNOTATOR, ended_at=None)
    found = User.objects.filter(pk__in=now.values("user"), is_active=True)
    return found.order_by("first_name__folded", "username")
