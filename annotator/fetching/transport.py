"""Connections to hosts that were checked: resolved once, checked, and connected to by the checked address.

A name is resolved here and nowhere else. What is connected to is the IP address that was checked, so that a
name that resolves otherwise a moment later changes nothing; TLS verifies the host name of the address.
Every connection serves one request.
"""

import socket
import ssl
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from functools import lru_cache

import httpcore
import httpx

from annotator.fetching.addresses import check_host
from annotator.fetching.errors import BadAddress, NotAnswered
from annotator.fetching.limits import FetchBudget

# host, port -> IP addresses, in the order in which they are tried.
Resolve = Callable[[str, int], Sequence[str]]

# Of the addresses of a name, so many are tried.
MAX_ADDRESSES = 3


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


@lru_cache(maxsize=1)
def _resolvers() -> ThreadPoolExecutor:
    """Threads, as a resolver knows no time-out. Made by the process that uses them, after it was forked."""
    return ThreadPoolExecutor(max_workers=8, thread_name_prefix="resolve")


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
        found = _resolvers().submit(self._resolve, host, port)
        try:
            addresses = found.result(self._budget.seconds(self._budget.limits.connect_seconds))
        except FutureTimeout:
            raise NotAnswered(f"the name {host} was not resolved in time") from None
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
