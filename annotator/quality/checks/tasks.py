"""Quality checks, after a page is submitted."""

from functools import partial

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import Round
from annotator.annotations.study.queries import annotators, current_where
from annotator.common import work
from annotator.common.searches import each_by_itself
from annotator.corpora.models import Corpus, User
from annotator.quality.checks import actions, queries

AT_ONCE = 500


@shared_task(**work.LIMITS)
def after_submission(round_id: int) -> None:
    """Open what is due next for those who have submitted; a check may be final at once."""
    round_ = Round.objects.select_related("page__corpus").get(pk=round_id)
    if queries.due_to_be_final(timezone.now()).filter(pk=round_id).exists():
        actions.finalise_check(round_=round_)
    for user in User.objects.filter(annotations__slot__round=round_, annotations__submitted_at__isnull=False):
        actions.open_due(corpus=round_.page.corpus, annotator=user)


@shared_task(**work.LIMITS)
def look_for_missing() -> None:
    """Finalise checks whose time has come, and catch up on lost messages."""
    due = queries.due_to_be_final(timezone.now())[:AT_ONCE]
    each_by_itself(lambda round_: actions.finalise_check(round_=round_), due)
    each_by_itself(lambda round_: actions.record_check(round_=round_), queries.without_check()[:AT_ONCE])
    wanted = Q(check_rate__gt=0) | Q(repeat_rate__gt=0)
    for design in current_where(wanted).filter(corpus__archived_at=None).select_related("corpus"):
        each_by_itself(partial(_open_due, design.corpus), annotators(design.corpus))


def _open_due(corpus: Corpus, annotator: User) -> None:
    actions.open_due(corpus=corpus, annotator=annotator)
