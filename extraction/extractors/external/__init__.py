"""Programs of others, as extractors: what they print is placed in the document.

Each is fed the page as its users feed it, decoded by our rule (`extraction.parsing.decode`), and runs in a
child process under limits. Importing this package imports none of them, and starts nothing.
"""

from extraction.extractors.external import libraries, node
from extraction.extractors.external.host import Host, LibraryError

__all__ = ["Host", "LibraryError", "libraries", "node"]
