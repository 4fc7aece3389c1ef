"""Answers every request with the number of its process."""

import os
from collections.abc import Callable


def application(environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]
