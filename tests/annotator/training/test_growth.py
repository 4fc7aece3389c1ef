"""Learning curves of a corpus: asked for, measured fold by fold, stopped, shown."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus
from annotator.training import growth
from annotator.training.models import CurveFold, LearningCurve
from extraction.learning.training import Stopped
from tests.annotator.training.made import measured_curve, released
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

PAGES = 20


def measure(curve: LearningCurve) -> LearningCurve:
    work.run(LearningCurve, curve.pk, growth.measure)
    curve.refresh_from_db()
    return curve


def test_a_curve_is_measured_and_goes_on_with_the_fold_it_was_killed_at(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = released(corpus, make_page, pages=PAGES)
    whole = measure(growth.request_curve(release=source))
    assert whole.result, whole.error
    assert [part["pages"] for part in whole.result["parts"]] == [2, 4, 8, 16]
    assert whole.result["parts"][-1]["f1"] > 0.9, "body and headline are told from the foot"
    assert (whole.result["now"]["pages"], whole.result["next"]["pages"]) == (PAGES, PAGES + 100)
    assert whole.result["gain"]["low"] is None, "fewer than thirty pages"
    curve = growth.request_curve(release=source)
    real = growth._measure_fold
    done: list[int] = []

    def dies_at_the_third(curve: LearningCurve, number: int, *rest: Any) -> None:
        if len(done) == 2:
            raise OSError("as if the machine had gone")
        done.append(number)
        real(curve, number, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(growth, "_measure_fold", dies_at_the_third)
        measure(curve)
    assert (curve.finished_at, curve.folds_done, curve.faults) == (None, 2, 1)
    before = list(CurveFold.objects.filter(curve=curve).values_list("pk", flat=True))
    measure(curve)
    assert curve.result == whole.result
    assert set(before) < set(CurveFold.objects.filter(curve=curve).values_list("pk", flat=True))


def test_what_cannot_be_measured_is_refused_and_what_is_stopped_ends(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = released(corpus, make_page, pages=4)
    with pytest.raises(GoldpanError, match="at least 16 pages of 5 sites"):
        growth.request_curve(release=source)
    with pytest.raises(GoldpanError, match="Unknown label set"):
        growth.request_curve(release=source, labels="praise")
    curve = LearningCurve.objects.create(corpus=corpus, release=source, labels="main", folds=5)
    claimed = work.claim(LearningCurve, curve.pk)
    assert claimed
    growth.stop_curve(curve=curve)
    with pytest.raises(Conflict):
        growth.stop_curve(curve=curve)
    # What is being learned asks now and then.
    watch = growth._watcher(claimed)
    monkeypatch.setattr(growth, "INTERVAL", 0.0)
    with pytest.raises(Stopped):
        watch()
    work.fail(claimed, error="stopped")
    with pytest.raises(Conflict):
        growth.stop_curve(curve=curve)


def test_the_screen_shows_it_to_readers_and_lets_admins_measure(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    signed_in: SignedIn,
    django_assert_num_queries: Any,
) -> None:
    released(corpus, make_page, pages=PAGES)
    measured = measured_curve(corpus, cast.hanne)
    start, screen = (reverse(name, args=[corpus.slug]) for name in ("curve-start", "models"))
    admin, researcher = signed_in(cast.hanne), signed_in(cast.rhea)
    with django_assert_num_queries(9):
        page = researcher.get(screen).content.decode()
    assert 'data-chart="learning-curve"' in page
    assert "+.017" in page
    assert start not in page
    assert researcher.post(start).status_code == 403
    assert "labels “headline and body”" in page
    assert admin.post(start, {"labels": "article"}).status_code == 302
    curve = LearningCurve.objects.exclude(pk=measured.pk).get()
    assert curve.labels == "article"
    assert admin.post(start, follow=True).content.decode().count("being measured already") == 1
    stop = reverse("curve-stop", args=[corpus.slug, curve.pk])
    assert researcher.post(stop).status_code == 403
    assert stop in admin.get(screen).content.decode()
    assert admin.post(stop).status_code == 302
    curve.refresh_from_db()
    assert curve.error == "stopped"
    assert curve.finished_at <= timezone.now()
    assert "The last one was not measured" in admin.get(screen).content.decode()
