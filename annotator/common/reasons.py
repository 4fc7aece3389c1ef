"""The reason that a person gives, in their own words, for what is recorded with it."""

from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError

MAX_REASON = 500


def checked_reason(reason: str) -> str:
    """The reason without the blanks around it. Raises GoldpanError where it is empty or too long."""
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON:
        raise GoldpanError(_("Give a reason of at most %(n)d characters.") % {"n": MAX_REASON})
    return reason
