"""What is kept of a compared round: counts for every figure, and the facts by which pages are told apart."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from annotator.annotations.actions import handed_in
from annotator.annotations.models import WITH_SPANS, Annotation
from annotator.runs.models import Extraction
from extraction.agreement.counts import count_page
from extraction.agreement.units import Units
from extraction.metrics.character import from_matrix, matrix
from extraction.spans import LABEL_SETS, Span

# Under which label set an annotation is held against an extraction.
OVERLAP_SET = LABEL_SETS["article"]


class Overlap(NamedTuple):
    """Characters of an article: in both, by the annotator, by the extractor."""

    both: int
    annotator: int
    extractor: int


class Part(NamedTuple):
    """One annotator's part in a round. `shown` is an extractor's id, None for nothing; `overlaps` too."""

    annotator: int
    shown: int | None
    guideline: int
    seconds: int
    submitted: str
    overlaps: dict[int, Overlap]

    @property
    def name(self) -> str:
        """What she is called in the counts."""
        return str(self.annotator)

    def to_json(self) -> dict[str, Any]:
        return self._asdict()

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        overlaps = {int(key): Overlap(*found) for key, found in value["overlaps"].items()}
        return cls(**{**value, "overlaps": overlaps})


def tally_of(submitted: Sequence[Annotation]) -> dict[str, Any]:
    """The fields of a tally."""
    document = submitted[0].document
    spans = {str(annotation.annotator_id): spans_of(annotation) for annotation in submitted}
    verdicts = {str(annotation.annotator_id): verdict_of(annotation) for annotation in submitted}
    blocks = [(start, end) for start, end, *_more in document.blocks]
    counts = count_page(spans, Units.of_text(document.text, blocks), verdicts=verdicts)
    extractions = list(Extraction.objects.filter(document=document, finished_at__isnull=False, error=""))
    parts = [
        _part(annotation, _overlaps(spans[str(annotation.annotator_id)], extractions, document.text))
        for annotation in submitted
    ]
    return {"counts": counts.to_json(), "parts": [part.to_json() for part in parts]}


def spans_of(annotation: Annotation) -> list[Span]:
    """The spans as submitted; none under a verdict that says that there is no article."""
    revision = handed_in(annotation)
    if revision is None or revision.verdict not in WITH_SPANS:
        return []
    return [Span(*span) for span in revision.spans]


def verdict_of(annotation: Annotation) -> str:
    revision = handed_in(annotation)
    return revision.verdict if revision else ""


def _part(annotation: Annotation, overlaps: dict[int, Overlap]) -> Part:
    return Part(
        annotator=annotation.annotator_id,
        shown=annotation.shown_id,
        guideline=annotation.guideline_version,
        seconds=annotation.active_seconds,
        submitted=annotation.submitted_at.isoformat() if annotation.submitted_at else "",
        overlaps=overlaps,
    )


def _overlaps(spans: Sequence[Span], extractions: Sequence[Extraction], text: str) -> dict[int, Overlap]:
    found = {}
    for each in extractions:
        score = from_matrix(matrix(spans, [Span(*span) for span in each.spans], text), OVERLAP_SET)
        found[each.extractor_id] = Overlap(int(score.true), int(score.gold), int(score.predicted))
    return found
