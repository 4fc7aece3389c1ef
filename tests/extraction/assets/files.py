"""Images for tests: ordinary ones, and what attackers make of them."""

import io
import struct
import zlib

from PIL import Image


def png(width: int, height: int, colour: str = "teal") -> bytes:
    """An ordinary image."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return out.getvalue()


def saved(kind: str, mode: str = "RGB", size: tuple[int, int] = (40, 30), **options: object) -> bytes:
    """An image in any format that Pillow writes."""
    out = io.BytesIO()
    Image.new(mode, size, 1 if mode in ("1", "L", "P") else "orange").save(out, kind, **options)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few kilobytes that would be decoded to width times height pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def frames(count: int) -> bytes:
    """A GIF with so many frames."""
    out = io.BytesIO()
    images = [Image.new("P", (50, 50), number % 256) for number in range(count)]
    images[0].save(out, "GIF", save_all=True, append_images=images[1:])
    return out.getvalue()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
