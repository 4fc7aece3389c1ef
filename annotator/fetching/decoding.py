"""Undoes the compression of an answer, step by step and no further than the limit."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Protocol

import brotli

from annotator.fetching.errors import BadAnswer, NotAnswered, ResponseTooLarge

#: What we ask for, as the header says it.
ACCEPTED = "gzip, deflate, br"

# Bytes that one step of decompression may give.
_STEP = 64 * 1024


class Decoder(Protocol):
    def decode(self, data: bytes) -> Iterator[bytes]:
        """Decompress, in pieces of about `_STEP` bytes."""

    @property
    def complete(self) -> bool:
        """Whether the data ended where its compression says so."""


def decoded(parts: Iterable[bytes], *, encoding: str, limit: int, cut: bool = False) -> bytes:
    """Read a body and undo its encoding. Raises ResponseTooLarge beyond `limit` bytes, unless `cut`.

    Raises BadAnswer for an encoding that we did not ask for or that is broken, NotAnswered for a part only.
    """
    decoder = _decoder(encoding)
    body = bytearray()
    try:
        for part in parts:
            for piece in decoder.decode(part):
                body += piece
                if len(body) > limit:
                    if cut:
                        return bytes(body[:limit])
                    raise ResponseTooLarge(f"it has more than {limit:,} bytes, the most that is fetched")
    except (zlib.error, brotli.error) as error:
        raise BadAnswer(f"its compression ({encoding}) is broken: {error}") from None
    if body and not decoder.complete:
        raise NotAnswered("the site sent only a part")
    return bytes(body)


def _decoder(encoding: str) -> Decoder:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return _Plain()
    if name in ("gzip", "x-gzip"):
        return _Gzip()
    if name == "deflate":
        return _Deflate()
    if name == "br":
        return _Brotli()
    raise BadAnswer(f"it is compressed as {encoding[:40]!r}, which was not asked for")


class _Plain:
    complete = True

    def decode(self, data: bytes) -> Iterator[bytes]:
        yield data


def _inflate(stream: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Decompress until the stream ends or asks for more; it may hold back output although it took all."""
    while True:
        piece = stream.decompress(data, _STEP)
        yield piece
        data = stream.unconsumed_tail
        if stream.eof or (not data and len(piece) < _STEP):
            return


class _Gzip:
    """One member after the other; what follows the last one is no part of the body, as browsers have it."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._after_last = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        while data and not self._after_last:
            if self._member.eof:
                if not data.startswith(b"\x1f\x8b"):
                    self._after_last = True
                    return
                self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            yield from _inflate(self._member, data)
            data = self._member.unused_data

    @property
    def complete(self) -> bool:
        return self._member.eof


class _Deflate:
    """The zlib format, as the standard asks; without its two bytes of header, as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    def decode(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            # The first byte of a zlib header says deflate, with a window of 32 KB at most.
            wrapped = data[:1] and data[0] & 0x0F == 8 and data[0] >> 4 <= 7
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        if not self._stream.eof:
            yield from _inflate(self._stream, data)

    @property
    def complete(self) -> bool:
        return self._stream is not None and self._stream.eof


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def decode(self, data: bytes) -> Iterator[bytes]:
        if self._stream.is_finished():
            return
        yield self._stream.process(data, output_buffer_limit=_STEP)
        while not self._stream.can_accept_more_data():
            yield self._stream.process(b"", output_buffer_limit=_STEP)

    @property
    def complete(self) -> bool:
        return bool(self._stream.is_finished())
