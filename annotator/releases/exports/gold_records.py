"""Converts a page and its gold to a record of the export formats."""

from annotator.common import storage
from annotator.corpora.queries import label_set_of
from annotator.gold.models import Gold
from extraction.formats import GoldRecord as RecordGold
from extraction.formats import PageRecord
from extraction.spans import Span, can_tell, normalise, relevant

# Formats that hold only the text of articles, and the label set of that text.
ARTICLES_ONLY = {"scrapinghub": "body"}


def record_of(gold: Gold, labels: str = "main") -> PageRecord:
    """Return a page and its gold as a record; `labels` is the label set of the plain text."""
    page, document = gold.page, gold.document
    return PageRecord(
        location=page.sha256,
        raw=storage.get(page.sha256),
        url=page.url,
        charset=page.charset or None,
        captured_at=page.captured_at.isoformat() if page.captured_at else None,
        language=page.language or None,
        gold=RecordGold(
            verdict=gold.verdict,
            reason=gold.reason,
            spans=tuple(spans_of(gold)),
            text=text_of(gold, labels),
            labels=frozenset(gold.distinguishable_labels),
            parser=document.version,
        ),
    )


def spans_of(gold: Gold) -> list[Span]:
    """Return the gold's spans in normal form, without their sources."""
    return normalise(Span(start, end, label) for start, end, label, _source in gold.spans)


def text_of(gold: Gold, labels: str) -> str:
    """Return the gold's relevant text, one line per span.

    If the gold does not distinguish the label set, the labels that it does distinguish are used.
    """
    requested = label_set_of(gold.page.corpus, labels)
    wanted = (
        requested
        if can_tell(gold.distinguishable_labels, requested)
        else requested & set(gold.distinguishable_labels) or set(gold.distinguishable_labels)
    )
    text = gold.document.text
    return "\n".join(text[start:end] for start, end in relevant(spans_of(gold), wanted))
