"""The newsroom of tests in which everybody has a connection of her own."""

import logging
from collections.abc import Iterator

import pytest
from django.core.cache import cache

from annotator.corpora.models import Corpus
from tests.annotator.annotations.invariants import laws, newsroom
from tests.factories import MakePage


@pytest.fixture
def room(
    corpus: Corpus, make_page: MakePage, caplog: pytest.LogCaptureFixture
) -> Iterator[newsroom.Newsroom]:
    # Requests die here by the hundred.
    caplog.set_level(logging.CRITICAL, "django.request")
    cache.clear()
    laws.ask(laws.WATCH)
    try:
        yield newsroom.furnish(corpus, make_page)
    finally:
        laws.ask(laws.UNWATCH)
