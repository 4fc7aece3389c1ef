"""Goldpan's web app: one Django app that is also the project package."""

import gc

from annotator.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["celery_app"]

# A start makes 200,000 objects that stay, and Python would look through them for garbage again and again.
gc.set_threshold(10_000)
