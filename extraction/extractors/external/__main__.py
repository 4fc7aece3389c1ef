"""The child's side: imports a library on first use, and answers until the parent ends.

Nothing here may reach the network: an attempt is refused and reported with the answer.
"""

import json
import sys
import time
from typing import Any

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, Reply
from extraction.extractors.external.libraries import program

_CONNECTING = frozenset(
    {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
)
_attempts: list[str] = []


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _CONNECTING:
        _attempts.append(f"{event} {arguments[:2]}")
        raise OSError("extractors have no network")


# Of the one thread: under a limit of CPU the kernel counts a whole process in ticks of several milliseconds.
_seconds = time.thread_time


def respond(name: bytes, page: bytes) -> Reply:
    """What the program prints, with the CPU seconds that it took; importing it does not count."""
    try:
        run = program(name.decode())
        html = page.decode("utf-8", "replace")
        _attempts.clear()
        started = _seconds()
        printed = run(html)
        usage = {"seconds": _seconds() - started, "attempts": _attempts}
        return Reply(DONE, json.dumps(usage).encode(), printed.encode("utf-8", "replace"))
    except MemoryError:
        return Reply(REFUSED, b"memory", b"it needs more memory than it may have")
    except Exception as error:  # noqa: BLE001 - whatever a library raises is its answer (invariant 9)
        message = f"{type(error).__name__}: {str(error) or repr(error.__cause__)}"
        return Reply(REFUSED, b"crash", message.encode("utf-8", "replace"))


if __name__ == "__main__":
    sys.addaudithook(_refuse_network)
    child.answer_parent(respond)
