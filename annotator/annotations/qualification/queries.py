"""Whether an annotator may take a corpus's own pages."""

from annotator.annotations.qualification.models import PracticeSettings, Qualification
from annotator.corpora.models import Corpus


def newest(corpus: Corpus) -> PracticeSettings | None:
    """The current version; None where practice was never set up."""
    return corpus.practices.select_related("source").order_by("-number").first()


def must_practise(corpus_id: int, annotator_id: int) -> bool:
    """Whether the annotator has to pass practice before the next page."""
    versions = PracticeSettings.objects.filter(corpus=corpus_id).order_by("-number")
    if versions.values_list("source", flat=True).first() is None:
        return False
    return not Qualification.objects.filter(corpus=corpus_id, annotator=annotator_id).exists()
