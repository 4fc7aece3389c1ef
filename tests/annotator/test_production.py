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


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_refuses_to_start_half_configured(name: str) -> None:
    ran = in_production(**{name: ""})
    assert ran.returncode != 0
    assert f"{name} is not set" in ran.stderr
