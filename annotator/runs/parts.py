"""The part of a corpus that a run covers, as text: "" for all of it."""

from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError

# With a value: "language:es", "site:news.example".
LANGUAGE, SITE = "language", "site"
# Pages on which another version of the extractor has failed, or has no output.
FAILED, MISSING = "failed", "missing"


def checked_part(text: str) -> str:
    """Return the part as it is stored. Raises GoldpanError where it is none."""
    name, _colon, value = (word.strip() for word in text.partition(":"))
    if text.strip() in ("", FAILED, MISSING):
        return text.strip()
    if name in (LANGUAGE, SITE) and value:
        return f"{name}:{value.lower()}"
    message = _("“%(text)s” is no part of a corpus. Known: language:CODE, site:HOST, failed, missing.")
    raise GoldpanError(message % {"text": text})


def part_title(part: str) -> str:
    """What a part is called on screens."""
    name, _colon, value = part.partition(":")
    if name == LANGUAGE:
        return _("pages in %(language)s") % {"language": value}
    if name == SITE:
        return _("pages of %(site)s") % {"site": value}
    if name == FAILED:
        return _("pages on which another version failed")
    if name == MISSING:
        return _("pages that another version lacks")
    return _("all pages")
