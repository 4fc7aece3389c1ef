"""Creates the demo: a corpus with some weeks behind it, and one to practise on."""

from collections import defaultdict
from itertools import chain, islice, zip_longest

from django.db import transaction
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.demo.composing import compose
from annotator.demo.history import FIRST_PAGE, SLUG, History
from annotator.demo.stories import Story, read_stories

# Fewer pages do not fill the screens.
LEAST_PAGES = 10


@transaction.atomic
def create_demo(most: int | None = None) -> Corpus:
    """Create the demo corpus, unless there is one: of all its pages, or so many of different sites.

    All of it or nothing, so that whoever stops the first start in the middle gets a whole demo at the next.
    """
    found = Corpus.objects.filter(slug=SLUG).first()
    if found:
        return found
    stories = _varied(max(most, LEAST_PAGES)) if most is not None else read_stories()
    return History([compose(story) for story in stories], timezone.now()).write()


def _varied(most: int) -> list[Story]:
    """So many stories, of one site after the other; the one that opens first is the first of its site."""
    by_site: dict[str, list[Story]] = defaultdict(list)
    for story in sorted(read_stories(), key=lambda story: story.slug != FIRST_PAGE):
        by_site[story.site].append(story)
    in_turn = chain.from_iterable(zip_longest(*by_site.values()))
    return list(islice(filter(None, in_turn), most))
