"""A parser of another version: menus and small print are no text any more, and no line is broken.

python -m tests.annotator.reparsing.planted CPU_SECONDS MEMORY_BYTES     the parser's child
"""

from importlib import import_module

from extraction import child_process as child
from extraction import sandbox
from extraction.documents.tags import DROPPED, INLINE, KINDS

VERSION = "3+planted"
CHANGED = {"nav": DROPPED, "small": DROPPED, "br": INLINE}


def plant() -> None:
    """Change the rules of this process's parser for good."""
    KINDS.update(CHANGED)
    vars(import_module("extraction.parsing.parse"))["PARSER_VERSION"] = VERSION


if __name__ == "__main__":
    plant()
    child.answer_parent(sandbox.answer)
