"""Counts of gold: amounts of text by label, and the page's counts for agreement.

Counted when gold is created, or when a release is built; an interrupted release reuses what is counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from annotator.annotations.models import Annotation, Revision, Round
from annotator.annotations.queries import submitted_revisions
from annotator.common.verdicts import WITH_SPANS
from annotator.gold.models import Gold
from annotator.gold.queries import rounds_behind
from annotator.pages.models import StoredDocument
from annotator.releases.models import GoldCount
from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.units import ContentUnits
from extraction.metrics.composition import composition
from extraction.spans import Interval, Span, normalise

# A text and its blocks.
TextWithBlocks = tuple[str, list[Interval]]


class AgreementCounts(NamedTuple):
    """A page's counts over all annotators, and over those without suggestions if there are at least two."""

    all: PageTables
    blind: PageTables | None

    def to_json(self) -> dict[str, Any]:
        """Return an object that `counts_from_json` reads."""
        if self.blind is self.all:
            return {"all": self.all.to_json()}
        return {"all": self.all.to_json(), "blind": self.blind and self.blind.to_json()}


class GoldStatistics(NamedTuple):
    """The amounts of a gold by label, and its agreement counts; None with fewer than two annotators."""

    amounts: Mapping[str, Sequence[int]]
    counts: AgreementCounts | None


def counts_from_json(value: Mapping[str, Any]) -> AgreementCounts | None:
    """Return stored counts; None if they are empty, as with fewer than two annotators."""
    if not value:
        return None
    every = PageTables.from_json(value["all"])
    if "blind" not in value:
        return AgreementCounts(every, every)
    return AgreementCounts(every, PageTables.from_json(value["blind"]) if value["blind"] else None)


def count(golds: Sequence[Gold]) -> dict[int, GoldStatistics]:
    """Return the statistics of these golds by their keys; count and store what is missing.

    Call it with few golds at a time: all their texts are in memory at once.
    """
    found: dict[int, GoldStatistics] = {}
    amounts: dict[int, Any] = {}
    for row in GoldCount.objects.filter(gold__in=golds):
        amounts[row.gold_id] = row.amounts
        if row.agreement is not None:
            found[row.gold_id] = GoldStatistics(row.amounts, counts_from_json(row.agreement))
    missing = [gold for gold in golds if gold.pk not in found]
    return found | (_count(missing, amounts) if missing else {})


def _count(golds: Sequence[Gold], amounts: Mapping[int, Any]) -> dict[int, GoldStatistics]:
    behind = rounds_behind(golds)
    submitted = _submitted(behind.values())
    texts = _texts(
        {gold.document_id for gold in golds} | {each[0].document_id for each in submitted.values()}
    )
    counts = _counts(golds, behind, submitted, texts)
    found = {
        gold.pk: GoldStatistics(
            amounts.get(gold.pk) or composition(*texts[gold.document_id], normalise(gold.marks)),
            counts[gold.pk],
        )
        for gold in golds
    }
    _store(found, {gold.pk for gold in golds if _is_closed(behind.get(gold.pk))})
    return found


def _is_closed(round_: Round | None) -> bool:
    """Whether the round can no longer change. Gold without a round may still get one."""
    return round_ is not None and round_.finalised_at is not None


def _store(found: Mapping[int, GoldStatistics], closed: set[int]) -> None:
    rows = [
        GoldCount(
            gold_id=key,
            amounts=each.amounts,
            agreement=(each.counts.to_json() if each.counts else {}) if key in closed else None,
        )
        for key, each in found.items()
    ]
    GoldCount.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["gold"], update_fields=["agreement"]
    )


def _texts(documents: Iterable[int]) -> dict[int, TextWithBlocks]:
    rows = StoredDocument.objects.filter(pk__in=documents).values_list("pk", "text", "blocks")
    return {key: (text, [(start, end) for start, end in blocks]) for key, text, blocks in rows}


# ---- agreement ----


def _submitted(rounds: Iterable[Round]) -> dict[int, list[Annotation]]:
    """Return the submitted annotations by round, in the order of their slots."""
    found = defaultdict(list)
    submitted = Annotation.objects.filter(slot__round__in=list(rounds), submitted_at__isnull=False)
    for annotation in submitted.select_related("slot").order_by("slot__number"):
        found[annotation.slot.round_id].append(annotation)
    return found


def _counts(
    golds: Iterable[Gold],
    behind: Mapping[int, Round],
    submitted: Mapping[int, list[Annotation]],
    texts: Mapping[int, TextWithBlocks],
) -> dict[int, AgreementCounts | None]:
    revisions = submitted_revisions([annotation for each in submitted.values() for annotation in each])
    found: dict[int, AgreementCounts | None] = {}
    for gold in golds:
        of_round = submitted.get(behind[gold.pk].pk, []) if gold.pk in behind else []
        found[gold.pk] = (
            _of_round(of_round, revisions, texts[of_round[0].document_id]) if len(of_round) > 1 else None
        )
    return found


def _of_round(
    submitted: list[Annotation], revisions: Mapping[int, Revision], text: TextWithBlocks
) -> AgreementCounts:
    """Annotators are identified by their slot numbers: releases contain no accounts."""
    units = ContentUnits.of_text(*text)
    counted = _of_page(submitted, revisions, units)
    blind = [annotation for annotation in submitted if annotation.shown_id is None]
    if len(blind) == len(submitted):
        return AgreementCounts(counted, counted)
    return AgreementCounts(counted, _of_page(blind, revisions, units) if len(blind) > 1 else None)


def _of_page(
    submitted: list[Annotation], revisions: Mapping[int, Revision], units: ContentUnits
) -> PageTables:
    spans, verdicts = {}, {}
    for annotation in submitted:
        revision = revisions.get(annotation.pk)
        verdict = revision.verdict if revision else ""
        marked = revision.spans if revision and verdict in WITH_SPANS else []
        spans[str(annotation.slot.number)] = normalise(Span(*span) for span in marked)
        verdicts[str(annotation.slot.number)] = verdict
    return count_page(spans, units, verdicts=verdicts)
