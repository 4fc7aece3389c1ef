"""An adjudicator's home: the queue, and their day."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count
from django.utils import timezone

from annotator.agreement.models import Agreement
from annotator.common.dates import WEEK, midnight
from annotator.common.display_names import default_label_title
from annotator.corpora.models import Corpus, Label, User
from annotator.corpora.queries import labels_of
from annotator.gold import queries as golds
from annotator.gold.models import Adjudication, AdjudicationKind, Segment
from annotator.home.hours import Bar, Hourly, bars_of

SHOWN = 10
SHOWN_CLAUSES = 5

# Two labels between which annotators disagree; None: unmarked.
Dispute = tuple[str | None, str | None]


class Queued(NamedTuple):
    """One page of the queue."""

    adjudication: Adjudication
    segments: int
    # The labels, by title and number, that most characters in dispute are about; empty while the verdict is
    # open. None: unmarked.
    main: list[tuple[str, int] | None]
    # Per cent of the largest dispute of the list.
    share: str


@dataclass(frozen=True)
class AdjudicatorSummary(Hourly):
    first: Adjudication | None
    segments: int
    waiting: int
    # Without audits: nothing is to tell them apart before they are open.
    queue: list[Queued]
    has_audits: bool
    adjudicated_today: int
    segments_today: int
    hours: tuple[Bar, ...]
    new_today: int
    # Pages whose annotations are being compared, which may come into the queue.
    comparing: int
    # The clauses of the guideline cited in the corpus this week, with how often.
    clauses: list[tuple[str, int]]

    @property
    def oldest(self) -> datetime | None:
        """When the page of the list that waits longest came into the queue."""
        return min((each.adjudication.opened_at for each in self.queue), default=None)


def summary_of(user: User, corpus: Corpus) -> AdjudicatorSummary:
    now = timezone.now()
    today = midnight(now)
    waiting = golds.claimable(corpus, user, now)
    first = waiting.select_related("round__page").first()
    listed = list(
        waiting.exclude(kind=AdjudicationKind.AUDIT)
        .select_related("round__page", "comparison")
        .only("kind", "opened_at", "verdict", "weight", "why", "deferred_at", "adjudicator", "comparison__f1",
              *(f"round__page__{name}" for name in ("title", "url", "site", "language", "sha256")))[:SHOWN]
    )  # fmt: skip
    own = golds.adjudicated(corpus, user).filter(finalised_at__gte=today)
    adjudicated = list(own.annotate(n=Count("segments")).values_list("finalised_at", "n"))
    return AdjudicatorSummary(
        first=first,
        segments=first.segments.count() if first and first.kind == AdjudicationKind.DISPUTE else 0,
        waiting=waiting.count(),
        queue=_queued(listed, labels_of(corpus)),
        has_audits=corpus.audit_share > 0,
        adjudicated_today=len(adjudicated),
        segments_today=sum(n for _at, n in adjudicated),
        hours=tuple(bars_of((at, 0) for at, _n in adjudicated if at)),
        new_today=golds.adjudications_for(corpus, user).filter(opened_at__gte=today).count(),
        comparing=Agreement.objects.of_corpus(corpus).open().count(),
        clauses=_cited(corpus, now - WEEK),
    )


def _queued(listed: list[Adjudication], labels: list[Label]) -> list[Queued]:
    # Home is a screen of no corpus: the titles of its labels are not at hand.
    titled = {label.name: (str(label), label.number) for label in labels}
    segments: dict[int, list[Segment]] = {each.pk: [] for each in listed}
    for segment in Segment.objects.filter(adjudication__in=segments).only("adjudication", "pieces"):
        segments[segment.adjudication_id].append(segment)
    largest = max((each.weight for each in listed), default=0) or 1
    found = []
    for each in listed:
        own = segments[each.pk] if each.kind == AdjudicationKind.DISPUTE else []
        names = main_dispute(segment.pieces for segment in own) or ()
        main = [titled.get(name, (default_label_title(name), 0)) if name else None for name in names]
        found.append(Queued(each, len(own), main, f"{100 * each.weight / largest:.1f}%"))
    return found


def main_dispute(pieces: Iterable[list[tuple[int, int, list[str | None]]]]) -> Dispute | None:
    """Return the two labels that stand against each other over most characters, the first by name first."""
    characters: Counter[Dispute] = Counter()
    for segment in pieces:
        for start, end, labels in segment:
            different = sorted(set(labels), key=lambda label: (label is None, label or ""))
            if len(different) > 1:
                characters[different[0], different[1]] += end - start
    return characters.most_common(1)[0][0] if characters else None


def _cited(corpus: Corpus, since: datetime) -> list[tuple[str, int]]:
    decided = Segment.objects.filter(adjudication__round__page__corpus=corpus, decided_at__gte=since)
    counted = decided.exclude(clause="").order_by().values("clause").annotate(n=Count("pk"))
    return list(counted.order_by("-n", "clause").values_list("clause", "n")[:SHOWN_CLAUSES])
