"""Adjudications and who may take them, rounds to finalise, gold and its versions."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from django.db.models import BooleanField, Exists, F, Func, Max, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from annotator.agreement.models import Agreement
from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round, Slot
from annotator.annotations.study.weights import page_weights
from annotator.corpora.models import Corpus, Label, User
from annotator.corpora.queries import label_names_of
from annotator.gold.models import Adjudication, AdjudicationKind, Gold, GoldSource, Segment
from annotator.gold.versions import Interval
from annotator.pages.models import Page, StoredDocument

# An audit gets the rank of one of so many past disputes.
PAST_DISPUTES = 200


def rounds_to_finalise(since: datetime | None = None) -> QuerySet[Round]:
    """Rounds without gold or an adjudication that were compared, after `since`."""
    edition = {"round": OuterRef("pk"), "edition": OuterRef("edition")}
    compared = Agreement.objects.done().filter(**edition)
    if since:
        compared = compared.filter(finished_at__gte=since)
    disputed = Adjudication.objects.filter(**edition)
    return (
        Round.objects.filter(Exists(compared), finalised_at=None)
        .exclude(Exists(disputed))
        .select_related("page")
    )


def open_adjudications() -> QuerySet[Adjudication]:
    """Neither finalised nor superseded, as happens when an annotator submits the page again.

    None of a page that was taken down.
    """
    standing = Adjudication.objects.filter(round__page__takedown=None)
    return standing.filter(finalised_at=None, edition=F("round__edition"))


def adjudications_for(corpus: Corpus, user: User) -> QuerySet[Adjudication]:
    """Open ones for the user: not of pages that they annotate or annotated (invariant 4)."""
    found = open_adjudications().filter(round__page__corpus=corpus)
    return found.exclude(annotates(user, OuterRef("round__page__sha256"), corpus))


def annotates(person: User | OuterRef, digest: OuterRef, corpus: Corpus) -> Q:
    """Whether the person annotated a page with these bytes, or is about to: they do not adjudicate it then.

    The corpus may allow it for pages that they annotated in it, but not in another one.
    """
    slots = Slot.objects.filter(round__page__sha256=digest)
    if corpus.annotators_may_adjudicate:
        slots = slots.exclude(corpus=corpus)
    # It may be claimed and not be opened, as when its window was closed. A reserve is asked later.
    active = slots.filter(annotator=person, reserved_at=None, submitted_at=None)
    return Q(Exists(slots.filter(annotations__annotator=person))) | Q(Exists(active))


def document_of(adjudication: Adjudication) -> StoredDocument:
    """The document of the compared annotations, or of the gold that was reopened."""
    if adjudication.reopens:
        return adjudication.reopens.document
    comparison = adjudication.comparison
    assert comparison is not None
    assert comparison.document is not None
    return comparison.document


def agreed_intervals(adjudication: Adjudication) -> list[Interval]:
    """What all annotators agreed on."""
    assert adjudication.comparison is not None
    agreed = adjudication.comparison.agreed
    return [(start, end, label, GoldSource.UNANIMOUS.value) for start, end, label in agreed]


def weight_like_others(corpus: Corpus, dice: random.Random) -> int | None:
    """The weight of one of the corpus's last disputes; None where there was none yet."""
    disputes = Adjudication.objects.filter(round__page__corpus=corpus, kind=AdjudicationKind.DISPUTE)
    weights = disputes.exclude(verdict="").order_by("-pk").values_list("weight", flat=True)[:PAST_DISPUTES]
    return dice.choice(sorted(weights)) if weights else None


def claimable(corpus: Corpus, user: User, now: datetime) -> QuerySet[Adjudication]:
    """Those that nobody else holds: the user's own first, then open verdicts, then the largest disputes."""
    free = Q(adjudicator=None) | Q(lease_until=None) | Q(lease_until__lt=now) | Q(adjudicator=user)
    return (
        adjudications_for(corpus, user)
        .filter(free)
        .annotate(own=Coalesce(Q(adjudicator=user), Value(False)), judged=~Q(verdict=""))
        .order_by(
            "-own",
            F("deferred_at").asc(nulls_first=True),
            "judged",
            "-weight",
            "round__page__sha256",
            "id",
        )
    )


def adjudication_of(corpus: Corpus, user: User, pk: int) -> Adjudication | None:
    """The open adjudication, if the user holds it."""
    return (
        adjudications_for(corpus, user)
        .filter(pk=pk, adjudicator=user)
        .select_related("round__page__corpus", "reopens__document", "comparison")
        .defer("comparison__confusion", "comparison__counts", "comparison__participants")
        .first()
    )


def guideline_of(adjudication: Adjudication) -> int:
    """The newest guideline version under which the page was annotated."""
    marked = Annotation.objects.filter(slot__round=adjudication.round, submitted_at__isnull=False)
    return int(marked.aggregate(newest=Max("guideline_version"))["newest"] or 1)


def open_segments(adjudication: Adjudication) -> QuerySet[Segment]:
    return adjudication.segments.filter(choice="")


