"""Why a page could not become a document."""

REASONS = frozenset(
    {
        "too-large",
        "tag-too-long",
        "too-many-attributes",
        "too-many-nodes",
        "too-deep",
        "text-too-long",
        "empty",
        "not-html",
        "time",
        "memory",
        "crash",
    }
)


class ParseError(Exception):
    """A page was refused or could not be parsed; `reason` is one of REASONS, `message` says what was seen."""

    def __init__(self, reason: str, message: str) -> None:
        if reason not in REASONS:
            raise ValueError(f"unknown reason for a parse error: {reason}")
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
