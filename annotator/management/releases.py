"""Shared by the commands about releases."""

from django.core.management.base import CommandError

from annotator.corpora.models import Corpus
from annotator.releases.models import Release
from annotator.releases.queries import finished


def release_or_error(corpus: Corpus, number: int) -> Release:
    """Return a release by number. Raises CommandError, with the numbers that exist."""
    found = finished(corpus).filter(number=number).first()
    if found is None:
        known = ", ".join(str(each.number) for each in finished(corpus).order_by("number")) or "none"
        raise CommandError(f"{corpus.slug} has no release {number}. Releases: {known}.")
    return found
