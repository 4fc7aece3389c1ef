"""An HTTP client that sends the requests of an annotator's browser."""

import json
import re
import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse
from threading import Barrier
from typing import Any

PAYLOAD = re.compile(rb'<script id="payload" type="application/json">(.*?)</script>', re.DOTALL)


class LoadClient:
    """One annotator's connection and cookies, and the durations of the requests.

    Sends what the workbench sends without a prefetched reserve page. Static files and the empty frame are
    cached by a browser, and not requested.
    """

    def __init__(self, port: int, slug: str, session: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._base = f"/c/{slug}/"
        token = "t" * 32
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/json",
            "Cookie": f"sessionid={session}; csrftoken={token}",
            "X-CSRFToken": token,
        }
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
            answer, _ = self._ask("POST", f"{self._base}next/", b"")
            self._address = answer.headers["Location"]
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
        answer, content = self._ask(method, address, None if body is None else json.dumps(body).encode())
        self.took[name].append(time.perf_counter() - started)
        if answer.status != 200:
            self.errors.append(f"{method} {address}: {answer.status} {content[:200]!r}")
            raise RuntimeError(self.errors[-1])
        return content

    def _ask(self, method: str, address: str, body: bytes | None = None) -> tuple[HTTPResponse, bytes]:
        try:
            return self._exchange(method, address, body)
        except ConnectionError:
            # The server closes idle connections; like a browser, send the request again.
            self._connection.close()
            return self._exchange(method, address, body)

    def _exchange(self, method: str, address: str, body: bytes | None) -> tuple[HTTPResponse, bytes]:
        self._connection.request(method, address, body, self._headers)
        answer = self._connection.getresponse()
        return answer, answer.read()
