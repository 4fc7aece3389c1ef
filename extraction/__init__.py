"""Pages in, text out: true without a database, usable by itself."""

from extraction.document import Document
from extraction.extractors import explain, extract
from extraction.parse import parse
from extraction.spans import Span, text_of

__all__ = ["Document", "Span", "explain", "extract", "parse", "text_of"]
