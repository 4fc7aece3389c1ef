"""Connections to hosts that were checked: resolved once, checked, and connected to by the checked address.

A name is resolved here and nowhere else. What is connected to is the IP address that was checked, so that a
name that resolves otherwise a moment later changes nothing; TLS verifies the host name of the address.
Every connection serves one request.
"""

import socket
import ssl
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock

import httpcore
import httpx

from annotator.common.sites import site_of
from annotator.fetching.addresses import check_host
from annotator.fetching.errors import BadAddress, NotAnswered
from annotator.fetching.limits import FetchBudget

# host, port -> IP addresses, in the order in which they are tried.
Resolve = Callable[[str, int], Sequence[str]]

# Of the addresses of a name, so many are tried.
MAX_ADDRESSES = 3
# Names that are looked up at the same time, in all and of one site. A name server that never answers holds
# the thread for longer than its answer is waited for.
LOOKUPS, SITE_LOOKUPS = 16, 2


def resolve(host: str, port: int) -> list[str]:
    """Ask the system's resolver. Raises BadAddress for an unknown name, NotAnswered without an answer."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise NotAnswered(f"the name {host} could not be resolved now") from None
        raise BadAddress(f"there is no host {host}: check the spelling") from None
    except UnicodeError:
        raise BadAddress(f"{host!r} is no name of a host") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class _Lookups:
    """Looks names up in threads, as a resolver knows no time-out."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=LOOKUPS, thread_name_prefix="resolve")
        self._by_site = Counter[str]()
        self._lock = Lock()

    def addresses(self, resolve: Resolve, host: str, port: int, seconds: float) -> Sequence[str]:
        """What `resolve` finds within so many seconds. Raises NotAnswered, and what `resolve` raises."""
        found = self._start(resolve, host, port)
        try:
            return found.result(seconds)
        except FutureTimeout:
            # One that waits for a thread still is not looked up any more.
            found.cancel()
            raise NotAnswered(f"the name {host} was not resolved in time") from None

    def _start(self, resolve: Resolve, host: str, port: int) -> Future[Sequence[str]]:
        site = site_of(f"http://{host}")
        with self._lock:
            if self._by_site[site] >= SITE_LOOKUPS:
                raise NotAnswered(f"the name servers of {site} have not answered for other names yet")
            self._by_site[site] += 1
        started = self._threads.submit(resolve, host, port)
        started.add_done_callback(lambda _done: self._end(site))
        return started

    def _end(self, site: str) -> None:
        with self._lock:
            self._by_site[site] -= 1
            self._by_site += Counter()  # without those at zero


@lru_cache(maxsize=1)
def _lookups() -> _Lookups:
    """Those of this process, made after it was forked."""
    return _Lookups()


@lru_cache(maxsize=1)
def tls() -> ssl.SSLContext:
    """Verifies certificates and host names, by the certificates of certifi; asks no environment variable."""
    return httpx.create_ssl_context(trust_env=False)


class CheckedTransport(httpx.BaseTransport):
    """Sends one request to a checked host within a budget; raises FetchError for all that goes wrong there.

    There is no `httpx.Client` above it: that would keep cookies, follow redirects and read the environment.
    """

    def __init__(self, budget: FetchBudget, *, resolve: Resolve, tls: ssl.SSLContext) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=tls,
            max_keepalive_connections=0,
            network_backend=CheckedBackend(budget, resolve=resolve),
        )
        limits = budget.limits
        seconds = {"connect": limits.connect_seconds, "read": limits.read_seconds}
        self._timeouts = seconds | {"write": limits.read_seconds, "pool": limits.total_seconds}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with _as_fetch_errors():
            answer = self._pool.handle_request(
                httpcore.Request(
                    method=request.method,
                    url=httpcore.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions={"timeout": self._timeouts},
                )
            )
        assert isinstance(answer.stream, Iterable)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer.stream))

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _as_fetch_errors():
            yield from self._stream

    def close(self) -> None:
        if hasattr(self._stream, "close"):
            self._stream.close()


@contextmanager
def _as_fetch_errors() -> Iterator[None]:
    try:
        yield
    except httpcore.TimeoutException:
        raise NotAnswered("the site did not answer in time") from None
    except httpcore.RemoteProtocolError as error:
        raise NotAnswered(f"the site did not answer as HTTP asks: {error}") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        raise NotAnswered(f"the connection failed: {error}") from None


class CheckedBackend(httpcore.NetworkBackend):
    """Connects by TCP, to addresses that were checked."""

    def __init__(self, budget: FetchBudget, *, resolve: Resolve) -> None:
        self._budget = budget
        self._resolve = resolve
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[typing.Any] | None = None,
    ) -> httpcore.NetworkStream:
        failed: Exception | None = None
        for address in self._checked(host, port)[:MAX_ADDRESSES]:
            seconds = self._budget.seconds(self._budget.limits.connect_seconds)
            try:
                stream = self._sockets.connect_tcp(address, port, seconds, socket_options=socket_options)
            except (httpcore.NetworkError, httpcore.TimeoutException) as error:
                failed = error
            else:
                return MeteredStream(stream, self._budget)
        raise failed or httpcore.ConnectError(f"{host} has no address")

    def _checked(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a host, all of which may be asked: one that may not makes the rest suspicious."""
        seconds = self._budget.seconds(self._budget.limits.connect_seconds)
        addresses = _lookups().addresses(self._resolve, host, port, seconds)
        for address in addresses:
            check_host(address, port)
        return addresses


class MeteredStream(httpcore.NetworkStream):
    """A connection whose reads and writes count against the budget."""

    def __init__(self, stream: httpcore.NetworkStream, budget: FetchBudget) -> None:
        self._stream = stream
        self._budget = budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, self._seconds(timeout))
        self._budget.received(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._seconds(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._seconds(timeout))
        return MeteredStream(secured, self._budget)

    def get_extra_info(self, info: str) -> typing.Any:
        return self._stream.get_extra_info(info)

    def _seconds(self, timeout: float | None) -> float:
        most = self._budget.limits.read_seconds if timeout is None else timeout
        return self._budget.seconds(most)
