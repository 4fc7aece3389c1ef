"""A page and its gold, as the formats read and write them."""

from annotator.common import storage
from annotator.gold.models import Gold
from extraction.formats import Gold as RecordGold
from extraction.formats import Record
from extraction.spans import LABEL_SETS, Span, can_tell, normalise, relevant

# Formats that hold the text of articles and nothing else, and the label set of that text.
ARTICLES_ONLY = {"scrapinghub": "body"}


def record_of(gold: Gold, labels: str = "main") -> Record:
    """Page and gold as the formats read and write them; `labels` are those of the plain text."""
    page, document = gold.page, gold.document
    return Record(
        place=page.sha256,
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
            labels=frozenset(gold.tells),
            parser=document.version,
        ),
    )


def spans_of(gold: Gold) -> list[Span]:
    """The gold's spans in normal form; where an interval comes from is not part of an export."""
    return normalise(Span(start, end, label) for start, end, label, _source in gold.spans)


def text_of(gold: Gold, labels: str) -> str:
    """The gold's relevant text, one line a span; all it can tell apart when the label set is too much."""
    asked = LABEL_SETS[labels]
    wanted = asked if can_tell(gold.tells, asked) else asked & set(gold.tells) or set(gold.tells)
    text = gold.document.text
    return "\n".join(text[start:end] for start, end in relevant(spans_of(gold), wanted))
