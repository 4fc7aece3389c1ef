"""Extractors: programs that say which text of a page is content.

Importing this package registers them all. `docs/extractors.md` describes each.
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
    broken_plugins,
    explain,
    extract,
    extractor,
    get,
    names,
    own_names,
    parse_with,
)
from extraction.extractors.spec import (
    BlockReason,
    Evidence,
    ExtractorError,
    ExtractorSpec,
    Output,
    Printed,
)

__all__ = [
    "REGISTRY",
    "BlockReason",
    "Evidence",
    "ExtractorError",
    "ExtractorSpec",
    "Output",
    "Printed",
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
