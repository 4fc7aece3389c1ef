"""How often the gold of a page counts in an estimate of its corpus."""

from annotator.annotations.study.weights import page_weights
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold, Source


def gold_weights(corpus: Corpus) -> dict[int, float]:
    """Page -> how many pages of the corpus its gold stands for; a page that is not in it stands for itself.

    So does a page whose gold came with it: it was not drawn, whatever has been annotated since.
    """
    weights = page_weights(corpus)
    if weights:
        came = Gold.objects.filter(page__corpus=corpus, source=Source.IMPORTED)
        for page in came.values_list("page", flat=True):
            weights.pop(page, None)
    return weights
