"""Packages of Node, in a child process of Node: `programs.mjs` says how each is called.

They lie in `node/node_modules` in the folder of the Python environment, or where `GOLDPAN_NODE` says;
`launcher/node.sh` puts them there.
"""

import json
import os
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extraction.extractors.external import host
from extraction.extractors.external.libraries import add_peer

CHILD = Path(__file__).with_name("serve.mjs")
# Node reserves far more address space than it uses, so that a limit is set on its heap instead.
HEAP_MEGABYTES = 2048


@dataclass(frozen=True)
class NodePackage:
    """A package from npm's registry, and jsdom, from whose tree its text is read.

    `name` stands in versions, `package` is the registry's. Both are found without starting Node.
    """

    name: str
    package: str

    def version(self) -> str | None:
        """That of the package and of jsdom."""
        version, jsdom = _version(self.package), _version("jsdom")
        return f"{version}-jsdom-{jsdom}" if version and jsdom else None

    def missing(self) -> str | None:
        """Set where there is no Node, or its packages are not there."""
        if _node() is None:
            return "not installed: there is no node on the path"
        return None if self.version() else f"not installed: sh launcher/node.sh {sys.prefix}"


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


def _peer(name: str, library: NodePackage, about: str, *, family: str | None = None) -> None:
    add_peer(name, library, lambda: node_host(os.getpid()), about, family)


_peer(
    "readability-js",
    NodePackage("readability", "@mozilla/readability"),
    "Mozilla's Readability, the reader view of Firefox, through Node.",
    family="readability",
)
_peer(
    "defuddle",
    NodePackage("defuddle", "defuddle"),
    "Defuddle, the extractor of Obsidian's web clipper, through Node; it fetches nothing.",
)
_peer(
    "postlight-parser",
    NodePackage("postlight-parser", "@postlight/parser"),
    "Postlight (once Mercury) Parser's generic rules, through Node; it fetches no further pages.",
    family="readability",  # its scores of paragraphs are those of Arc90, too
)


@cache
def node_host(process: int, *, cpu_seconds: int = host.CPU_SECONDS) -> host.Host:
    """The child of Node of this process: one that was forked has one of its own."""
    command = [_node() or "node", f"--max-old-space-size={HEAP_MEGABYTES}", str(CHILD), str(_packages())]
    return host.Host(command, cpu_seconds=cpu_seconds)
