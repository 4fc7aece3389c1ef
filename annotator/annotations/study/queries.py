"""The design that stands, and what it allows whom."""

from django.db.models import Count, QuerySet

from annotator.annotations.study.models import StudyDesign, Who
from annotator.corpora.models import Corpus, Membership, Role, User


def newest(corpus: Corpus) -> StudyDesign | None:
    """The version that stands; None before the first round."""
    return StudyDesign.objects.filter(corpus=corpus).order_by("-number").first()


def versions(corpus: Corpus) -> QuerySet[StudyDesign]:
    found = StudyDesign.objects.filter(corpus=corpus).select_related("made_by").prefetch_related("people")
    return found.annotate(rounds_opened=Count("rounds")).order_by("-number")


def annotators(corpus: Corpus) -> QuerySet[User]:
    """Who annotates in the corpus now."""
    now = Membership.objects.filter(corpus=corpus, role=Role.ANNOTATOR, ended_at=None)
    return User.objects.filter(pk__in=now.values("user")).order_by("first_name", "username")


def is_allowed(design: StudyDesign | None, annotator: User) -> bool:
    """Whether she may take pages at all."""
    if design is None or design.who != Who.NAMED:
        return True
    return design.people.filter(pk=annotator.pk).exists()
