"""The one order in which pages go out."""

from collections.abc import Iterable, Iterator

from extraction.formats.records import FormatError, PageRecord


def by_digest(records: Iterable[PageRecord]) -> Iterator[PageRecord]:
    """The records as they come, checked to be ordered by digest: writers stream, and never sort in memory."""
    last = ""
    for record in records:
        if record.sha256 <= last:
            raise FormatError(
                f"{record.sha256} comes after {last}: records must come once, ordered by digest"
            )
        last = record.sha256
        yield record
