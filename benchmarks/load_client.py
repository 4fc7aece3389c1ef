"""An HTTP client that sends the requests of an annotator's browser.

It shares the machine with the server that it measures, so it works on a bare socket to use little CPU time.
"""

import json
import re
import socket
import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from threading import Barrier
from typing import Any

END = b"\r\n\r\n"
PAYLOAD = re.compile(rb'<script id="payload" type="application/json">(.*?)</script>', re.DOTALL)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
LOCATION = re.compile(rb"\r\nlocation: *([^\r]+)", re.IGNORECASE)
AT_ONCE = 262_144


class LoadClient:
    """One annotator's connection and cookies, and the durations of the requests.

    Sends what the workbench sends without a prefetched reserve page. Static files and the empty frame are
    cached by a browser, and not requested.
    """

    def __init__(self, port: int, slug: str, session: str) -> None:
        self._port = port
        self._base = f"/c/{slug}/"
        token = "t" * 32
        self._headers = (
            f" HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\nX-CSRFToken: {token}\r\n"
            f"Cookie: sessionid={session}; csrftoken={token}\r\nAccept-Encoding: gzip\r\n"
        )
        self._socket: socket.socket | None = None
        self._payload: dict[str, Any] = {}
        self._address = ""
        self.took: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []

    def warm_up(self, pages: int) -> None:
        self.work(pages)
        self.took.clear()

    def work_with(self, start: Barrier, pages: int) -> None:
        start.wait()
        self.work(pages)

    def work(self, pages: int) -> None:
        """Submit so many pages, each saved once."""
        if not self._address:
            head, _ = self._ask("POST", f"{self._base}next/", b"")
            self._address = LOCATION.search(head)[1].decode()  # type: ignore[index]
            self._open()
        for _ in range(pages):
            self._timed("save", self._save)
            self._timed("next", self._next)

    def _timed(self, what: str, act: Callable[[], None]) -> None:
        started = time.perf_counter()
        act()
        self.took[what].append(time.perf_counter() - started)

    def _next(self) -> None:
        """Submit, claim and open the next page, and load its view."""
        answer = self._part("submit", "POST", f"{self._address}submit/", {"based_on": 1})
        self._address = json.loads(answer)["next"]
        self._open()

    def _open(self) -> None:
        page = self._part("open", "GET", self._address)
        self._payload = json.loads(PAYLOAD.search(page)[1])  # type: ignore[index]
        self._part("view", "GET", f"{self._address}view.json")

    def _save(self) -> None:
        body = {
            "document": self._payload["document"]["sha256"],
            "based_on": 0,
            "operation": str(uuid.uuid4()),
            "spans": [{"start": 0, "end": 7, "label": "headline", "text": "Part 0 "}],
            "verdict": "article",
            "active_seconds": 1,
        }
        self._part("write", "POST", f"{self._address}save/", body)

    def _part(self, name: str, method: str, address: str, body: object = None) -> bytes:
        started = time.perf_counter()
        head, content = self._ask(method, address, None if body is None else json.dumps(body).encode())
        self.took[name].append(time.perf_counter() - started)
        if not head.startswith(b"HTTP/1.1 200"):
            self.errors.append(f"{method} {address}: {head[:16]!r} {content[:200]!r}")
            raise RuntimeError(self.errors[-1])
        return content

    def _ask(self, method: str, address: str, body: bytes | None = None) -> tuple[bytes, bytes]:
        sent = f"{method} {address}{self._headers}".encode()
        if body is not None:
            sent += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        else:
            sent += b"\r\n"
        try:
            return self._exchange(sent)
        except ConnectionError:
            # The server closes idle connections; like a browser, send the request again.
            self._socket = None
            return self._exchange(sent)

    def _exchange(self, sent: bytes) -> tuple[bytes, bytes]:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=60)
        self._socket.sendall(sent)
        received = self._receive()
        while END not in received:
            received += self._receive()
        head, _, content = received.partition(END)
        length = int(LENGTH.search(head)[1])  # type: ignore[index]
        while len(content) < length:
            content += self._receive()
        return head, content

    def _receive(self) -> bytes:
        assert self._socket
        some = self._socket.recv(AT_ONCE)
        if not some:
            raise ConnectionError("the server closed the connection")
        return some
