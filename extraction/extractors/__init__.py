"""Extractors: programs that say which text of a page is content.

Importing this package registers them all. `docs/extractors.md` tells what each one does.
"""

from extraction.extractors import boilerpipe, everything, tree_filter
from extraction.extractors.registry import (
    REGISTRY,
    ExtractorError,
    ExtractorSpec,
    extract,
    extractor,
    get,
    parse_with,
)

__all__ = [
    "REGISTRY",
    "ExtractorError",
    "ExtractorSpec",
    "boilerpipe",
    "everything",
    "extract",
    "extractor",
    "get",
    "parse_with",
    "tree_filter",
]
