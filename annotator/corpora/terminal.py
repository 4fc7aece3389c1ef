"""Helpers of management commands: finding a corpus or an account, progress bars."""

from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotator.corpora.models import Corpus, User


def corpus_or_error(slug: str) -> Corpus:
    """Return the corpus. Raises CommandError with the known corpora if there is none of this slug."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus “{slug}”. There are: {known}. Make one with create_corpus.")
    return corpus


def user_or_error(name: str) -> User:
    """Return the account. Raises CommandError if there is none of this username, in any case."""
    user = User.objects.filter(username__iexact=name).first()
    if user is None:
        raise CommandError(f"There is no account “{name}”.")
    return user


def bar(total: int | None, unit: str, **options: Any) -> "tqdm[Any]":
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(total=total, unit=f" {unit}", disable=None, dynamic_ncols=True, **options)
