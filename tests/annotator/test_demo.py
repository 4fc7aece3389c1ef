"""The demo corpus has something to show on every screen, and is made once."""

import json
import stat
from pathlib import Path

import pytest
from django.core.management import call_command

from annotator.corpora.models import Corpus, Membership, User
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from annotator.scoring.leaderboard.queries import board

pytestmark = pytest.mark.django_db


def test_the_demo_fills_every_screen_and_is_made_once(tmp_path: Path) -> None:
    credentials = tmp_path / "credentials.json"
    call_command("create_demo", credentials=credentials)
    corpus = Corpus.objects.get(slug="demo")
    assert Page.objects.filter(error="").count() == 10
    assert Gold.objects.count() == 6
    assert Adjudication.objects.get().segments.count() >= 3
    assert {row.summary.n for row in board(corpus).rows} == {5}
    accounts = json.loads(credentials.read_text(encoding="utf-8"))
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    for role, account in accounts.items():
        user = User.objects.get(username=account["name"])
        assert user.check_password(account["password"])
        assert Membership.objects.filter(user=user, role=role).exists()
    call_command("create_demo", credentials=credentials)
    assert (Page.objects.count(), Gold.objects.count(), Adjudication.objects.count()) == (10, 6, 1)
    assert json.loads(credentials.read_text(encoding="utf-8")) == accounts


def test_each_home_has_passwords_of_its_own(tmp_path: Path) -> None:
    call_command("create_demo", credentials=tmp_path / "one.json")
    User.objects.filter(username__in=["ines", "ruth", "daniel", "hanne"]).update(is_active=False)
    first = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert len({account["password"] for account in first.values()}) == 4
    assert all(len(account["password"]) >= 16 for account in first.values())
