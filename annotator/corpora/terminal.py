"""What management commands share: finding a corpus, a progress bar, an error said plainly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus


def corpus_or_error(slug: str) -> Corpus:
    """Raises CommandError that names the corpora there are."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus “{slug}”. There are: {known}. Make one with create_corpus.")
    return corpus


@contextmanager
def plain_errors() -> Iterator[None]:
    """A refused action ends the command with its message and exit status 1; so does Ctrl-C, with 130."""
    try:
        yield
    except GoldpanError as error:
        raise CommandError(error.message) from error
    except KeyboardInterrupt as interrupt:
        message = "Stopped. Nothing is lost; the same command goes on from here."
        raise CommandError(message, returncode=130) from interrupt


def bar(total: int | None, unit: str, **options: Any) -> "tqdm[Any]":
    """A progress bar on standard error; silent where nobody looks."""
    return tqdm(total=total, unit=f" {unit}", disable=None, dynamic_ncols=True, **options)
