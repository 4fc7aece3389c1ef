"""Files of weights: arrays by name and what is known of the model, in the layout of safetensors.

Eight bytes give the length of a JSON header, little-endian; the header names for each array its type, shape
and place; then come the bytes of the arrays, in the order of their names. The key `__metadata__` of the
header holds texts. Nothing in a file is code, and the same model gives the same bytes. Large matrices may
be stored as whole numbers from -127 to 127 with one scale a row: an array `NAME` of type I8 beside
`NAME.scale`.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

SCALE = ".scale"
_KINDS = {"F32": "<f4", "I8": "i1", "U8": "u1", "U16": "<u2", "I32": "<i4", "U64": "<u8"}
_TYPES: dict[str, np.dtype[Any]] = {name: np.dtype(kind) for name, kind in _KINDS.items()}
_NAMES = {kind: name for name, kind in _TYPES.items()}
_LENGTH = struct.Struct("<Q")
_MOST = 127

Array = NDArray[Any]


class TensorsError(ValueError):
    """A file of weights that cannot be read."""


@dataclass(frozen=True)
class Tensors:
    """The arrays of a model by name, as they are stored, and texts about it."""

    arrays: dict[str, Array]
    about: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Array:
        """An array; one that is stored as whole numbers is multiplied by the scale of each row."""
        array, scale = self.arrays[name], self.arrays.get(name + SCALE)
        return array if scale is None else array * scale[:, None]

    def to_bytes(self) -> bytes:
        """The file."""
        header: dict[str, Any] = {"__metadata__": dict(sorted(self.about.items()))}
        start, parts = 0, []
        for name, array in sorted(self.arrays.items()):
            data = np.ascontiguousarray(array).tobytes()
            header[name] = {
                "dtype": _NAMES[array.dtype],
                "shape": list(array.shape),
                "data_offsets": [start, start + len(data)],
            }
            start += len(data)
            parts.append(data)
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 8)
        return b"".join([_LENGTH.pack(len(text)), text, *parts])

    @classmethod
    def from_bytes(cls, data: bytes) -> Tensors:
        """The model that `to_bytes` wrote; raises `TensorsError` for anything else."""
        try:
            stream = io.BytesIO(data)
            header, start = _header(stream, len(data)), stream.tell()
            about = header.pop("__metadata__", {})
            return cls({name: _array(data, start, entry) for name, entry in header.items()}, about)
        except (ValueError, KeyError, TypeError, struct.error) as error:
            raise TensorsError(f"not a file of weights: {error}") from error

    @classmethod
    def load(cls, path: Path) -> Tensors:
        """The model of a file."""
        return cls.from_bytes(path.read_bytes())

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.to_bytes()).hexdigest()


def about(path: Path) -> dict[str, str]:
    """What a file says of its model, without its arrays; raises `TensorsError` as `from_bytes` does."""
    try:
        with path.open("rb") as stream:
            return dict(_header(stream, path.stat().st_size).get("__metadata__", {}))
    except (ValueError, TypeError, struct.error) as error:
        raise TensorsError(f"{path} is not a file of weights: {error}") from error


def _header(stream: BinaryIO, size: int) -> dict[str, Any]:
    """The header of a file of this size, after which the arrays follow."""
    (length,) = _LENGTH.unpack(stream.read(_LENGTH.size))
    header = json.loads(stream.read(min(length, size)))
    if not isinstance(header, dict):
        raise TypeError("its header is no object")
    return header


def _array(data: bytes, start: int, entry: Mapping[str, Any]) -> Array:
    first, end = entry["data_offsets"]
    array: Array = np.frombuffer(data[start + first : start + end], _TYPES[entry["dtype"]])
    return array.reshape(entry["shape"])


def as_whole_numbers(name: str, matrix: Array) -> dict[str, Array]:
    """A matrix as numbers from -127 to 127 and a scale for each row, a quarter of its size."""
    scale = np.abs(matrix).max(axis=1).astype(np.float32) / _MOST
    whole = np.round(matrix / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    return {name: whole, name + SCALE: scale}
