"""Records as they go out: real pages with gold on their blocks, some of it with text beyond 16 bits."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache

from hypothesis import strategies as st

from extraction.documents.document import Document
from extraction.formats import GoldRecord, PageRecord
from extraction.formats.records import AnnotationRecord, DocumentText
from extraction.formats.writing import DatasetFacts
from extraction.parsing.parse import parse
from extraction.spans import LABELS, Span, normalise, text_of
from tests.extraction import news
from tests.golden import PAGES

ASTRAL = (
    "<title>Bridge</title><h1>Bridge 🌉 opens 𝒂t last</h1><p>👩‍👩‍👧 crossed it, "
    "<b>𐍈 by 𐍈</b>, and said “=1+1 &amp; more”.</p>"
    "<p>=SUM(A1) is no formula</p><ul><li>One &lt;p&gt; &amp;amp; 😀</li><li>Two</li></ul><p>I like it 👍</p>"
)
FACTS = DatasetFacts(
    slug="dailies",
    name="Dailies “2026”: a \\ {set}",
    version="3",
    licence="CC BY 4.0",
    languages=("en", "es-MX"),
    summary="# Dailies\n",
    captured=("2026-01-01", "2026-02-03"),
    annotations=True,
    raw_pages=True,
)


def record(raw: bytes, number: int = 0, labels: Sequence[str] = LABELS) -> PageRecord:
    """A page whose blocks have a label by turns, one in six none; each third block begins later."""
    document = parse(raw)
    spans = [
        Span(
            start + (1 if at % 3 == 2 and end - start > 4 else 0), end, [*labels, ""][at % (len(labels) + 1)]
        )
        for at, (start, end) in enumerate(document.blocks)
    ]
    marks = [span for span in spans if span.label and _is_trimmed(document.text[span.start : span.end])]
    return of_document(document, raw, marks, number)


def _is_trimmed(text: str) -> bool:
    return bool(text) and text == text.strip()


def of_document(document: Document, raw: bytes, marks: Iterable[Span], number: int) -> PageRecord:
    """A record with everything that goes out."""
    spans = tuple(normalise(marks))
    gold = GoldRecord(
        verdict="article" if spans else "not_article",
        reason="" if spans else "listing",
        spans=spans,
        text=text_of(document, spans, "main"),
        parser=document.version,
    )
    return PageRecord(
        hashlib.sha256(raw).hexdigest(),
        raw,
        url=f"https://news{number}.example.org/?a=1&b=2",
        captured_at="2026-01-02T03:04:05+00:00",
        language="en",
        gold=gold,
        document=DocumentText(document.text, document.sha256, document.version),
        annotations=(
            AnnotationRecord("annotator-1", gold.verdict, spans, gold.reason),
            AnnotationRecord("annotator-2", "article", spans[:1]),
        ),
        split=("train", "train", "dev", "test")[number % 4],
        site=f"news{number}.example.org",
        tree=document,
        known_sha256=hashlib.sha256(raw).hexdigest(),
    )


@cache
def pages() -> tuple[PageRecord, ...]:
    """Our golden pages, a news page in each of nine languages, and one of astral text."""
    own = [(page / "source.html").read_bytes() for page in PAGES]
    found = [getattr(news, name) for name in dir(news) if isinstance(getattr(news, name), news.News)]
    sources = [*own, *(news.page_of(each).encode() for each in found), ASTRAL.encode()]
    records = [record(raw, number) for number, raw in enumerate(dict.fromkeys(sources))]
    return tuple(sorted(records, key=lambda each: each.sha256))


#: Texts that are hard to carry: astral, quotes, markup, formulas, lines.
TEXTS = st.text(
    st.sampled_from("ab <>&;'\"=+-@\\\n,#_|*[]😀𐍈é\u0301\u200d\u2028") | st.characters(codec="utf-8"),
    min_size=1,
    max_size=30,
)


@st.composite
def made_pages(draw: st.DrawFn) -> list[PageRecord]:
    """A few pages of such texts, in the order of their digests."""
    sources = draw(st.lists(st.lists(TEXTS, min_size=1, max_size=5), min_size=1, max_size=3))
    raws = {
        "".join(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>" for text in texts).encode(
            "utf-8", "replace"
        )
        for texts in sources
    }
    records = [record(raw, number) for number, raw in enumerate(sorted(raws))]
    return sorted(records, key=lambda each: each.sha256)


def plain(spans: Iterable[Span]) -> list[list[object]]:
    """Spans as JSON has them."""
    return json.loads(json.dumps(list(spans)))
