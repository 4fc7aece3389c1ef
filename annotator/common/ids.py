"""Primary keys and other whole numbers in addresses and forms."""

from django.urls.converters import IntConverter

MAX_DIGITS = 18  # of the 19 that the largest has


class IdConverter(IntConverter):
    """`<id:pk>` in a route, registered in `annotator.apps`: what is no primary key is no such address."""

    regex = f"[0-9]{{1,{MAX_DIGITS}}}"


def read_id(text: str) -> int | None:
    """The number, None where the text is none that may be a primary key."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None
