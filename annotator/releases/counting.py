"""What is counted of gold and kept: what its page is made of, what its annotators add to agreement.

Counted as gold comes, or when a release is made; a release that was broken off finds what was counted before.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from annotator.annotations.models import WITH_SPANS, Annotation, Revision, Round
from annotator.annotations.queries import handed_in_of
from annotator.gold.models import Gold
from annotator.gold.queries import rounds_behind
from annotator.pages.models import Document
from annotator.releases.models import GoldCount
from extraction.agreement.counts import PageCounts, count_page
from extraction.agreement.units import Units
from extraction.composition import composition
from extraction.spans import Interval, Span, normalise

# A text, and where its blocks are.
Text = tuple[str, list[Interval]]


class Counts(NamedTuple):
    """What a page adds: all its annotators, and those who were shown nothing where they are two or more."""

    all: PageCounts
    blind: PageCounts | None

    def to_json(self) -> dict[str, Any]:
        """An object that `counts_from_json` reads."""
        if self.blind is self.all:
            return {"all": self.all.to_json()}
        return {"all": self.all.to_json(), "blind": self.blind and self.blind.to_json()}


class Counted(NamedTuple):
    """Of one gold: amounts by label, and counts; None below two annotators."""

    amounts: Mapping[str, Sequence[int]]
    counts: Counts | None


def counts_from_json(value: Mapping[str, Any]) -> Counts | None:
    """The counts that were kept; None of what is empty, as below two annotators."""
    if not value:
        return None
    every = PageCounts.from_json(value["all"])
    if "blind" not in value:
        return Counts(every, every)
    return Counts(every, PageCounts.from_json(value["blind"]) if value["blind"] else None)


def count(golds: Sequence[Gold]) -> dict[int, Counted]:
    """What is counted of these golds, by their keys; what is not kept yet is counted and kept. Twice is once.

    A few golds at a time: all their texts are held at once.
    """
    found: dict[int, Counted] = {}
    amounts: dict[int, Any] = {}
    for key, of_gold, counts in _kept(golds):
        amounts[key] = of_gold
        if counts is not None:
            found[key] = Counted(of_gold, counts_from_json(counts))
    missing = [gold for gold in golds if gold.pk not in found]
    return found | (_count(missing, amounts) if missing else {})


def counts_of(golds: Sequence[Gold]) -> dict[int, Counts | None]:
    """What the rounds that these golds came of add to agreement, all and blind, by the golds' keys."""
    behind = rounds_behind(golds)
    submitted = _submitted(behind.values())
    texts = _texts({each[0].document_id for each in submitted.values()})
    return _counts(golds, behind, submitted, texts)


def _kept(golds: Sequence[Gold]) -> Iterable[tuple[int, Any, Any]]:
    return GoldCount.objects.filter(gold__in=golds).values_list("gold", "amounts", "agreement")


def _count(golds: Sequence[Gold], amounts: Mapping[int, Any]) -> dict[int, Counted]:
    behind = rounds_behind(golds)
    submitted = _submitted(behind.values())
    texts = _texts(
        {gold.document_id for gold in golds} | {each[0].document_id for each in submitted.values()}
    )
    counts = _counts(golds, behind, submitted, texts)
    found = {
        gold.pk: Counted(amounts.get(gold.pk) or _amounts(gold, texts[gold.document_id]), counts[gold.pk])
        for gold in golds
    }
    _keep(found, {gold.pk for gold in golds if _stands(behind.get(gold.pk))})
    return found


def _stands(round_: Round | None) -> bool:
    """Whether nothing of the round is taken up again; where there is no round, one may still come."""
    return round_ is not None and round_.settled_at is not None


def _keep(found: Mapping[int, Counted], standing: set[int]) -> None:
    rows = [
        GoldCount(
            gold_id=key,
            amounts=each.amounts,
            agreement=(each.counts.to_json() if each.counts else {}) if key in standing else None,
        )
        for key, each in found.items()
    ]
    GoldCount.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["gold"], update_fields=["agreement"]
    )


def _amounts(gold: Gold, text: Text) -> Mapping[str, Sequence[int]]:
    spans = normalise(Span(start, end, label) for start, end, label, *_source in gold.spans)
    return composition(*text, spans)


def _texts(documents: Iterable[int]) -> dict[int, Text]:
    rows = Document.objects.filter(pk__in=documents).values_list("pk", "text", "blocks")
    return {key: (text, [(start, end) for start, end in blocks]) for key, text, blocks in rows}


# ---- agreement ----


def _submitted(rounds: Iterable[Round]) -> dict[int, list[Annotation]]:
    """The submitted annotations of rounds, each round's in the order of its slots."""
    found = defaultdict(list)
    submitted = Annotation.objects.filter(slot__round__in=list(rounds), submitted_at__isnull=False)
    for annotation in submitted.select_related("slot").order_by("slot__number"):
        found[annotation.slot.round_id].append(annotation)
    return found


def _counts(
    golds: Iterable[Gold],
    behind: Mapping[int, Round],
    submitted: Mapping[int, list[Annotation]],
    texts: Mapping[int, Text],
) -> dict[int, Counts | None]:
    handed_in = handed_in_of([annotation for each in submitted.values() for annotation in each])
    found: dict[int, Counts | None] = {}
    for gold in golds:
        of_round = submitted.get(behind[gold.pk].pk, []) if gold.pk in behind else []
        found[gold.pk] = (
            _of_round(of_round, handed_in, texts[of_round[0].document_id]) if len(of_round) > 1 else None
        )
    return found


def _of_round(submitted: list[Annotation], handed_in: Mapping[int, Revision], text: Text) -> Counts:
    """Annotators are called by the numbers of their slots: no account is in a release."""
    units = Units.of_text(*text)
    counted = _of_page(submitted, handed_in, units)
    blind = [annotation for annotation in submitted if annotation.shown_id is None]
    if len(blind) == len(submitted):
        return Counts(counted, counted)
    return Counts(counted, _of_page(blind, handed_in, units) if len(blind) > 1 else None)


def _of_page(submitted: list[Annotation], handed_in: Mapping[int, Revision], units: Units) -> PageCounts:
    spans, verdicts = {}, {}
    for annotation in submitted:
        marks = handed_in.get(annotation.pk)
        verdict = marks.verdict if marks else ""
        given = marks.spans if marks and verdict in WITH_SPANS else []
        spans[str(annotation.slot.number)] = normalise(Span(*span) for span in given)
        verdicts[str(annotation.slot.number)] = verdict
    return count_page(spans, units, verdicts=verdicts)
