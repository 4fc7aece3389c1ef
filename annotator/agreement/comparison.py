"""The comparison of a round's submitted annotations: everything that is stored of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Self

from annotator.agreement.models import Agreement
from annotator.annotations.models import Annotation, Revision
from annotator.annotations.queries import submitted_revisions
from annotator.common.verdicts import WITH_SPANS, NotArticleReason, Verdict
from annotator.corpora.queries import label_sets_of
from annotator.pages.models import StoredDocument
from annotator.runs.models import Extraction
from extraction.agreement.character import cohen_kappa, f1
from extraction.agreement.counts import count_page
from extraction.agreement.segments import Dispute, Piece, compare
from extraction.agreement.units import ContentUnits
from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import added, confusion, non_whitespace
from extraction.spans import LABEL_SETS, Span, merge_intervals

# The label set under which an annotation is compared with an extraction.
OVERLAP_SET = LABEL_SETS["article"]

# [start, end, [label or null, one per annotator]]
PieceRow = list[Any]


class Overlap(NamedTuple):
    """Characters of the article: marked by both, by the annotator, by the extractor."""

    both: int
    annotator: int
    extractor: int


class Participant(NamedTuple):
    """One annotator of a compared round. `shown` is an extractor's id, None for nothing; so are the keys of
    `overlaps`."""

    annotator: int
    shown: int | None
    guideline: int
    seconds: int
    submitted: str
    overlaps: dict[int, Overlap]

    @property
    def key(self) -> str:
        """What the counts call this annotator."""
        return str(self.annotator)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        overlaps = {int(key): Overlap(*found) for key, found in value["overlaps"].items()}
        return cls(**{**value, "overlaps": overlaps})


def compared(submitted: Sequence[Annotation]) -> dict[str, Any]:
    """The result fields of an `Agreement` for the submitted annotations of a round, in slot order."""
    document = submitted[0].document
    revisions = submitted_revisions(submitted)
    marks = [marks_of(revisions.get(annotation.pk)) for annotation in submitted]
    verdict, reason = common_verdict(revisions.values())
    agreed, disputes = compare(marks, document)
    fields = {
        "document": document,
        "verdict": verdict,
        "reason": reason,
        "agreed": [list(span) for span in agreed],
        "disputes": [pieces_to_json(dispute) for dispute in disputes],
        "disputed_characters": _visible(
            ((piece.start, piece.end) for dispute in disputes for piece in dispute.pieces), document.text
        ),
        "marked_characters": _visible(
            merge_intervals([(span.start, span.end) for spans in marks for span in spans]), document.text
        ),
    }
    return fields | _figures(submitted, marks, revisions) if len(submitted) > 1 else fields


def _figures(
    submitted: Sequence[Annotation], marks: Sequence[Sequence[Span]], revisions: Mapping[int, Revision]
) -> dict[str, Any]:
    document = submitted[0].document
    total = added([confusion(one, other, document.text) for one, other in combinations(marks, 2)])
    keys = [str(annotation.annotator_id) for annotation in submitted]
    verdicts = [revisions[annotation.pk].verdict for annotation in submitted]
    blocks = [(start, end) for start, end, *_more in document.blocks]
    counts = count_page(
        dict(zip(keys, marks, strict=True)),
        ContentUnits.of_text(document.text, blocks),
        verdicts=dict(zip(keys, verdicts, strict=True)),
        sets=label_sets_of(submitted[0].slot.corpus),
    )
    return {
        "confusion": total,
        "kappa": cohen_kappa(total),
        "f1": f1(total),
        "same_verdict": len(set(verdicts)) == 1,
        "counts": counts.to_json(),
        "participants": _participants(submitted, marks, document),
    }


def _participants(
    submitted: Sequence[Annotation], marks: Sequence[Sequence[Span]], document: StoredDocument
) -> list[dict[str, Any]]:
    extractions = list(Extraction.objects.done().filter(document=document))
    return [
        Participant(
            annotator=annotation.annotator_id,
            shown=annotation.shown_id,
            guideline=annotation.guideline_version,
            seconds=annotation.active_seconds,
            submitted=annotation.submitted_at.isoformat() if annotation.submitted_at else "",
            overlaps=_overlaps(spans, extractions, document.text),
        )._asdict()
        for annotation, spans in zip(submitted, marks, strict=True)
    ]


def _overlaps(spans: Sequence[Span], extractions: Sequence[Extraction], text: str) -> dict[int, Overlap]:
    found = {}
    for each in extractions:
        score = from_matrix(confusion(spans, [Span(*span) for span in each.spans], text), OVERLAP_SET)
        found[each.extractor_id] = Overlap(int(score.true), int(score.gold), int(score.predicted))
    return found


# ---- annotations ----


def marks_of(revision: Revision | None) -> list[Span]:
    """The spans of a revision; none under a verdict that the page is no article."""
    if revision is None or revision.verdict not in WITH_SPANS:
        return []
    return [Span(*span) for span in revision.spans]


def common_verdict(revisions: Iterable[Revision]) -> tuple[str, str]:
    """The verdict that all gave, with their reason if it is the same.

    Empty where they differ or all "cannot tell", which decides nothing.
    """
    given = {(revision.verdict, revision.reason) for revision in revisions}
    verdicts = {verdict for verdict, _reason in given}
    if len(verdicts) != 1 or verdicts == {Verdict.CANNOT_TELL.value}:
        return "", ""
    reasons = {reason for _verdict, reason in given}
    return verdicts.pop(), reasons.pop() if len(reasons) == 1 else NotArticleReason.OTHER.value


# ---- disputes as stored ----


def pieces_to_json(dispute: Dispute) -> list[PieceRow]:
    """A dispute as it is stored."""
    return [[piece.start, piece.end, list(piece.labels)] for piece in dispute.pieces]


def disputes_of(agreement: Agreement) -> list[Dispute]:
    """The disputes of a comparison as the library's records."""
    return [_dispute(pieces) for pieces in agreement.disputes]


def _dispute(pieces: Sequence[PieceRow]) -> Dispute:
    found = tuple(Piece(start, end, tuple(labels)) for start, end, labels in pieces)
    return Dispute(found[0].start, found[-1].end, found)


def _visible(intervals: Iterable[tuple[int, int]], text: str) -> int:
    """Non-whitespace characters in disjoint intervals."""
    visible = non_whitespace(text)
    return sum(int(visible[start:end].sum()) for start, end in intervals)
