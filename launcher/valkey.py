"""The private Valkey: on a Unix socket that only its owner can open, with every write in a journal."""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from launcher import accounts, logs, programs
from launcher.accounts import ServerAccount
from launcher.data_folder import DataFolder
from launcher.process import Program


@dataclass(frozen=True)
class PrivateValkey:
    """A Valkey server with its data in the data folder. `throwaway`: without a journal."""

    variable: ClassVar[str] = "REDIS_URL"

    data: DataFolder
    sockets: Path
    account: ServerAccount | None
    throwaway: bool = False

    @property
    def socket(self) -> str:
        return str(self.sockets / "valkey.sock")

    @property
    def url(self) -> str:
        """Return the REDIS_URL."""
        return f"unix://{self.socket}?db=0"

    def prepare(self) -> None:
        """Make its folder."""
        accounts.private_folder(self.data.valkey, self.account)

    def program(self) -> Program:
        """Return how to run the server. The journal makes queued work survive a restart."""
        settings = {
            "port": "0",
            "unixsocket": self.socket,
            "unixsocketperm": "600",
            "dir": str(self.data.valkey),
            "save": "",
            "appendonly": "no" if self.throwaway else "yes",
            "appendfsync": "everysec",
            "daemonize": "no",
            "loglevel": "notice",
        }
        flags = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return Program(
            name="valkey",
            command=[str(programs.valkey_program()), *flags],
            environment={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            log=logs.rotated(self.data.logs / "valkey.log"),
            folder=self.data.valkey,
            account=self.account,
            grace_seconds=10.0,
            pass_fds=self.data.lock_descriptors,
        )

    def is_ready(self) -> bool:
        """Return whether it answers. While it still reads its journal, it answers that it is loading."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(self.socket)
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
