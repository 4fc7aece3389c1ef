"""Goldpan's web app: one Django app that is also the project package."""

from annotator.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["celery_app"]
