"""Marks as a browser sends them, checked against the document that it shows."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError
from annotator.corpora.models import Label
from annotator.pages.models import StoredDocument
from extraction.spans import Span, SpanError, clip


def checked_marks(
    spans: Sequence[Span], quotes: Sequence[str], *, document: StoredDocument, corpus_id: int
) -> list[Span]:
    """The marks in normal form, whatever the browser considers white space.

    `quotes` is the text that the browser shows at each. Raises GoldpanError where the document has another,
    for a label that the corpus does not have, and for marks that overlap.
    """
    known = set(Label.objects.filter(corpus=corpus_id).values_list("name", flat=True))
    if unknown := sorted({span.label for span in spans} - known):
        raise GoldpanError(_("This corpus has no label “%(label)s”.") % {"label": unknown[0]})
    for span, quote in zip(spans, quotes, strict=True):
        if span.end > document.length or document.text[span.start : span.end] != quote:
            raise GoldpanError(
                _("Characters %(start)d to %(end)d differ from what your browser shows. Reload the page.")
                % {"start": span.start, "end": span.end}
            )
    try:
        return clip(spans, document.blocks, document.text)
    except SpanError as error:
        raise GoldpanError(str(error)) from error
