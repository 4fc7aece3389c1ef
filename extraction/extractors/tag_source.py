"""The source of a page as tokens, read with regular expressions as BTE's published program does.

Its behaviour is kept, as its figures depend on it: whatever stands before the last `<body ...>` is cut off,
also one in a script; a comment is a tag up to its first `>`; scripts and styles leave their two tags; three
entities are decoded before words are cut, the others only when text is printed.
"""

import html
import re
from collections.abc import Iterator

import numpy as np

from extraction.documents.document import Document
from extraction.extractors.maximum_sum import maximum_sum
from extraction.extractors.spec import ExtractorError
from extraction.parsing.decode import decode

_BODY_START = re.compile(r"<body(?:\s[^>]*)?>", re.IGNORECASE)
_BODY_END = re.compile(r"</body>", re.IGNORECASE)
_CODE_START = re.compile(r"<(script|style)(?:\s[^>]*)?>", re.IGNORECASE)
_CODE_END = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in ("script", "style")}
_TOKEN = re.compile(r"<[^>]+>|[^\s<]+")
_NAME_END = re.compile(r"[\s>]")
_PARAGRAPH_TAGS = frozenset({"p", "div", "hr", "blockquote", "table", "h1", "h2", "h3", "li"})


def reads_source(*, mode: str, **_others: object) -> bool:
    """Whether an extractor with these parameters reads the source, and not the tree."""
    return mode == "source"


def best_source_text(document: Document, *, tag_cost: float) -> str:
    """The words of the stretch with the most of them, where each tag costs so many; a line for a paragraph.

    Raises `ExtractorError` for a document without its page's bytes.
    """
    if document.raw is None:
        raise ExtractorError("mode=source reads the page's bytes, but this document came without them")
    tokens = tokens_of(decode(document.raw).text)
    segment = maximum_sum(np.array([-tag_cost if token[0] == "<" else 1.0 for token in tokens]))
    return html.unescape("\n".join(paragraphs_of(tokens[segment.start : segment.end]))) if segment else ""


def tokens_of(source: str) -> list[str]:
    """Tags, from `<` to the next `>`, and words, in their order."""
    body = "".join(_without_code(_body(source)))
    for entity, character in (("&quot;", '"'), ("&nbsp;", " "), ("&#39;", "'")):
        body = body.replace(entity, character)
    # After the last ">" there is no tag; looking for one at every "<" there would take quadratic time.
    last = body.rfind(">") + 1
    return _TOKEN.findall(body[:last]) + re.findall(r"[^\s<]+", body[last:])


def _body(source: str) -> str:
    searched = source[: source.rfind(">") + 1]
    start = max((found.end() for found in _BODY_START.finditer(searched)), default=0)
    end = _BODY_END.search(source, start)
    return source[start : end.start()] if end else source[start:]


def _without_code(body: str) -> Iterator[str]:
    """The body in pieces, scripts and styles emptied; one without an end stays as it is."""
    position = 0
    ended = {"script": True, "style": True}
    for start in _CODE_START.finditer(body, 0, body.rfind(">") + 1):
        name = start[1].lower()
        end = _CODE_END[name].search(body, start.end()) if ended[name] and start.start() >= position else None
        if end:
            yield body[position : start.start()]
            yield f"<{name}></{name}>"
            position = end.end()
        elif start.start() >= position:
            ended[name] = False
    yield body[position:]


def paragraphs_of(tokens: list[str]) -> Iterator[str]:
    """The words between the start tags that begin a paragraph; end tags never do."""
    words: list[str] = []
    for token in tokens:
        if token[0] != "<":
            words.append(token)
        elif words and _NAME_END.split(token[1:], 1)[0].lower() in _PARAGRAPH_TAGS:
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)
