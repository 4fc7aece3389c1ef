"""What annotators said on each page, after what they were shown, and what settling made of it."""

from collections.abc import Iterator
from hashlib import sha256

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from annotator.agreement.counting import Part
from annotator.agreement.queries import State, compared_at_first, state_of
from annotator.annotations.models import Purpose, Round
from annotator.annotations.study.weights import page_weights
from annotator.bias.figures import Observation
from annotator.bias.models import BiasReport, Change
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold, Source

CHUNK = 500


def settled_gold() -> QuerySet[Gold]:
    """The gold to which two or more annotations of a page's main round came, whose arms were drawn.

    Other gold may stand by now: the page was annotated anew, or its document moved.
    """
    several = Gold.objects.filter(
        source__in=(Source.UNANIMOUS, Source.ADJUDICATED), page__takedown=None
    ).exclude(Exists(_rounds_before(OuterRef("page"), OuterRef("settled_at"))))
    newer = several.filter(page=OuterRef("page"), number__gt=OuterRef("number"))
    return several.exclude(Exists(newer))


def _rounds_before(page: OuterRef, moment: OuterRef) -> QuerySet[Round]:
    """Rounds for another guideline that were open by then."""
    return Round.objects.filter(page=page, purpose=Purpose.GUIDELINE, opened_at__lte=moment)


def changes(corpus: Corpus) -> QuerySet[Change]:
    return Change.objects.filter(
        gold__in=settled_gold(), gold__page__corpus=corpus, finished_at__isnull=False, error=""
    )


def state(corpus: Corpus) -> State:
    """The state of agreement, and of what settling changed: either makes another report."""
    settled = changes(corpus).aggregate(n=Count("pk"), last=Max("pk"))
    compared = state_of(corpus)
    parts = (compared.version, str(settled["n"]), str(settled["last"]))
    return State(compared.pages, sha256(":".join(parts).encode()).hexdigest())


def latest_report(corpus: Corpus) -> BiasReport | None:
    """The newest finished report, of whatever state."""
    made = BiasReport.objects.filter(corpus=corpus, finished_at__isnull=False, error="")
    return made.order_by("-pk").first()


def observations(corpus: Corpus) -> Iterator[Observation]:
    """Every annotation of a compared page."""
    settled = dict(changes(corpus).values_list("gold__page", "found"))
    weights = page_weights(corpus)
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
                weight=weights.get(page, 1.0),
            )


def digests(corpus: Corpus) -> dict[int, str]:
    """The digests of compared pages, by which exports call them."""
    return dict(compared_at_first(corpus).values_list("round__page", "round__page__sha256"))
