"""Whether an annotator may take a corpus's own pages."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.annotations.practice.models import Admission, Practice
from annotator.corpora.models import Corpus, User


def newest(corpus: Corpus) -> Practice | None:
    """The version that stands; None where practice was never set."""
    return corpus.practices.select_related("source").order_by("-number").first()


def asked(corpus_id: int) -> QuerySet[Practice]:
    """The version that stands, if it asks for practice."""
    later = Practice.objects.filter(corpus=OuterRef("corpus"), number__gt=OuterRef("number"))
    return Practice.objects.filter(corpus=corpus_id, source__isnull=False).exclude(Exists(later)).order_by()


def admissions(corpus_id: int, annotator_id: int) -> QuerySet[Admission]:
    return Admission.objects.filter(corpus=corpus_id, annotator=annotator_id).order_by()


def lets_through(corpus_id: int, annotator_id: int) -> Q:
    """True, in any query, where she may take pages of the corpus: a claim asks it in its own statement."""
    return Q(~Exists(asked(corpus_id))) | Q(Exists(admissions(corpus_id, annotator_id)))


def must_practise(corpus: Corpus, annotator: User) -> bool:
    """Whether practice is asked of her before the next page."""
    is_through = Exists(admissions(corpus.pk, annotator.pk))
    return asked(corpus.pk).exclude(is_through).exists()
