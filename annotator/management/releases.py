"""What commands about releases share."""

from django.core.management.base import CommandError

from annotator.corpora.models import Corpus
from annotator.releases.models import Release
from annotator.releases.queries import finished


def release_or_error(corpus: Corpus, number: int) -> Release:
    """Raises CommandError that names the releases there are."""
    found = Release.objects.filter(corpus=corpus, number=number).exclude(sha256="").first()
    if found is None:
        known = ", ".join(str(each.number) for each in finished(corpus).order_by("number")) or "none yet"
        raise CommandError(f"There is no release {number} of {corpus.slug}. There are: {known}.")
    return found
