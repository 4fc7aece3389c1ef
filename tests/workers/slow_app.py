"""The app of workers that have an extractor which takes its time."""

import time

from annotator.celery import app
from extraction.documents.document import Document
from extraction.extractors.registry import REGISTRY
from extraction.extractors.spec import ExtractorSpec
from extraction.spans import Span

__all__ = ["app"]

SECONDS = 0.8


def slow(document: Document) -> list[Span]:
    time.sleep(SECONDS)
    return []


SLOW = ExtractorSpec("slow", "1", "slow", slow)
REGISTRY.setdefault(SLOW.name, SLOW)
