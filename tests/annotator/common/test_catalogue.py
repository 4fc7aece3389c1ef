"""The messages of scripts: one script per language, cached under an address that changes with it."""

import pytest
from django.test import Client
from django.urls import reverse

from annotator.common import catalogue


@pytest.mark.parametrize(("language", "message"), [("es", "Guardado %(time)s"), ("en", "django.ngettext")])
def test_the_script_speaks_the_language_of_its_address(client: Client, language: str, message: str) -> None:
    answer = client.get(catalogue.address(language), headers={"accept-language": "fr"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert message in answer.content.decode()


def test_a_browser_keeps_the_script_for_good(client: Client) -> None:
    answer = client.get(catalogue.address("es"))
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert not answer.cookies


def test_what_another_version_asks_for_is_not_kept(client: Client) -> None:
    answer = client.get(reverse("javascript-catalog", args=["es", "0" * 16]))
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_there_are_no_other_languages(client: Client) -> None:
    assert client.get(reverse("javascript-catalog", args=["fr", "0" * 16])).status_code == 404
