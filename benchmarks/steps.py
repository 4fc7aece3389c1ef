"""Steps of a benchmark that are processes of their own."""

import json
import subprocess
import sys
from typing import Any


def printed_by(module: str, *arguments: str) -> dict[str, Any]:
    """What the process of a module prints, as JSON, in its last line."""
    command = [sys.executable, "-m", module, *arguments]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found
