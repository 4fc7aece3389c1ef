"""Extractors: programs that say which text of a page is content.

Importing this package registers them all. `docs/extractors.md` describes each.
"""

from extraction.extractors import (
    boilernet,
    boilerpipe,
    bte,
    cetd,
    crf,
    everything,
    external,
    goldpan,
    justext,
    mss,
    mss_supervised,
    tree_filter,
    unfluff,
    web2text,
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
    "boilernet",
    "boilerpipe",
    "broken_plugins",
    "bte",
    "cetd",
    "crf",
    "everything",
    "explain",
    "external",
    "extract",
    "extractor",
    "get",
    "goldpan",
    "justext",
    "mss",
    "mss_supervised",
    "names",
    "own_names",
    "parse_with",
    "tree_filter",
    "unfluff",
    "web2text",
]
