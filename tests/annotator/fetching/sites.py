"""Servers on loopback that speak raw bytes: a site that may misbehave, and a listener nobody may reach."""

import math
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

# Seconds for which a site waits for whoever asked it.
PATIENCE = 300

# What is sent for a path: bytes, or a function that sends and reads as it likes.
Answer = bytes | Callable[[socket.socket], None]


def response(
    body: bytes = b"<html><p>Hello", *, status: str = "200 OK", length: bool = True, **headers: str
) -> bytes:
    """An answer of HTTP; underscores in the names of headers are hyphens."""
    given = {
        "content-type": "text/html; charset=utf-8",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    if length:
        given.setdefault("content-length", str(len(body)))
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def redirect(target: str, status: str = "302 Found") -> bytes:
    return response(b"", status=status, location=target)


@dataclass
class Request:
    """A request as it arrived: `began` and `ended` are by `time.monotonic`; it ends when it is answered.

    Its whole answer is sent right after `ended`: whoever has it may ask again at once.
    """

    path: str
    headers: dict[str, str]
    began: float
    ended: float = math.inf


@dataclass
class Site:
    """A web server; `answers` by path, 404 for the others."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    log: list[Request] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [request.path for request in self.log]

    def serve(self, connection: socket.socket) -> None:
        began = time.monotonic()
        head = _head(connection)
        if not head:
            return
        lines = head.split("\r\n")
        path = lines[0].split(" ")[1]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        answer = self.answers.get(path, response(b"no such page", status="404 Not Found"))
        # Before the answer: whoever has it may look here at once.
        request = Request(path, headers, began)
        self.log.append(request)
        if callable(answer):
            answer(connection)
            request.ended = time.monotonic()
        else:
            request.ended = time.monotonic()
            connection.sendall(answer)


def _head(connection: socket.socket) -> str:
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(4096)
        if not part:
            return ""
        received += part
    return received.partition(b"\r\n\r\n")[0].decode("latin-1")


@contextmanager
def site(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """A site on a free port of 127.0.0.1."""
    with _listening("127.0.0.1", 0) as listener:
        served = Site(listener.getsockname()[1])

        def serve(connection: socket.socket) -> None:
            secured = tls.wrap_socket(connection, server_side=True) if tls else connection
            with secured:
                served.serve(secured)

        with _accepting(listener, serve):
            yield served


@dataclass
class Listener:
    """Counts the connections that reach it."""

    port: int
    connections: int = 0

    def count(self, connection: socket.socket) -> None:
        self.connections += 1


@contextmanager
def listener(host: str = "0.0.0.0", port: int = 0) -> Iterator[Listener]:  # noqa: S104  whoever leads here
    with _listening(host, port) as opened:
        counting = Listener(opened.getsockname()[1])
        with _accepting(opened, counting.count):
            yield counting


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port of 127.0.0.1 of which each connection is served so."""
    with _listening("127.0.0.1", 0) as opened, _accepting(opened, serve):
        yield opened.getsockname()[1]


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=64) as opened:
        yield opened


@contextmanager
def _accepting(listener: socket.socket, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    def handle(connection: socket.socket) -> None:
        # Whoever asks may hang up at any time.
        with suppress(OSError), connection:
            connection.settimeout(PATIENCE)
            serve(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # shut down
                return
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
