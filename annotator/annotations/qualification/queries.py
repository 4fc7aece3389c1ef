"""Whether an annotator may take a corpus's own pages."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.annotations.qualification.models import PracticeSettings, Qualification
from annotator.corpora.models import Corpus, User


def newest(corpus: Corpus) -> PracticeSettings | None:
    """The current version; None where practice was never set up."""
    return corpus.practices.select_related("source").order_by("-number").first()


def required_practice(corpus_id: int) -> QuerySet[PracticeSettings]:
    """The current version, if it requires practice."""
    later = PracticeSettings.objects.filter(corpus=OuterRef("corpus"), number__gt=OuterRef("number"))
    return (
        PracticeSettings.objects.filter(corpus=corpus_id, source__isnull=False)
        .exclude(Exists(later))
        .order_by()
    )


def qualifications_of(corpus_id: int, annotator_id: int) -> QuerySet[Qualification]:
    return Qualification.objects.filter(corpus=corpus_id, annotator=annotator_id).order_by()


def may_take_pages(corpus_id: int, annotator_id: int) -> Q:
    """Whether the annotator may take pages of the corpus, as a condition of any query."""
    return Q(~Exists(required_practice(corpus_id))) | Q(Exists(qualifications_of(corpus_id, annotator_id)))


def must_practise(corpus: Corpus, annotator: User) -> bool:
    """Whether the annotator has to practise before the next page."""
    is_qualified = Exists(qualifications_of(corpus.pk, annotator.pk))
    return required_practice(corpus.pk).exclude(is_qualified).exists()
