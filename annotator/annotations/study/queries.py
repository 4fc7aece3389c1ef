"""The design that stands, and what it allows whom."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.annotations.study.models import StudyDesign, Who
from annotator.common.written import Written
from annotator.corpora.models import Corpus, Membership, Role, User

_newest = Written(lambda corpus: StudyDesign.objects.filter(corpus=corpus).order_by("-number")[:1])


def newest(corpus: Corpus) -> StudyDesign | None:
    """The version that stands; None before the first round, unless one was made with the corpus."""
    return _newest.first(corpus=corpus.pk)


def standing_where(wanted: Q, corpus: Any) -> QuerySet[StudyDesign]:
    """The version that stands, if it is as wanted: for questions that go on from there."""
    later = StudyDesign.objects.filter(corpus=OuterRef("corpus"), number__gt=OuterRef("number"))
    return StudyDesign.objects.filter(wanted, corpus=corpus).exclude(Exists(later)).order_by()


# Hidden checks or second readings are wanted.
GIVES_AGAIN = Q(check_rate__gt=0) | Q(repeat_rate__gt=0)


def standing(corpus: Corpus) -> StudyDesign:
    """The version that stands, or what the first page will be opened under: number 0, in no table."""
    return newest(corpus) or StudyDesign(corpus=corpus, number=0, seed=corpus.seed)


def versions(corpus: Corpus) -> QuerySet[StudyDesign]:
    found = StudyDesign.objects.filter(corpus=corpus).select_related("made_by").prefetch_related("people")
    return found.annotate(rounds_opened=Count("rounds")).order_by("-number")


def annotators(corpus: Corpus) -> QuerySet[User]:
    """Who annotates in the corpus now."""
    now = Membership.objects.filter(corpus=corpus, role=Role.ANNOTATOR, ended_at=None)
    return User.objects.filter(pk__in=now.values("user")).order_by("first_name", "username")


def given_pages(corpus: Corpus) -> QuerySet[User]:
    """Annotators who are given pages under the design that stands."""
    design = newest(corpus)
    found = annotators(corpus).filter(is_active=True)
    return found.filter(pk__in=design.people.all()) if design and design.who == Who.NAMED else found


def is_allowed(design: StudyDesign | None, annotator: User) -> bool:
    """Whether she may take pages at all."""
    if design is None or design.who != Who.NAMED:
        return True
    return design.people.filter(pk=annotator.pk).exists()
