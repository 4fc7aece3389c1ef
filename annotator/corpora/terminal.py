"""Helpers of management commands: finding a corpus or an account, passwords, what is waited for, progress."""

from collections.abc import Callable, Mapping
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from annotator.common.work import STALE, Work
from annotator.corpora.models import Corpus, User


def corpus_or_error(slug: str) -> Corpus:
    """Return the corpus. Raises CommandError with the known corpora if there is none of this slug."""
    corpora = Corpus.objects.filter(deleted_at=None)
    corpus = corpora.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(corpora.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus “{slug}”. There are: {known}. Make one with create_corpus.")
    return corpus


def corpus_to_change_or_error(slug: str) -> Corpus:
    """Return the corpus. Raises CommandError as `corpus_or_error` does, and for one that is archived."""
    corpus = corpus_or_error(slug)
    if corpus.archived_at:
        raise CommandError(f"{corpus.slug} is archived: restore it first, in its settings.")
    return corpus


def user_or_error(name: str) -> User:
    """Return the account. Raises CommandError if there is none of this username, in any case."""
    user = User.objects.filter(username__iexact=name).first()
    if user is None:
        raise CommandError(f"There is no account “{name}”.")
    return user


def add_password_option(parser: CommandParser) -> None:
    parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")


def password_or_error(user: User, options: Mapping[str, Any]) -> str:
    """A new password for the user, asked for or read. Raises CommandError if it is missing or weak."""
    try:
        password = input() if options["password_stdin"] else _ask_twice()
    except EOFError as error:
        raise CommandError("No password was given.") from error
    valid_or_error("This is no password", lambda: validate_password(password, user))
    return password


def _ask_twice() -> str:
    password = getpass("Password: ")
    if password != getpass("Repeat password: "):
        raise CommandError("The passwords do not match.")
    return password


def valid_or_error(wrong: str, validate: Callable[[], None]) -> None:
    """Raises CommandError, which begins with `wrong`, for what is not valid."""
    try:
        validate()
    except ValidationError as error:
        raise CommandError(f"{wrong}: {' '.join(error.messages)}") from error


def warn_if_held(command: BaseCommand, row: Work) -> None:
    """Where another process holds the row, say what the command waits for: see `work.claim_once_free`."""
    if row.heartbeat_at:
        command.stderr.write(
            f"Another process was at this. If it was killed, this goes on within {STALE.seconds} seconds."
        )


def bar(total: int | None, unit: str, **options: Any) -> "tqdm[Any]":
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(total=total, unit=f" {unit}", disable=None, dynamic_ncols=True, **options)
