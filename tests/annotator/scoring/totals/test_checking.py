"""Every night a sample of totals is compared with the scores; a wrong one is on the health page."""

from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.scoring.models import CountedScore, ScoreTotal, TotalsCheck
from annotator.scoring.tasks import check_totals, request_checks
from tests.annotator.scored import give_gold
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def check() -> TotalsCheck:
    request_checks()
    row = TotalsCheck.objects.get()
    check_totals(row.pk)
    row.refresh_from_db()
    return row


def test_right_totals_pass(corpus: Corpus, make_page: MakePage) -> None:
    for _ in range(2):
        give_gold(make_page())
    done = check()
    assert (done.error, done.compared > 2) == ("", True)


@pytest.mark.parametrize("zone", ["Pacific/Apia", "Pacific/Pago_Pago"])
def test_right_totals_pass_wherever_people_are(corpus: Corpus, make_page: MakePage, zone: str) -> None:
    """In one of the two, 13 hours ahead of UTC and 11 behind, it is always another day."""
    give_gold(make_page())
    with timezone.override(zone):
        assert check().error == ""


def test_a_wrong_total_is_on_the_health_page_until_totals_are_rebuilt(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn, make_page: MakePage
) -> None:
    give_gold(make_page())
    planted = ScoreTotal.objects.filter(dimension="", metric="character", extractor__isnull=False).first()
    assert planted
    ScoreTotal.objects.filter(pk=planted.pk).update(recall=planted.recall + 1)
    assert f"recall is {planted.recall + 1}, not {planted.recall}" in check().error
    cast.hanne.is_superuser = cast.hanne.is_staff = True
    cast.hanne.save()
    shown = signed_in(cast.hanne).get(reverse("health")).context["vitals"]["work"]
    assert {str(row["title"]): row["failed"] for row in shown}["Checks of totals of scores"] == 1
    call_command("leaderboard", corpus.slug, "--rebuild")
    assert check().error == ""


def test_a_page_that_was_not_counted_is_seen(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    left_out = CountedScore.objects.filter(extractor__isnull=False).first()
    assert left_out
    left_out.delete()
    assert "does not count with what its gold and scores say: its scores" in check().error
