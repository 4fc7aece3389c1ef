"""Helpers of management commands: finding a corpus, errors, progress bars."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus


def corpus_or_error(slug: str) -> Corpus:
    """Return the corpus. Raises CommandError with the known corpora if there is none of this slug."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus “{slug}”. There are: {known}. Make one with create_corpus.")
    return corpus


@contextmanager
def plain_errors() -> Iterator[None]:
    """End the command with the message of a GoldpanError and exit status 1; with 130 on Ctrl-C."""
    try:
        yield
    except GoldpanError as error:
        raise CommandError(error.message) from error
    except KeyboardInterrupt as interrupt:
        message = "Stopped. Nothing is lost; run the same command again to continue."
        raise CommandError(message, returncode=130) from interrupt


def bar(total: int | None, unit: str, **options: Any) -> "tqdm[Any]":
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(total=total, unit=f" {unit}", disable=None, dynamic_ncols=True, **options)
