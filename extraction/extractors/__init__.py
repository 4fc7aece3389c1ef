"""Extractors: programs that say which text of a page is content.

Importing this package registers them all. `docs/extractors.md` tells what each one does.
"""

from extraction.extractors import (
    boilerpipe,
    bte,
    cetd,
    everything,
    external,
    goldpan,
    justext,
    mss,
    tree_filter,
    unfluff,
)
from extraction.extractors.registry import (
    REGISTRY,
    Extraction,
    ExtractorError,
    ExtractorSpec,
    Finding,
    Printed,
    Reason,
    broken_plugins,
    explain,
    extract,
    extractor,
    get,
    names,
    own_names,
    parse_with,
)

__all__ = [
    "REGISTRY",
    "Extraction",
    "ExtractorError",
    "ExtractorSpec",
    "Finding",
    "Printed",
    "Reason",
    "boilerpipe",
    "broken_plugins",
    "bte",
    "cetd",
    "everything",
    "explain",
    "external",
    "extract",
    "extractor",
    "get",
    "goldpan",
    "justext",
    "mss",
    "names",
    "own_names",
    "parse_with",
    "tree_filter",
    "unfluff",
]
