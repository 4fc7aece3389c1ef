"""The scenario of tests in which everybody has a connection of their own."""

import logging
from collections.abc import Iterator

import pytest
from django.core.cache import cache

from annotator.corpora.models import Corpus
from tests.annotator.annotations.invariants import checks, scenario
from tests.factories import MakePage


@pytest.fixture
def made(
    corpus: Corpus, make_page: MakePage, caplog: pytest.LogCaptureFixture
) -> Iterator[scenario.Scenario]:
    # Requests die here by the hundred.
    caplog.set_level(logging.CRITICAL, "django.request")
    cache.clear()
    checks.ask(checks.WATCH)
    try:
        yield scenario.make_scenario(corpus, make_page)
    finally:
        checks.ask(checks.UNWATCH)
