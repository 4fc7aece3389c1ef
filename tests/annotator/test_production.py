"""What production insists on: HTTPS, secure cookies, a complete configuration."""

import json
import os
import subprocess
import sys

import pytest

IN_PRODUCTION = """
import django, json
django.setup()
from django.test import Client
client = Client(headers={"host": "goldpan.example"})
plain, safe = client.get("/sign-in/"), client.get("/sign-in/", secure=True)
client.post("/language/", {"language": "es"}, secure=True)
from django.conf import settings
print(json.dumps({
    "plain": [plain.status_code, plain["Location"]],
    "safe": [safe.status_code, safe["Strict-Transport-Security"]],
    "cookies": {name: bool(cookie["secure"]) for name, cookie in client.cookies.items()},
    "session": settings.SESSION_COOKIE_SECURE,
    "debug": settings.DEBUG,
}))
"""


def in_production(**changes: str) -> "subprocess.CompletedProcess[str]":
    given = {"GOLDPAN_ENV": "production", "ALLOWED_HOSTS": "goldpan.example"}
    environment = {**os.environ, **given, **changes, "DJANGO_SETTINGS_MODULE": "annotator.settings"}
    command = [sys.executable, "-c", IN_PRODUCTION]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_production_is_https_only() -> None:
    ran = in_production()
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "plain": [301, "https://goldpan.example/sign-in/"],
        "safe": [200, "max-age=31536000"],
        "cookies": {"csrftoken": True, "django_language": True},
        "session": True,
        "debug": False,
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("GOLDPAN_ENV", "Production", "GOLDPAN_ENV=Production is neither development nor production"),
        ("DATABASE_URL", "mysql://db/goldpan", "DATABASE_URL must begin with postgresql://"),
        ("REDIS_URL", "queue.example:6379", "REDIS_URL must begin with redis://"),
        ("SECRET_KEY", "", "SECRET_KEY is not set"),
        ("SECRET_KEY", "0123456789" * 4, "SECRET_KEY can be guessed"),
        ("SECRET_KEY", "abcd" * 20, "SECRET_KEY can be guessed"),
        ("SECRET_KEY", "django-insecure-" + "0123456789" * 5, "SECRET_KEY can be guessed"),
        ("ALLOWED_HOSTS", "", "ALLOWED_HOSTS is not set"),
        ("ALLOWED_HOSTS", "goldpan.example, *", "ALLOWED_HOSTS=* would let"),
        ("GOLDPAN_BEHIND_PROXY", "yes", "GOLDPAN_BEHIND_PROXY=yes is not a number"),
        ("GOLDPAN_FETCH_LOOPBACK_PORTS", "8001", "GOLDPAN_FETCH_LOOPBACK_PORTS is for tests"),
        ("GOLDPAN_FETCH_LOOPBACK_PORTS", "a", "is not of the form 8001,8002"),
        ("GOLDPAN_FETCH_FORBIDDEN", "intranet", "GOLDPAN_FETCH_FORBIDDEN is not of the form"),
        ("TIME_ZONE", "Europe/Atlantis", "TIME_ZONE=Europe/Atlantis is no time zone"),
        ("TIME_ZONE", "../passwd", "TIME_ZONE=../passwd is no time zone"),
        ("READY_MAX_SILENCE", "-1", "READY_MAX_SILENCE=-1 is not a whole number"),
        ("READY_MIN_FREE_MB", "1 GB", "READY_MIN_FREE_MB=1 GB is not a whole number"),
        ("READY_MAX_WAIT", "live=-1", "READY_MAX_WAIT is not of the form"),
        ("GOLDPAN_CONTACT", "Ada (editor)", "GOLDPAN_CONTACT is neither"),
    ],
)
def test_production_refuses_an_unsafe_configuration(name: str, value: str, message: str) -> None:
    ran = in_production(**{name: value})
    assert ran.returncode != 0
    assert message in ran.stderr
