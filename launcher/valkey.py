"""The private Valkey: on a Unix socket that its owner alone may open, with every write in a journal."""

import signal
import socket
from pathlib import Path

from launcher import accounts, leftovers, programs
from launcher.child import Program
from launcher.place import Place

CLEAN = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


def socket_path(place: Place) -> Path:
    return place.sockets / "valkey.sock"


def url(place: Place) -> str:
    """The REDIS_URL of the private server."""
    return f"unix://{socket_path(place)}?db=0"


def program(place: Place, log: Path, *, throwaway: bool = False) -> Program:
    """How to run the server. The journal makes queued work survive a restart."""
    accounts.private_folder(place.valkey, place.account)
    settings = {
        "port": "0",
        "unixsocket": str(socket_path(place)),
        "unixsocketperm": "600",
        "dir": str(place.valkey),
        "save": "",
        "appendonly": "no" if throwaway else "yes",
        "appendfsync": "everysec",
        "daemonize": "no",
        "loglevel": "notice",
    }
    flags = [part for name, value in settings.items() for part in (f"--{name}", value)]
    return Program(
        name="valkey",
        command=[str(programs.valkey_for(place.account, place.data)), *flags],
        environment=CLEAN,
        log=log,
        folder=place.valkey,
        account=place.account,
        grace_seconds=10.0,
        restart=True,
    )


def is_ready(place: Place) -> bool:
    """Whether it answers; while it still reads its journal it answers that it is loading."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(socket_path(place)))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def clear_leftovers(place: Place) -> int:
    """Stop a server that an earlier launcher left running; returns how many processes."""
    stopped = leftovers.stop_all(lambda: leftovers.servers_in(place.valkey), signal.SIGTERM)
    socket_path(place).unlink(missing_ok=True)
    return stopped
