"""Awkward pages that we wrote, and what the parser makes of them.

Each folder holds `source.html`, `expected.json` and `why.md`. After a change that is meant to alter the
output, raise the parser version in `extraction/documents/document.py` and run `python -m tests.golden`.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from extraction.documents.document import PARSER_VERSION
from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse

PAGES = sorted(path.parent for path in Path(__file__).parent.glob("*/source.html"))


class VersionNotRaised(Exception):
    """A page's output changed while the parser version did not."""


def output_of(page: Path) -> dict[str, Any]:
    """Everything about a page that a stored annotation relies on."""
    document = parse((page / "source.html").read_bytes())
    return {
        "version": document.version,
        "sha256": document.sha256,
        "text": document.text,
        "blocks": [list(block) for block in document.blocks],
        "encoding": [document.encoding, document.encoding_source],
        "repairs": list(document.repairs),
        "quirks": document.quirks,
        "title": document.title,
        "tree": _digest([document.events, document.nodes, document.styles]),
        "view": build_view(document),
    }


def expected_of(page: Path) -> dict[str, Any]:
    """What the page gave when its expectations were last written."""
    return dict(json.loads((page / "expected.json").read_text()))


def check_version(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Raise VersionNotRaised if the two outputs differ in anything but their version."""
    if before != after and before["version"] == after["version"]:
        changed = [key for key in after if before.get(key) != after[key]]
        raise VersionNotRaised(f"{', '.join(changed)} changed under version {PARSER_VERSION}")


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
