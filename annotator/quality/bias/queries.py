"""What annotators were shown, what they marked, and what gold changed of it."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from annotator.agreement.comparison import Participant
from annotator.agreement.queries import compared_at_first, state_of
from annotator.annotations.models import Purpose, Round
from annotator.annotations.study.weights import page_weights
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold, GoldSource
from annotator.quality.bias.figures import Observation
from annotator.quality.bias.models import AdjudicationDelta, BiasReport

CHUNK = 500


def without_delta(since: datetime | None = None) -> QuerySet[Gold]:
    """The gold of main rounds, made after `since`, that was not compared with its annotations."""
    found = main_round_gold().filter(delta=None)
    return (found.filter(finalised_at__gte=since) if since else found).order_by("pk")


def main_round_gold() -> QuerySet[Gold]:
    """The gold of each page made from two or more annotations of its main round, whose arms were drawn.

    It need not be current: the page may have been re-annotated or re-parsed since.
    """
    reannotated = Round.objects.filter(
        page=OuterRef("page"), purpose=Purpose.GUIDELINE, opened_at__lte=OuterRef("finalised_at")
    )
    several = Gold.objects.filter(
        source__in=(GoldSource.UNANIMOUS, GoldSource.ADJUDICATED), page__takedown=None
    ).exclude(Exists(reannotated))
    newer = several.filter(page=OuterRef("page"), number__gt=OuterRef("number"))
    return several.exclude(Exists(newer))


def deltas(corpus: Corpus) -> QuerySet[AdjudicationDelta]:
    return AdjudicationDelta.objects.done().filter(gold__in=main_round_gold(), gold__page__corpus=corpus)


def state(corpus: Corpus) -> str:
    """Changes with the state of agreement and with every finished delta."""
    finished = deltas(corpus).aggregate(n=Count("pk"), last=Max("pk"))
    parts = (state_of(corpus), str(finished["n"]), str(finished["last"]))
    return sha256(":".join(parts).encode()).hexdigest()


def latest_report(corpus: Corpus) -> BiasReport | None:
    """The newest finished report, of any state."""
    return BiasReport.objects.done().filter(corpus=corpus).order_by("-pk").first()


def observations(corpus: Corpus) -> Iterator[Observation]:
    """Every annotation of a compared page."""
    differences = dict(deltas(corpus).values_list("gold__page", "differences"))
    weights = page_weights(corpus)
    rows = compared_at_first(corpus).order_by("round__page")
    columns = rows.values_list("round__page", "round__page__sha256", "participants")
    for page, digest, participants in columns.iterator(chunk_size=CHUNK):
        of_page = differences.get(page, {})
        for each in map(Participant.from_json, participants):
            changed = of_page.get(each.key)
            yield Observation(
                page=page,
                shown=each.shown,
                seconds=each.seconds,
                overlaps=each.overlaps,
                changed=(changed[0], changed[1]) if changed else None,
                weight=weights.get(page, 1.0),
                digest=digest,
            )
