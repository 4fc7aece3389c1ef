"""Which disputes wait for whom, and which rounds wait to be settled."""

import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from annotator.agreement.models import Agreement
from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round
from annotator.annotations.queries import submissions
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication, Gold, Kind, Segment, Source
from annotator.pages.models import Document, Page

# An audit takes its place in the queue from one of so many disputes.
LAST = 200


def rounds_to_settle() -> QuerySet[Round]:
    """Compared rounds of which neither gold nor an adjudication has come."""
    edition = {"round": OuterRef("pk"), "edition": OuterRef("edition")}
    compared = Agreement.objects.filter(**edition, finished_at__isnull=False, error="")
    disputed = Adjudication.objects.filter(**edition)
    return (
        Round.objects.filter(Exists(compared), settled_at=None)
        .exclude(Exists(disputed))
        .select_related("page")
    )


def open_disputes() -> QuerySet[Adjudication]:
    """Neither settled nor superseded, as happens when an annotator hands in again what she had handed in."""
    return Adjudication.objects.filter(settled_at=None, edition=F("round__edition"))


def disputes_for(corpus: Corpus, user: User) -> QuerySet[Adjudication]:
    """Open disputes that she may settle: not of her own pages, unless the corpus allows it (law 4)."""
    open_ones = open_disputes().filter(round__page__corpus=corpus)
    if corpus.annotators_may_adjudicate:
        return open_ones
    return open_ones.exclude(Exists(own_annotations(user)))


def own_annotations(user: User) -> QuerySet[Annotation]:
    """Hers on the page of the adjudication in question, whatever became of them."""
    return Annotation.objects.filter(slot__round__page=OuterRef("round__page"), annotator=user)


def document_of(adjudication: Adjudication) -> Document:
    """The document that all of it speaks of: its annotators', or that of the gold that is looked at again."""
    if adjudication.reopens:
        return adjudication.reopens.document
    return submissions(adjudication.round)[0].document


def weight_like_others(corpus: Corpus, dice: random.Random) -> int | None:
    """What is in dispute on one of the corpus's last disputed pages; None where there was none yet."""
    disputes = Adjudication.objects.filter(round__page__corpus=corpus, kind=Kind.DISPUTE)
    weights = disputes.exclude(verdict="").order_by("-pk").values_list("weight", flat=True)[:LAST]
    return dice.choice(sorted(weights)) if weights else None


def claimable(corpus: Corpus, user: User, now: datetime) -> QuerySet[Adjudication]:
    """Pages that nobody else has open: her own first, then open verdicts, then where most is in dispute."""
    free = Q(adjudicator=None) | Q(lease_until=None) | Q(lease_until__lt=now) | Q(adjudicator=user)
    return (
        disputes_for(corpus, user)
        .filter(free)
        .annotate(hers=Q(adjudicator=user), judged=~Q(verdict=""))
        .order_by(
            "-hers", F("put_off_at").asc(nulls_first=True), "judged", "-weight", "round__page__sha256", "id"
        )
    )


def adjudication_of(corpus: Corpus, user: User, pk: int) -> Adjudication | None:
    """The open dispute, if it is in her hands."""
    return (
        disputes_for(corpus, user)
        .filter(pk=pk, adjudicator=user)
        .select_related("round__page__corpus", "reopens__document")
        .first()
    )


def guideline_of(adjudication: Adjudication) -> int:
    """The newest version of the guideline under which this page was marked."""
    marked = Annotation.objects.filter(slot__round=adjudication.round, submitted_at__isnull=False)
    return int(marked.aggregate(newest=Max("guideline_version"))["newest"] or 1)


def open_segments(adjudication: Adjudication) -> QuerySet[Segment]:
    return adjudication.segments.filter(choice="")


def settled_today(corpus: Corpus, user: User) -> int:
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return Adjudication.objects.filter(
        round__page__corpus=corpus, adjudicator=user, settled_at__gte=midnight
    ).count()


def current_gold(corpus: Corpus) -> QuerySet[Gold]:
    """The gold that counts, one row a page."""
    return Gold.objects.filter(page__corpus=corpus, current=True)


def rounds_behind(golds: Sequence[Gold]) -> dict[int, Round]:
    """The round that each of these came of, or was carried over from; the main one, of gold without any.

    By the keys of the golds, where there is one.
    """
    rounds = defaultdict(list)
    for round_ in Round.objects.filter(page__in={gold.page_id for gold in golds}, purpose__in=TO_GOLD):
        rounds[round_.page_id].append(round_)
    found = {gold.pk: _behind(gold, rounds[gold.page_id]) for gold in golds}
    return {gold: round_ for gold, round_ in found.items() if round_}


def _behind(gold: Gold, rounds: list[Round]) -> Round | None:
    settled = [(each.settled_at, each) for each in rounds if each.settled_at]
    before = [(at, each) for at, each in settled if at <= gold.settled_at]
    if before:
        return max(before, key=itemgetter(0))[1]
    return next((each for each in rounds if each.purpose == Purpose.MAIN), None)


# ---- gold, version by version ----


def versions(page: Page) -> QuerySet[Gold]:
    """All gold of the page with who settled it, the newest first."""
    settled = page.gold.select_related("adjudication__adjudicator", "adjudication__reopened_by")
    return settled.order_by("-number")


def reopening_of(page: Page) -> Adjudication | None:
    """Where its gold is being looked at again."""
    return open_disputes().filter(round__page=page, kind=Kind.REOPENED).select_related("reopened_by").first()


class Audits(NamedTuple):
    """What became of the agreed pages that were looked at."""

    waiting: int
    confirmed: int
    changed: list[Gold]


def audit_figures(corpus: Corpus) -> Audits:
    settled = Gold.objects.filter(adjudication__in=audits(corpus)).select_related("page", "adjudication")
    return Audits(
        waiting=audits(corpus).filter(settled_at=None).count(),
        confirmed=settled.filter(source=Source.UNANIMOUS).count(),
        changed=list(settled.filter(source=Source.ADJUDICATED).order_by("-pk")),
    )


def audits(corpus: Corpus) -> QuerySet[Adjudication]:
    """Agreed pages that were drawn to be looked at, those that wait among them."""
    return Adjudication.objects.filter(round__page__corpus=corpus, kind=Kind.AUDIT)
