"""The app of workers that have the slow extractor."""

from annotator.celery import app
from extraction.extractors.registry import REGISTRY
from tests.workers.slow import SLOW

__all__ = ["app"]

REGISTRY.setdefault(SLOW.name, SLOW)
