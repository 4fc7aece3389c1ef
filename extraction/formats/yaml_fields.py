"""The fields of a YAML file, or of the header of one in Markdown."""

import json
import re
from collections.abc import Mapping
from typing import Any

# YAML knows the escapes of JSON, but not an astral character as two of them; it takes that as it is.
# What else is not ASCII may be a line break to YAML, or forbidden.
_ESCAPED = re.compile(r"[^\x00-\x7e\U00010000-\U0010ffff]")


def yaml_fields(fields: Mapping[str, Any]) -> str:
    """A line for each field; values are written as JSON, which nobody can break out of."""
    return "".join(f"{key}: {_value(value)}\n" for key, value in fields.items())


def _value(value: Any) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
