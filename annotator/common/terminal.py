"""What goes wrong in a management command ends it with one line: what was wrong, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis.exceptions
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DataError, InterfaceError, OperationalError, ProgrammingError
from kombu.exceptions import OperationalError as QueueError

from annotator.common.errors import GoldpanError

START = "Start Goldpan with `make run`, or look into its terminal."


class PlainCommand(BaseCommand):
    """A management command that ends with one line in place of a traceback; `--traceback` shows it."""

    # What Ctrl-C says.
    interrupted = "Stopped. Nothing is lost; run the same command again to continue."

    def execute(self, *args: Any, **options: Any) -> str | None:
        with plain_errors():
            try:
                return super().execute(*args, **options)
            except KeyboardInterrupt as interrupt:
                raise CommandError(self.interrupted, returncode=130) from interrupt


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise CommandError for what is refused and for faults of the machine; with status 130 on Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise CommandError(PlainCommand.interrupted, returncode=130) from interrupt
    except GoldpanError as error:
        raise CommandError(error.message) from error
    except ImproperlyConfigured as error:
        raise CommandError(str(error)) from error
    except (OperationalError, InterfaceError) as error:
        raise CommandError(f"The database cannot be used: {_first_line(error)}. {START}") from error
    except DataError as error:
        raise CommandError(f"The database cannot store this: {_first_line(error)}.") from error
    except ProgrammingError as error:
        missing = f"The database does not fit this version of Goldpan: {_first_line(error)}."
        raise CommandError(f"{missing} Bring it up to date with the command migrate.") from error
    except (QueueError, redis.exceptions.ConnectionError, redis.exceptions.TimeoutError) as error:
        raise CommandError(f"The queue cannot be used: {_first_line(error)}. {START}") from error
    except UnicodeEncodeError as error:
        raise CommandError(f"{error.object!a} is no text that can be stored.") from error
    except OSError as error:
        what = error.strerror or str(error) or type(error).__name__
        raise CommandError(f"{error.filename}: {what}" if error.filename else what) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
