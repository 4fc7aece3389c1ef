"""JSON that is the same bytes everywhere, and digests of it."""

import json
from hashlib import sha256
from typing import Any

# Sums of floating point numbers differ in their last digits from one processor to the next.
DECIMALS = 6


def canonical(value: Any) -> str:
    """Canonical JSON: keys sorted, no blanks, six decimals at most; a line break at its end."""
    made = json.dumps(_rounded(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{made}\n"


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON."""
    return sha256(canonical(value).encode()).hexdigest()


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {str(key): _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
