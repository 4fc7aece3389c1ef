"""What annotators said on each page, after what they were shown, and what settling made of it."""

from collections.abc import Iterator

from django.core.cache import cache
from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from annotator import __version__
from annotator.agreement.counting import Part
from annotator.agreement.queries import compared_at_first, extractors, state_of
from annotator.annotations.models import Purpose, Round
from annotator.bias.figures import Observation, Report, report
from annotator.bias.models import Change
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold, Source

CHUNK = 500
KEPT_SECONDS = 3600


def settled_gold() -> QuerySet[Gold]:
    """Current gold that came of two or more annotations of its page's main round, whose arms were drawn."""
    anew = Round.objects.filter(page=OuterRef("page"), purpose=Purpose.GUIDELINE, settled_at__isnull=False)
    several = Gold.objects.filter(current=True, source__in=(Source.UNANIMOUS, Source.ADJUDICATED))
    return several.exclude(Exists(anew))


def changes(corpus: Corpus) -> QuerySet[Change]:
    return Change.objects.filter(
        gold__page__corpus=corpus, gold__current=True, finished_at__isnull=False, error=""
    )


def bias_report(corpus: Corpus) -> Report:
    """The report, worked out once for each state of the corpus."""
    settled = changes(corpus).aggregate(n=Count("pk"), last=Max("pk"))
    key = f"bias:{__version__}:{corpus.pk}:{state_of(corpus).version}:{settled['n']}:{settled['last']}"
    found: Report | None = cache.get(key)
    if found is None:
        found = report(list(observations(corpus)), extractors(corpus))
        cache.set(key, found, KEPT_SECONDS)
    return found


def observations(corpus: Corpus) -> Iterator[Observation]:
    """Every annotation of a compared page."""
    settled = dict(changes(corpus).values_list("gold__page", "found"))
    rows = compared_at_first(corpus).filter(tally__isnull=False).order_by("round__page")
    for page, parts in rows.values_list("round__page", "tally__parts").iterator(chunk_size=CHUNK):
        found = settled.get(page, {})
        for part in map(Part.from_json, parts):
            changed = found.get(part.name)
            yield Observation(
                page=page,
                shown=part.shown,
                seconds=part.seconds,
                overlaps=part.overlaps,
                changed=(changed[0], changed[1]) if changed else None,
            )


def digests(corpus: Corpus) -> dict[int, str]:
    """The digests of compared pages, by which exports call them."""
    return dict(compared_at_first(corpus).values_list("round__page", "round__page__sha256"))
