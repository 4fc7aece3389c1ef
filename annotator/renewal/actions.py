"""New rounds for settled pages under another guideline: asked for, opened page by page, stopped.

The earlier gold stands until a round is settled, which writes a new version of it.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.again import open_again, takers
from annotator.annotations.study.queries import standing
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from annotator.renewal import queries
from annotator.renewal.choosing import Asked, being_worked_on, outdated, plan
from annotator.renewal.models import Renewal, RenewedPage, Why

AT_ONCE = 1_000
# How many pages pass between two signs of life.
STEP = 10
# What is stopped is not hinted at before somebody lets it go on.
STOPPED = timedelta(days=3650)

Step = Callable[[int], object]


def _nobody_looks(done: int) -> None:
    """Where no progress is shown."""


@transaction.atomic
def request_renewal(
    *, corpus: Corpus, asked: Asked, user: User | None = None, pages: int | None = None
) -> Renewal:
    """A row for a worker, with the pages that are chosen now.

    `pages` is how many somebody was told that it would be. Raises Conflict where it is another number by
    now, or one renewal is on its way; GoldpanError where there is no page.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    if queries.unfinished(held):
        raise Conflict(_("Rounds are being opened already. Let that go on, and choose again."))
    chosen = plan(held, asked)
    if pages is not None and pages != len(chosen.pages):
        raise Conflict(_("Something has come in between: it is another number of pages by now. Look again."))
    if not chosen.pages:
        raise GoldpanError(_("No settled page is chosen by this."))
    made = Renewal.objects.create(
        corpus=held, guideline_version=held.guideline_version, asked=asked.to_json(), requested_by=user
    )
    rows = (RenewedPage(renewal=made, page_id=page) for page in chosen.pages)
    RenewedPage.objects.bulk_create(rows, batch_size=AT_ONCE)
    return made


@transaction.atomic
def stop(*, renewal: Renewal) -> None:
    """No further round is opened; those that are open stay open."""
    now = timezone.now()
    Renewal.objects.filter(pk=renewal.pk, finished_at=None).update(stopped_at=now, hinted_at=now + STOPPED)


@transaction.atomic
def go_on(*, renewal: Renewal) -> None:
    """Let a stopped or failed one go on with the pages that are left."""
    held = Renewal.objects.select_for_update(no_key=True).get(pk=renewal.pk)
    if held.finished_at and queries.unfinished(held.corpus):
        raise Conflict(_("Rounds are being opened already. Let that go on, and choose again."))
    Renewal.objects.filter(pk=held.pk).update(stopped_at=None, hinted_at=timezone.now())
    work.retry(held)


def open_rounds(renewal: Renewal, step: Step = _nobody_looks) -> bool:
    """Open the rounds of a claimed renewal one by one; False when it was stopped or taken over."""
    for done, row in enumerate(list(queries.waiting(renewal).values_list("pk", flat=True)), start=1):
        if not queries.goes_on(renewal.pk):
            work.put_back(renewal, until=timezone.now() + STOPPED)
            return False
        if done % STEP == 0 and not work.beat(renewal):
            return False
        open_one(pk=row)
        step(done)
    return work.finish(renewal)


@transaction.atomic
def open_one(*, pk: int) -> RenewedPage | None:
    """The round of one chosen page, or why there is none; None when another worker was here."""
    row = RenewedPage.objects.select_for_update(of=("self",)).filter(pk=pk, round=None, left_out="").first()
    if row is None:
        return None
    why = _left_out(row.page)
    if why:
        row.left_out = why
    else:
        row.round = open_again(page=row.page)
    row.save(update_fields=["round", "left_out"])
    return row


def _left_out(page: Page) -> Why | None:
    """What has come in between since the page was chosen. Holds its rounds: nothing more comes meanwhile."""
    list(page.rounds.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    if Page.objects.filter(being_worked_on(), pk=page.pk).exists():
        return Why.IN_WORK
    if not outdated(page.corpus).filter(pk=page.pk).exists():
        return Why.GONE
    may = takers(page.corpus, [page.pk])[page.pk].may
    return Why.TOO_FEW if len(may) < standing(page.corpus).slots else None
