"""Parse web pages, extract their main text and measure extractors; needs no database and no server."""

from extraction.documents.document import Document
from extraction.extractors import explain, extract
from extraction.parsing.parse import parse
from extraction.spans import Span, text_of

__all__ = ["Document", "Span", "explain", "extract", "parse", "text_of"]
