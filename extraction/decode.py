"""Bytes -> text."""

from typing import NamedTuple


class Decoded(NamedTuple):
    text: str
    encoding: str
    source: str


def decode(raw: bytes, charset: str | None = None) -> Decoded:
    """First stage: UTF-8."""
    return Decoded(raw.decode("utf-8", "replace"), "utf-8", "declared")
