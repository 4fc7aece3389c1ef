"""What workers are told of a submission: whether it completes its round, and whether checks may be due."""

from types import SimpleNamespace

import pytest

from annotator.annotations.models import FOR_ONE
from annotator.annotations.queries import after_submission
from annotator.corpora.models import Corpus
from tests.factories import MakePage, annotate, change_design

pytestmark = pytest.mark.django_db


def test_only_the_last_submission_of_a_round_completes_it(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    told = [after_submission(annotate(page, person).slot) for person in (cast.ada, cast.ben)]
    assert [each.is_last for each in told] == [False, True]
    assert not any(each.is_controlled for each in told)


@pytest.mark.parametrize("setting", ["check_rate", "repeat_rate"])
def test_checks_may_be_due_where_the_newest_study_settings_have_any(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, setting: str
) -> None:
    slot = annotate(make_page(), cast.ada).slot
    for rate in 0.25, 0:
        change_design(corpus, **{setting: rate})
        assert after_submission(slot).is_controlled == (rate > 0)


@pytest.mark.parametrize("purpose", FOR_ONE)
def test_a_submission_of_a_round_for_one_person_is_controlled(
    cast: SimpleNamespace, make_page: MakePage, purpose: str
) -> None:
    slot = annotate(make_page(), cast.ada).slot
    slot.round.purpose = purpose
    assert after_submission(slot).is_controlled
