"""Code points to UTF-16 code units and back, for JavaScript and Java; the one module that converts.

units = Units(text)
units.of(5), units.code_point(6)
"""

from bisect import bisect_left


class Units:
    """The offsets of one text. Where it has nothing beyond 16 bits, both are the same."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._astral = [] if text.isascii() else [at for at, char in enumerate(text) if char > "\uffff"]
        # The unit at which each of these characters begins.
        self._begins = [at + before for before, at in enumerate(self._astral)]

    def of(self, code_point: int) -> int:
        """The code unit at which a code point begins."""
        return code_point + bisect_left(self._astral, code_point)

    def code_point(self, unit: int) -> int:
        """The code point that begins at a code unit.

        Raises ValueError for one that lies inside a character, or outside the text.
        """
        before = bisect_left(self._begins, unit)
        found = unit - before
        if before and self._begins[before - 1] + 1 == unit:
            raise ValueError(f"{unit} lies inside a character")
        if not 0 <= found <= self._length:
            raise ValueError(f"{unit} lies outside the text")
        return found
