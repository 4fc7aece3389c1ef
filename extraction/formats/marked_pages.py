"""Gold that annotators left in the page itself, as marks on its elements."""

from collections.abc import Callable

from extraction.documents.document import Document
from extraction.formats.gold import GoldRecord
from extraction.formats.records import FormatError
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Span, bridge

#: The attributes of an element -> its label, "" for boilerplate, None when it is not marked.
Mark = Callable[[dict[str, str]], str | None]


def gold_of(raw: bytes, mark: Mark, labels: frozenset[str]) -> GoldRecord:
    """The gold that a marked page holds, as spans of its own text; the innermost mark of a text counts.

    Raises `FormatError` for a page that cannot be parsed.
    """
    try:
        document = parse(raw)
    except ParseError as error:
        raise FormatError(f"the annotated page cannot be parsed: {error}") from error
    spans = bridge(_marked(document, mark), document.blocks, document.text)
    return GoldRecord(spans=tuple(spans), base=document.text, labels=labels)


def _marked(document: Document, mark: Mark) -> list[Span]:
    spans: list[Span] = []
    open_labels, node = [""], 0
    for event in document.events:
        if event is None:
            open_labels.pop()
        elif isinstance(event, str):
            start, end = document.nodes[node]
            node += 1
            if open_labels[-1] and start >= 0:
                spans.append(Span(start, end, open_labels[-1]))
        else:
            label = mark(event[1])
            open_labels.append(open_labels[-1] if label is None else label)
    return spans
