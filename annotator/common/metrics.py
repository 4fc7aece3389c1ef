"""What the web server's processes count, for Prometheus.

With several processes, PROMETHEUS_MULTIPROC_DIR names the folder in which they put their counts together.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from prometheus_client import REGISTRY, CollectorRegistry, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from annotator.common.logs import route_of

# Labelled by what we name ourselves: a client cannot make up values, of which each would be a time series.
requests = Histogram(
    "goldpan_request_seconds",
    "Seconds until a request is answered, by route and HTTP status",
    ["route", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

# Bytes that the counts of one process may take: some hundred pairs of a route and a status.
MOST_BYTES = 2 << 20
_is_counting = True


def reserve_space() -> None:
    """Take the disk space of this process's counts while there is some; without it, count nothing.

    They are a file mapped into memory: when the disk is full as it grows, the kernel kills the process.
    """
    global _is_counting
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return
    path = Path(folder) / f"histogram_{os.getpid()}.db"
    try:
        with path.open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, MOST_BYTES)
    except OSError:
        path.unlink(missing_ok=True)
        _is_counting = False


def measure_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: count the request and how long it took."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        if _is_counting:
            seconds = time.perf_counter() - began
            requests.labels(route_of(request), response.status_code).observe(seconds)
        return response

    return middleware


def of_all_processes() -> CollectorRegistry:
    """The counts of all processes of this web server; of this one where they share no folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
