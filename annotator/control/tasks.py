"""Control, done by the workers after a page is handed in."""

from celery import shared_task

from annotator.annotations.models import HIDDEN, Round
from annotator.annotations.study.queries import annotators
from annotator.common import work
from annotator.control import actions, queries
from annotator.corpora.models import Corpus, User

AT_ONCE = 500


@shared_task(**work.LIMITS)
def after_submission(round_id: int) -> None:
    """What was found, if this was a check; what is due next for those who have handed it in."""
    round_ = Round.objects.select_related("page__corpus").get(pk=round_id)
    if round_.purpose in HIDDEN:
        actions.look_at(round_=round_)
    for user in User.objects.filter(annotations__slot__round=round_, annotations__submitted_at__isnull=False):
        actions.open_due(corpus=round_.page.corpus, annotator=user)


@shared_task(**work.LIMITS)
def look_for_missing() -> None:
    """What a lost message left undone, and checks for which there was no page before."""
    for round_ in queries.without_finding()[:AT_ONCE]:
        actions.look_at(round_=round_)
    controlled = Corpus.objects.filter(designs__isnull=False).distinct()
    for corpus in controlled:
        for user in annotators(corpus):
            actions.open_due(corpus=corpus, annotator=user)
