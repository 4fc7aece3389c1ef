"""Mozilla's Readability: the original in JavaScript, in a child process of Node.

Its packages lie in `node/node_modules` in the folder of the Python environment, or where `GOLDPAN_NODE` says;
`launcher/node.sh` puts them there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from functools import cache
from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.external import host
from extraction.extractors.external.libraries import source_of
from extraction.extractors.registry import extractor
from extraction.extractors.spec import Printed

PROGRAM = Path(__file__).with_name("readability.mjs")
# Node reserves far more address space than it uses, so that a limit is set on its heap instead.
HEAP_MEGABYTES = 2048


class Readability:
    """The two packages, found without starting Node."""

    name = "readability"

    def version(self) -> str | None:
        """That of Readability and of the tree under it."""
        readability, jsdom = _version("@mozilla/readability"), _version("jsdom")
        return f"{readability}-jsdom-{jsdom}" if readability and jsdom else None

    def missing(self) -> str | None:
        """Set where there is no Node, or its packages are not there."""
        if _node() is None:
            return "not installed: there is no node on the path"
        return None if self.version() else f"not installed: sh launcher/node.sh {sys.prefix}"


LIBRARY = Readability()


def _node() -> str | None:
    """Node of the Python environment, else the one on the path."""
    return shutil.which("node", path=f"{sys.prefix}/bin") or shutil.which("node")


def _packages() -> Path:
    return Path(os.environ.get("GOLDPAN_NODE") or Path(sys.prefix, "node"), "node_modules")


def _version(package: str) -> str | None:
    description = _packages() / package / "package.json"
    try:
        return str(json.loads(description.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None


@extractor("readability-js", version=1, family="readability", needs_raw=True, library=LIBRARY)
def readability_js(document: Document) -> Printed:
    """Mozilla's Readability, the reader view of Firefox, through Node."""
    host.require(LIBRARY)
    return node_host(os.getpid()).ask("readability-js", source_of(document))


@cache
def node_host(process: int, *, cpu_seconds: int = host.CPU_SECONDS) -> host.Host:
    """The child of Node of this process: one that was forked has one of its own."""
    command = [_node() or "node", f"--max-old-space-size={HEAP_MEGABYTES}", str(PROGRAM), str(_packages())]
    return host.Host(command, cpu_seconds=cpu_seconds)
