"""Steps of a benchmark that are processes of their own."""

import json
import subprocess
import sys
from typing import Any


def printed_by(module: str, *arguments: str) -> dict[str, Any]:
    """What the process of a module prints, as JSON, in its last line.

    In a session of its own, so that whoever interrupts us does so once to it, and it can stop its servers.
    """
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found
