"""Canonical JSON, which is reproducible byte for byte, and digests of it."""

import json
from hashlib import sha256
from typing import Any

# Sums of floating point numbers differ in their last digits between processors.
DECIMALS = 6


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, no spaces, at most six decimals, and a line break at its end."""
    text = json.dumps(_rounded(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n"


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON."""
    return sha256(canonical_json(value).encode()).hexdigest()


def canonical_gold(
    *, document: str, verdict: str, reason: str, spans: list[Any], labels: list[str], source: str
) -> str:
    """Return the content of a gold, whose digest is in the manifest; `document` is the digest of its text."""
    return canonical_json(
        {
            "document": document,
            "verdict": verdict,
            "reason": reason,
            "spans": sorted(spans),
            "distinguishable_labels": labels,
            "source": source,
        }
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {str(key): _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
