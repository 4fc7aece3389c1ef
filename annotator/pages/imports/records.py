"""What the sources of imports yield."""

from collections.abc import Iterator
from typing import NamedTuple

from extraction.formats import BadRecord, PageRecord

Record = PageRecord | BadRecord


class OpenSource(NamedTuple):
    """The format in which a source is read, and its records from the wanted position on.

    A record of None: there is nothing new for now.
    """

    format: str
    records: Iterator[Record | None]
