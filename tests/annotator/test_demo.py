"""A small demo has something to show on every screen, is made by the product's actions, and once."""

import json
import secrets
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from annotator.agreement.models import Agreement
from annotator.annotations.eligibility import claimable_slots
from annotator.annotations.models import Annotation, Purpose
from annotator.corpora.models import Corpus, Guideline, Membership, User
from annotator.demo.clock import Clock
from annotator.demo.history import EXTRACTORS, FIRST_PAGE, NEW_EXTRACTORS
from annotator.gold.models import Gold
from annotator.gold.queries import open_adjudications
from annotator.home.queries import troubled_work, without_adjudicator, without_taker
from annotator.pages.imports.models import Import, ImportRecord
from annotator.practice.models import PracticeAttempt
from annotator.releases.models import Release
from annotator.runs.queries import enabled_in
from annotator.scoring.models import Score

pytestmark = pytest.mark.django_db

SMALL = 12
# With this key and this seed, a repeat falls due by what the annotator submits last, as it does in one demo
# of twelve.
INES, SEED = 1_000_000, 4


def test_the_demo_fills_every_screen_and_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("ines", pk=INES)
    monkeypatch.setattr(secrets, "randbits", lambda bits: SEED)
    credentials = tmp_path / "credentials.json"
    call_command("create_demo", credentials=credentials, pages=SMALL)
    corpus = Corpus.objects.get(slug="demo")
    _every_screen_is_filled(corpus)
    _history_is_spread_over_weeks_and_ends_before_now(corpus)
    _the_best_looking_page_is_offered_first(corpus)
    _screens_open()
    _accounts_work(credentials)
    call_command("create_demo", credentials=credentials, pages=SMALL)
    assert corpus.pages.count() == SMALL
    _accounts_work(credentials)


def _every_screen_is_filled(corpus: Corpus) -> None:
    gold = Gold.objects.filter(page__corpus=corpus, current=True)
    assert corpus.pages.count() == SMALL
    assert gold.count() >= 4
    assert open_adjudications().filter(round__page__corpus=corpus).exists()
    assert Release.objects.filter(corpus=corpus, finished_at__isnull=False, error="").count() == 2
    assert Guideline.objects.filter(corpus=corpus).count() == 2
    refused = ImportRecord.objects.get(outcome="refused")
    assert refused.location.endswith("front-page-scan.html")
    assert Import.objects.filter(corpus=corpus, completed_at__isnull=False).count() == 4
    assert PracticeAttempt.objects.filter(corpus=corpus, passed=False).count() == 1
    assert Score.objects.filter(finished_at__isnull=False, gold__page__corpus=corpus).exists()
    assert len(enabled_in(corpus.pk)) == len(EXTRACTORS + NEW_EXTRACTORS) == 10
    # Nothing has failed, and nobody is missing.
    assert troubled_work(corpus) == ([], [])
    assert not without_taker(corpus).exists()
    assert not without_adjudicator(corpus).exists()


def _screens_open() -> None:
    """Home, and what it leads to, for each role."""
    for name, screens in {
        "ines": ["/", "/c/demo/my-pages/"],
        "ruth": ["/"],
        "daniel": ["/", "/c/demo/agreement/", "/c/demo/leaderboard/", "/c/demo/releases/"],
        "hanne": ["/", "/c/demo/", "/c/demo/imports/", "/c/demo/quality-checks/", "/c/practice/"],
    }.items():
        client = Client()
        client.force_login(User.objects.get(username=name))
        for screen in screens:
            assert client.get(screen).status_code == 200, (name, screen)


def _accounts_work(credentials: Path) -> None:
    accounts = json.loads(credentials.read_text(encoding="utf-8"))
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    assert len({account["password"] for account in accounts.values()}) == 4
    for role, account in accounts.items():
        assert len(account["password"]) >= 16
        user = User.objects.get(username=account["name"])
        assert user.check_password(account["password"])
        assert user.is_superuser == (role == "admin")
        assert Membership.objects.filter(user=user, role=role, corpus__slug="demo").exists()
    assert not User.objects.get(username="marta").has_usable_password()


def _history_is_spread_over_weeks_and_ends_before_now(corpus: Corpus) -> None:
    now = timezone.now()
    submitted = Annotation.objects.filter(slot__corpus=corpus, slot__round__purpose=Purpose.MAIN)
    times = list(submitted.exclude(submitted_at=None).values_list("submitted_at", flat=True))
    assert len({time.date() for time in times}) >= 8
    assert min(times) < now - timedelta(days=18)
    assert now - timedelta(hours=6) < max(times) < now
    assert max(Agreement.objects.values_list("finished_at", flat=True)) < now


def _the_best_looking_page_is_offered_first(corpus: Corpus) -> None:
    """To the annotator who can sign in."""
    ines = User.objects.get(username="ines")
    offered = claimable_slots(corpus, ines, timezone.now()).first()
    assert offered is not None
    assert FIRST_PAGE in offered.round.page.url


def test_clock_shows_its_moment_everywhere_and_only_while_it_runs() -> None:
    before = timezone.now()
    with Clock(before - timedelta(days=30)).running() as clock:
        clock.forward(hours=1)
        assert timezone.now() == before - timedelta(days=30) + timedelta(hours=1)
        # A default of a model, and times that were made before the clock ran.
        assert Agreement._meta.get_field("requested_at").get_default() == timezone.now()
        assert timezone.localtime(before) == before
    assert timezone.now() >= before
