"""What monitors ask: is it alive, is it ready, and how much of everything is there."""

from collections.abc import Iterator

from django.conf import settings
from django.core.cache import caches
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from annotator.common import health, work
from annotator.common.metrics import of_all_processes
from annotator.common.progress import oldest_waiting, work_counts
from annotator.common.queues import BROKER_ERRORS, waiting_in
from annotator.home import readiness
from annotator.home.states import STATES, with_state
from annotator.pages.models import Page

# Seconds for which pages are not counted again: all of them have to be looked at.
PAGES_FRESH = 60


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The server answers, and so does the database."""
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 when all is well, otherwise 503; the result of each check."""
    report = readiness.read()
    checks = [vars(check) for check in report.checks]
    body = {"ready": report.ok, "checked_at": report.checked_at, "checks": checks}
    return JsonResponse(body, status=200 if report.ok else 503, headers={"Cache-Control": "no-store"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics in the format of Prometheus, for whoever knows the token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    state = CollectorRegistry()
    state.register(StateOfWork())
    body = generate_latest(of_all_processes()) + generate_latest(state)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


class StateOfWork(Collector):
    """Numbers that are read when somebody asks: three or four queries and a look at the broker."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        up = GaugeMetricFamily("goldpan_up", "Whether this part could be asked", labels=["part"])
        for part, families, errors in (
            ("database", self._of_database, DatabaseError),
            ("broker", self._of_broker, BROKER_ERRORS),
        ):
            try:
                yield from list(families())
                up.add_metric([part], 1)
            except errors:
                up.add_metric([part], 0)
        yield up

    def _of_database(self) -> Iterator[GaugeMetricFamily]:
        rows = GaugeMetricFamily(
            "goldpan_work",
            "Background work that is not done, by kind; overloaded is what the machine could not do so far",
            labels=["kind", "queue", "state"],
        )
        for model, state, n, _oldest in work_counts():
            rows.add_metric([*_kind(model), state], n)
        yield rows
        oldest = GaugeMetricFamily(
            "goldpan_work_oldest_seconds",
            "For how long the first row of a kind has been waiting",
            labels=["kind", "queue"],
        )
        now = timezone.now()
        for model, since in oldest_waiting().items():
            oldest.add_metric([*_kind(model)], (now - since).total_seconds())
        yield oldest
        pages = GaugeMetricFamily("goldpan_pages", "Pages by state", labels=["state"])
        in_state = caches["near"].get_or_set("goldpan:pages", _pages_by_state, PAGES_FRESH) or {}
        for of_page in STATES:
            pages.add_metric([of_page.name], in_state.get(of_page.name, 0))
        yield pages

    def _of_broker(self) -> Iterator[GaugeMetricFamily]:
        messages = GaugeMetricFamily("goldpan_messages", "Messages waiting in a queue", labels=["queue"])
        for queue, n in waiting_in().items():
            messages.add_metric([queue], n)
        yield messages
        workers = GaugeMetricFamily("goldpan_workers", "Live workers of a queue", labels=["queue"])
        for queue, n in health.workers_alive().items():
            workers.add_metric([queue], n)
        yield workers


def _pages_by_state() -> dict[str, int]:
    counted = with_state(Page.objects.all()).order_by().values("stage").annotate(n=Count("pk"))
    return dict(counted.values_list("stage", "n"))


def _kind(model: type[work.Work]) -> tuple[str, str]:
    return str(model._meta.model_name), model.kind.queue
