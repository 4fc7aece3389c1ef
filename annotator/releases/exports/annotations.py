"""What annotators submitted before adjudication, without their names: for research on agreement."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from django.db.models import Exists, OuterRef, Q

from annotator.annotations.models import Purpose, Round, Submission
from extraction.formats.records import AnnotationRecord
from extraction.spans import Span, normalise


class Pseudonyms:
    """`annotator-1`, `annotator-2`, ... in the order in which they appear in one export.

    Neither keys of the database nor the alphabet decide on the order within a page, but a digest. Its seed is
    a secret of the corpus: whoever knows the names could otherwise compute who is the first.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._known: dict[str, str] = {}

    def order_of(self, username: str) -> str:
        """By which the annotations of a page are sorted."""
        return sha256(f"{self._seed}:{username}".encode()).hexdigest()

    def of(self, username: str) -> str:
        """The pseudonym, which is given when it is first asked for."""
        return self._known.setdefault(username, f"annotator-{len(self._known) + 1}")


def annotations_of(
    documents: Sequence[int], pseudonyms: Pseudonyms, at: datetime | None = None
) -> dict[int, tuple[AnnotationRecord, ...]]:
    """Return the submissions from which gold is made, by document, as the documents come.

    Those that are current, or that were `at` a time: a release stays as it was. Of a page that was
    re-annotated, those of its last finished round.
    """
    found: dict[int, list[tuple[str, AnnotationRecord, str]]] = defaultdict(list)
    current, is_finished = Q(withdrawn_at=None), Q(finalised_at__isnull=False)
    if at:
        current = Q(submitted_at__lte=at) & (Q(withdrawn_at=None) | Q(withdrawn_at__gt=at))
        is_finished = Q(finalised_at__lte=at)
    round_ = OuterRef("annotation__slot__round")
    finished = Round.objects.filter(is_finished, purpose=Purpose.GUIDELINE)
    later = finished.filter(page=OuterRef("annotation__slot__round__page"), pk__gt=round_)
    rows = Submission.objects.filter(
        Q(annotation__slot__round__purpose=Purpose.MAIN) | Exists(finished.filter(pk=round_)),
        ~Exists(later),
        current,
        annotation__document__in=documents,
    ).values_list(
        "annotation__document",
        "annotation__annotator__username",
        "revision__verdict",
        "revision__reason",
        "revision__spans",
    )
    for document, username, verdict, reason, spans in rows:
        marks = tuple(normalise(Span(*span) for span in spans))
        unnamed = AnnotationRecord("", verdict, marks, reason)
        found[document].append((pseudonyms.order_of(username), unnamed, username))
    return {
        document: tuple(
            AnnotationRecord(pseudonyms.of(username), each.verdict, each.spans, each.reason)
            for _order, each, username in sorted(found[document], key=lambda row: row[0])
        )
        for document in documents
        if document in found
    }
