"""What the web server's processes count, for Prometheus.

With several processes, PROMETHEUS_MULTIPROC_DIR names the folder in which they put their counts together.
"""

import os
import shutil
import time
from collections.abc import Callable

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

# Bytes of free disk space below which nothing is counted.
LEAST_BYTES = 4 << 20


def measure_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: count the request and how long it took."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        if _has_space():
            seconds = time.perf_counter() - began
            requests.labels(route_of(request), response.status_code).observe(seconds)
        return response

    return middleware


def _has_space() -> bool:
    """The counts are a file mapped into memory: where it grows on a full disk, the process is killed."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    try:
        return not folder or shutil.disk_usage(folder).free >= LEAST_BYTES
    except OSError:
        return False


def of_all_processes() -> CollectorRegistry:
    """The counts of all processes of this web server; of this one where they share no folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