def adjudicated(corpus: Corpus, user: User) -> QuerySet[Adjudication]:
    """Those that the user has submitted."""
    own = Adjudication.objects.filter(round__page__corpus=corpus, adjudicator=user)
    return own.filter(finalised_at__isnull=False).order_by()


def current_gold(corpus: Corpus) -> QuerySet[Gold]:
    """The current gold, one row per page."""
    return Gold.objects.filter(page__corpus=corpus, current=True)


def labels_given_in(round_: Round, spans: Iterable[Interval]) -> set[str]:
    """The labels that the gold of a round tells apart: its own, and those that all its annotators could give.

    Where one was added after they were assigned the page, nobody has said that the page has nothing of it.
    """
    annotated = round_.slots.filter(submitted_at__isnull=False).aggregate(at=Min("claimed_at"))
    return {*label_names_of(round_.page.corpus, annotated["at"]), *(label for _, _, label, _ in spans)}


def comparable_gold(corpus: Corpus, source: Corpus) -> QuerySet[Gold]:
    """The current gold of `source` that an annotator of `corpus` could have made with its labels of now.

    It tells all of them apart, and marks nothing with another one, such as one that was retired since, or one
    that neither corpus has.
    """
    labels = list(Label.objects.filter(corpus__in=(corpus, source)))
    given = {label.name for label in labels if label.corpus_id == corpus.pk and label.retired_at is None}
    known = {label.name for label in labels}
    found = current_gold(source).filter(
        distinguishable_labels__contains=sorted(given), distinguishable_labels__contained_by=sorted(known)
    )
    for other in known - given:
        found = found.exclude(marked_as(other))
    return found


def marked_as(label: str) -> Func:
    """Whether any span of the gold has the label."""
    given = Value(json.dumps({"label": label}))
    path = Value("strict $[*] ? (@[2] == $label)")
    return Func(F("spans"), path, given, function="jsonb_path_exists", output_field=BooleanField())


def rounds_behind(golds: Sequence[Gold]) -> dict[int, Round]:
    """The round behind each gold, by the gold's key: the last one finalised before it.

    The main round where there is none, as for imported gold; a page without a round has no entry.
    """
    rounds = defaultdict(list)
    for round_ in Round.objects.filter(page__in={gold.page_id for gold in golds}, purpose__in=TO_GOLD):
        rounds[round_.page_id].append(round_)
    found = {gold.pk: _behind(gold, rounds[gold.page_id]) for gold in golds}
    return {gold: round_ for gold, round_ in found.items() if round_}


def _behind(gold: Gold, rounds: list[Round]) -> Round | None:
    before = [each for each in rounds if each.finalised_at and each.finalised_at <= gold.finalised_at]
    if before:
        return max(before, key=attrgetter("finalised_at"))
    return next((each for each in rounds if each.purpose == Purpose.MAIN), None)


def gold_weights(corpus: Corpus) -> dict[int, float]:
    """Page -> how many pages of the corpus its gold stands for; a page that is not listed stands for itself.

    So does a page with imported gold: it was not drawn, even if it has been annotated since.
    """
    weights = page_weights(corpus)
    if weights:
        imported = Gold.objects.filter(page__corpus=corpus, source=GoldSource.IMPORTED)
        for page in imported.values_list("page", flat=True):
            weights.pop(page, None)
    return weights


# ---- the versions of a page's gold ----


def versions(page: Page) -> QuerySet[Gold]:
    """All gold of the page with its adjudicators, the newest first."""
    made = page.gold.select_related("adjudication__adjudicator", "adjudication__reopened_by")
    return made.order_by("-number")


def newest_on(document: StoredDocument) -> Gold | None:
    """The newest gold on a document; imported gold only where nobody has made any (`add_gold`: it yields)."""
    made = Gold.objects.filter(document=document).annotate(imported=Q(source=GoldSource.IMPORTED))
    return made.select_related("document").order_by("imported", "-number").first()


def reopening_of(page: Page) -> Adjudication | None:
    """The open adjudication of its reopened gold."""
    return (
        open_adjudications()
        .filter(round__page=page, kind=AdjudicationKind.REOPENED)
        .select_related("reopened_by")
        .first()
    )


class AuditFigures(NamedTuple):
    """The outcomes of a corpus's audits."""

    waiting: int
    confirmed: int
    changed: list[Gold]


def audit_figures(corpus: Corpus) -> AuditFigures:
    audited = Gold.objects.filter(adjudication__in=audits(corpus)).select_related("page", "adjudication")
    return AuditFigures(
        waiting=(open_adjudications() & audits(corpus)).count(),
        confirmed=audited.filter(source=GoldSource.UNANIMOUS).count(),
        changed=list(audited.filter(source=GoldSource.ADJUDICATED).order_by("-pk")),
    )


def audits(corpus: Corpus) -> QuerySet[Adjudication]:
    """All audits, open ones among them."""
    return Adjudication.objects.filter(round__page__corpus=corpus, kind=AdjudicationKind.AUDIT)
