"""The feedback screen: the annotator's marks against gold, on the page itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotator.agreement.comparison import marks_of
from annotator.annotations.actions import submitted_revision
from annotator.annotations.models import Annotation, Revision
from annotator.annotations.workbench.payload import document_payload, page_payload, stage_addresses
from annotator.common.display_names import label_title
from annotator.corpora.guideline.queries import Chip, Rules, rules_beside
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_numbers_of
from annotator.gold.models import Segment
from annotator.practice.actions import gold_spans
from annotator.practice.measure import MarkDifference, Measure, differences
from annotator.practice.models import PracticePage
from extraction.spans import Span, intersect

QUOTE = 180


@dataclass(frozen=True)
class DifferenceText:
    """A difference for display: its labels, its text, and the guideline clauses that explain it."""

    difference: MarkDifference
    own: Chip | None
    gold: Chip | None
    text: str
    # Number and address of each clause.
    clauses: list[tuple[str, str]]


@dataclass(frozen=True)
class Feedback:
    page: PracticePage
    revision: Revision
    measure: Measure
    differences: list[DifferenceText]
    rules: Rules
    payload: dict[str, Any]


def of_page(page: PracticePage, corpus: Corpus) -> Feedback:
    """The feedback on a submitted page; it shows the gold with which the page was evaluated."""
    assert page.gold
    annotation = Annotation.objects.select_related("document", "annotator").get(slot=page.slot_id)
    revision = submitted_revision(annotation)
    assert revision
    text = page.gold.document.text
    own = marks_of(revision)
    gold = gold_spans(page.gold)
    rules = rules_beside(corpus, annotation.guideline_version)
    found = differences(own, gold, text)
    adjudication = page.gold.adjudication
    # Segments for which the adjudicator chose a guideline clause.
    reasons = list(adjudication.segments.exclude(clause="")) if adjudication else []
    numbers = label_numbers_of(corpus)
    view = reverse("annotate-view", args=[corpus.slug, page.slot.key])
    return Feedback(
        page=page,
        revision=revision,
        measure=page.measure,
        differences=[
            DifferenceText(
                difference=each,
                own=chip(each.own, numbers),
                gold=chip(each.gold, numbers),
                text=_quote(text, each),
                clauses=_clauses(each, reasons, rules),
            )
            for each in found
        ],
        rules=rules,
        payload={
            "urls": {
                **stage_addresses(view, page.gold.document, annotation.annotator),
                "back": reverse("practice", args=[corpus.slug]),
            },
            "document": document_payload(page.gold.document),
            "labels": [{"name": label.name, "number": label.number} for label in corpus.labels.all()],
            "same": sorted(list(span) for span in _same(own, gold)),
            "differences": [each.as_json() for each in found],
            "page": page_payload(page.slot.round.page),
        },
    )


def chip(label: str, numbers: Mapping[str, int]) -> Chip | None:
    """A label for display; None for "", which is none."""
    return Chip(label_title(label), numbers.get(label)) if label else None


def _same(own: Sequence[Span], gold: Sequence[Span]) -> list[Span]:
    """Spans with the same label in both."""
    return [
        span
        for label in sorted({span.label for span in gold})
        for span in intersect(
            [span for span in own if span.label == label], [span for span in gold if span.label == label]
        )
    ]


def _quote(text: str, difference: MarkDifference) -> str:
    """Its text on one line, shortened in the middle."""
    words = " ".join(text[difference.start : difference.end].split())
    half = QUOTE // 2
    return words if len(words) <= QUOTE else f"{words[:half].rstrip()} … {words[-half:].lstrip()}"


def _clauses(difference: MarkDifference, reasons: Iterable[Segment], rules: Rules) -> list[tuple[str, str]]:
    """Clauses that gold gives here, if this corpus's guideline has them; else the first about its label."""
    known = {rule.number for part in rules.sections for rule in part.rules}
    chosen = {
        segment.clause
        for segment in reasons
        if segment.start < difference.end and difference.start < segment.end and segment.clause in known
    }
    numbers = sorted(chosen) or _on_label(difference, rules)
    return [(number, f"{rules.address}#{number}") for number in numbers]


def _on_label(difference: MarkDifference, rules: Rules) -> list[str]:
    group = next((group for group in rules.labels if group.name == difference.gold), rules.unmarked)
    return [group.rules[0].number] if group.rules else []
