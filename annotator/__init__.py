"""Goldpan's web app: one Django app that is also the project package."""

import gc

from annotator.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["celery_app"]

# New objects before a garbage collection. A start makes 200,000 that stay, and queries make thousands that go
# by themselves: with Python's 700, collections took 6 % of a page's CPU time in workers; these take 2 %.
gc.set_threshold(10_000)
