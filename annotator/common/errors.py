"""Errors that carry what to say to the person: what was wrong, and what to do."""


class GoldpanError(Exception):
    """Base of the errors that a view shows and a command prints. `status` is the HTTP answer."""

    status = 422

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Missing(GoldpanError):
    """There is no such thing, or it is not hers: which of the two is not said."""

    status = 404


class NotAllowed(GoldpanError):
    """The person may not do this, whatever she sends."""

    status = 403


class Conflict(GoldpanError):
    """Somebody else was quicker, or the thing has moved on."""

    status = 409


class Gone(GoldpanError):
    """The lease lapsed and somebody else has the place; the draft is kept."""

    status = 410
