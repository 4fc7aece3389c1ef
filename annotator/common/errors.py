"""Errors with a message for the user: what was wrong, and what to do."""


class GoldpanError(Exception):
    """Base of the errors that a view shows and a command prints. `status` is the HTTP status code."""

    status = 422

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadRequest(GoldpanError):
    """The request cannot be understood."""

    status = 400


class Missing(GoldpanError):
    """The object does not exist, or belongs to someone else; which of the two is not revealed."""

    status = 404


class NotAllowed(GoldpanError):
    """The user may not do this at all."""

    status = 403


class Conflict(GoldpanError):
    """Someone else was faster, or the object has changed meanwhile."""

    status = 409


class Gone(GoldpanError):
    """The user no longer holds the page, or the invitation is used; what they saved is kept."""

    status = 410


class OtherVersion(Exception):
    """The work needs a version of a parser or an extractor that this worker does not have."""


class StorageAway(OSError):
    """The bucket does not answer, or does not let us in; that says nothing about the file."""
