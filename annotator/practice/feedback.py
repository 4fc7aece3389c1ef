"""What the screen of feedback is given: her marks against gold, on the page itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotator.agreement.actions import spans_of
from annotator.annotations.actions import handed_in
from annotator.annotations.bench import document_facts, frames, page_facts
from annotator.annotations.models import WITH_SPANS, Annotation, Revision
from annotator.common.templatetags.goldpan import label_title
from annotator.corpora.guideline.queries import Chip, Rules, numbers_of, rules_beside
from annotator.corpora.models import Corpus
from annotator.gold.models import Segment
from annotator.practice.actions import gold_spans
from annotator.practice.measure import Difference, Measure, differences
from annotator.practice.models import PracticePage
from extraction.spans import Span, intersect

QUOTE = 180


@dataclass(frozen=True)
class Told:
    """A difference in words: its text, and the clauses that say why."""

    difference: Difference
    hers: Chip | None
    gold: Chip | None
    text: str
    # Number of a clause, and where it stands.
    clauses: list[tuple[str, str]]


@dataclass(frozen=True)
class Feedback:
    page: PracticePage
    annotation: Annotation
    hers: Revision
    measure: Measure
    told: list[Told]
    rules: Rules | None
    bench: dict[str, Any]


def of_page(page: PracticePage, corpus: Corpus) -> Feedback:
    """Of a page that is handed in; it shows the gold of that moment."""
    assert page.gold
    annotation = Annotation.objects.select_related("document").get(slot=page.slot_id)
    revision = handed_in(annotation)
    assert revision
    text = page.gold.document.text
    hers = spans_of(annotation) if revision.verdict in WITH_SPANS else []
    gold = gold_spans(page.gold)
    rules = rules_beside(corpus, annotation.guideline_version)
    found = differences(hers, gold, text)
    reasons, numbers = _reasons(page), numbers_of(corpus)
    return Feedback(
        page=page,
        annotation=annotation,
        hers=revision,
        measure=page.measure,
        told=[
            Told(
                difference=each,
                hers=chip(each.hers, numbers),
                gold=chip(each.gold, numbers),
                text=_quote(text, each),
                clauses=_clauses(each, reasons, rules),
            )
            for each in found
        ],
        rules=rules,
        bench=_bench(page, corpus, found, _same(hers, gold)),
    )


def chip(label: str, numbers: Mapping[str, int]) -> Chip | None:
    """A label as it is shown; None for "", which is none."""
    return Chip(label_title(label), numbers.get(label)) if label else None


def _same(hers: Iterable[Span], gold: Iterable[Span]) -> list[Span]:
    """What has the same label with both."""
    gold = list(gold)
    return [
        span
        for label in sorted({span.label for span in gold})
        for span in intersect(
            [span for span in hers if span.label == label], [span for span in gold if span.label == label]
        )
    ]


def _bench(page: PracticePage, corpus: Corpus, found: list[Difference], same: list[Span]) -> dict[str, Any]:
    return {
        "urls": {
            "view": reverse("annotate-view", args=[corpus.slug, page.slot_id]),
            **frames(),
            "back": reverse("practice", args=[corpus.slug]),
        },
        "document": document_facts(page.gold.document),
        "labels": [{"name": label.name, "number": label.number} for label in corpus.labels.all()],
        "same": sorted(list(span) for span in same),
        "differences": [each.as_json() for each in found],
        "page": page_facts(page.slot.round.page),
    }


def _quote(text: str, difference: Difference) -> str:
    """Its text on one line, the middle left out where it is long."""
    words = " ".join(text[difference.start : difference.end].split())
    half = QUOTE // 2
    return words if len(words) <= QUOTE else f"{words[:half].rstrip()} … {words[-half:].lstrip()}"


def _reasons(page: PracticePage) -> list[Segment]:
    """Segments of the gold for which its adjudicator named a clause."""
    if page.gold.adjudication is None:
        return []
    return list(page.gold.adjudication.segments.exclude(clause=""))


def _clauses(
    difference: Difference, reasons: Iterable[Segment], rules: Rules | None
) -> list[tuple[str, str]]:
    """Those that gold gives here, as far as this corpus's guideline has them; else the first on its label."""
    if rules is None:
        return []
    there = {rule.number for part in rules.sections for rule in part.rules}
    given = {
        segment.clause
        for segment in reasons
        if segment.start < difference.end and difference.start < segment.end and segment.clause in there
    }
    numbers = sorted(given) or _on_label(difference, rules)
    return [(number, f"{rules.address}#{number}") for number in numbers]


def _on_label(difference: Difference, rules: Rules) -> list[str]:
    group = next((group for group in rules.labels if group.name == difference.gold), rules.unmarked)
    return [group.rules[0].number] if group.rules else []
