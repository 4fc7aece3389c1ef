"""What files of figures say of themselves."""

import hashlib
import json
from typing import Any

OWN = ("corpus", "source", "computed_at", "sha256", "cite")


def assert_digest_is_of(exported: dict[str, Any]) -> None:
    """The digest in a file is that of its figures, as anybody can compute it."""
    figures = {name: value for name, value in exported.items() if name not in OWN}
    text = json.dumps(figures, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert exported["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert exported["sha256"][:16] in exported["cite"]
