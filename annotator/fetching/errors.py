"""Why something was not fetched. The message of each says what was wrong, and where it helps what to do.

What the site or its address is at fault for is `Refused`, for good; what may be different later is
`NotAnswered`, and is tried again by whoever asked.
"""

from annotator.common.errors import GoldpanError


class FetchError(GoldpanError):
    """Base of all that fetching raises. `cause` is a code for advice on what to do."""

    cause = ""


class Refused(FetchError):
    """Trying again would give the same."""


class BadAddress(Refused):
    """The address is no http or https address, or is written in a way that hides where it leads."""

    cause = "address"


class ForbiddenAddress(Refused):
    """The host is in a network that is never asked, such as a private one."""

    cause = "private-address"


class ForbiddenByRobots(Refused):
    """The site's robots.txt asks programs like ours to stay away from this address."""

    cause = "robots"


class NotThere(Refused):
    """The site answered that it does not give this out: a status of 400 to 499."""

    cause = "not-there"


class ResponseTooLarge(Refused):
    """More bytes or headers than may be."""

    cause = "sent-too-much"


class WrongType(Refused):
    """The site sent another kind of file than was asked for."""

    cause = "wrong-type"


class BadAnswer(Refused):
    """The answer cannot be used: redirected too often, compressed wrongly, no HTTP."""

    cause = "bad-answer"


class NotAnswered(FetchError):
    """The site did not answer, or cannot now. `retry_after` is what it asked for, in seconds."""

    cause = "not-answered"
    status = 503

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SiteBusy(NotAnswered):
    """It is not our turn to ask this site; nothing was sent."""
