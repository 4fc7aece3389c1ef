"""Pages in, text out: true without a database, usable by itself."""

from extraction.document import Document
from extraction.parse import parse

__all__ = ["Document", "parse"]
