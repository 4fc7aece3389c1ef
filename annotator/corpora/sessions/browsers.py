"""What a browser calls itself, in two words."""

from django.utils.translation import gettext as _

# In this order: most browsers name those that they are like as well.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrom", "Chromium"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_title(user_agent: str) -> str:
    """Browser and system of a User-Agent header: Firefox, Linux."""
    found = (_first(names, user_agent) for names in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, found)) or _("Unknown browser")


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((title for sign, title in names if sign in user_agent), "")
