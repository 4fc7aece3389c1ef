"""What the database's names are called on screen."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.common.roles import ADJUDICATOR, ADMIN, ANNOTATOR, RESEARCHER
from annotator.common.verdicts import NotArticleReason, Verdict
from extraction.formats.records import Cause

Names = Mapping[str, Promise]

LABELS: Names = {
    "headline": _("Headline"),
    "body": _("Body"),
    "supplemental": _("Supplemental"),
    "comments": _("Comments"),
    "related": _("Related"),
    "content": _("Content"),
}


def default_label_title(name: str) -> str:
    """What a label is called where its corpus gives it no title of its own."""
    return str(LABELS.get(name, name.replace("-", " ").capitalize()))


# Looks up the titles that the corpus of the request has given its labels, by name.
_own_titles: ContextVar[Callable[[], Mapping[str, str]]] = ContextVar("own label titles", default=dict)


@contextmanager
def default_label_titles() -> Iterator[None]:
    """Call labels as no corpus does until the end of the block, whatever was used within it."""
    token = _own_titles.set(dict)
    try:
        yield
    finally:
        _own_titles.reset(token)


def use_label_titles(titles: Callable[[], Mapping[str, str]]) -> None:
    """Call labels as a corpus does from now on. `titles` is called when a screen names a label: few do."""
    _own_titles.set(titles)


def label_title(name: str) -> str:
    """What a label is called in the corpus at hand."""
    return _own_titles.get()().get(name) or default_label_title(name)


LABEL_SETS: Names = {
    "main": _("headline and body"),
    "article": _("article"),
    "any": _("all labels"),
    "body": _("body"),
}
# In the order of the pipeline.
ROLES: Names = {
    ANNOTATOR: _("annotator"),
    ADJUDICATOR: _("adjudicator"),
    RESEARCHER: _("researcher"),
    ADMIN: _("admin"),
}
VERDICTS: Names = dict(Verdict.choices)
# Why a page is not an article.
REASONS: Names = dict(NotArticleReason.choices)
# The source of gold.
SOURCES: Names = {
    "unanimous": _("Agreed"),
    "adjudicated": _("Adjudicated"),
    "single": _("Single annotator"),
    "imported": _("Imported"),
    "projected": _("Projected"),
}
# Where text stands that an extractor misses or takes wrongly: `extraction.evaluation.causes.ErrorCause`.
CAUSES: Names = {
    "comment": _("Comments"),
    "related": _("Related links"),
    "navigation": _("Navigation and promotion"),
    "caption": _("Captions"),
    "byline": _("Bylines and dates"),
    "table": _("Tables"),
    "list": _("Lists"),
    "heading": _("Headings"),
    "text": _("Running text"),
    "page": _("Whole page"),
}
# Why a page could not be parsed: `extraction.parsing.errors.ParseError.reason`.
REFUSALS: Names = {
    "too-large": _("Too large"),
    "tag-too-long": _("Tag too long"),
    "too-many-attributes": _("Too many attributes"),
    "too-many-nodes": _("Too many nodes"),
    "too-deep": _("Too deep"),
    "text-too-long": _("Text too long"),
    "empty": _("Empty"),
    "not-html": _("Not an HTML page"),
    "time": _("Timed out"),
    "memory": _("Out of memory"),
    "crash": _("Parser crashed"),
}
# Screens of the menu; the key's letter is underlined in them.
SCREENS: Names = {
    "home": _("Home"),
    "corpus": _("Corpus"),
    "guideline": _("Guideline"),
    "agreement": _("Agreement"),
    "leaderboard": _("Leaderboard"),
    "runs": _("Runs"),
    "people": _("People"),
    "settings": _("Settings"),
    "releases": _("Releases"),
    "exports": _("Exports"),
    "imports": _("Import"),
    "health": _("Health"),
}
# What is wrong with a record of an import; the details, which readers and sites give, are in English.
PROBLEMS: Names = {
    Cause.DAMAGED: _("Damaged"),
    Cause.MISSING_FILE: _("A file is missing"),
    Cause.TOO_LARGE: _("Too large"),
    Cause.BOMB: _("Unpacks to too much"),
    Cause.UNSAFE_NAME: _("Unsafe name"),
    Cause.NESTED: _("Archive in an archive"),
    Cause.ENCRYPTED: _("Encrypted"),
    Cause.LINK: _("A link, not a file"),
    Cause.SYNTAX: _("Malformed"),
    Cause.ENTITIES: _("XML with entities"),
    Cause.REPEATED: _("Comes twice"),
    Cause.NOT_A_PAGE: _("Not a page"),
    Cause.FEED: _("A feed, not a page"),
    Cause.GOLD: _("Without usable gold"),
    Cause.LIMITS: _("Took too long or too much memory"),
    "taken-down": _("Page taken down"),
    # What was fetched; see `fetching.errors`.
    "address": _("Unusable address"),
    "private-address": _("Private network"),
    "robots": _("Forbidden by robots.txt"),
    "not-there": _("Not given out by the site"),
    "sent-too-much": _("Too large"),
    "wrong-type": _("Another kind of file"),
    "bad-answer": _("Unusable answer"),
    "not-answered": _("No answer"),
}
# What to do about a record that an import refused.
ADVICE: Names = {
    Cause.DAMAGED: _("Make or download the file again, and import it again"),
    Cause.MISSING_FILE: _("Add the missing file to the set"),
    Cause.TOO_LARGE: _("Leave it out, or split it"),
    Cause.BOMB: _("Unpack it yourself, if you trust it"),
    Cause.UNSAFE_NAME: _("Rename it in the archive"),
    Cause.NESTED: _("Unpack the inner archive, and import that"),
    Cause.ENCRYPTED: _("Make the archive without a password"),
    Cause.LINK: _("Put the file itself in its place"),
    Cause.SYNTAX: _("Correct the line or the value"),
    Cause.ENTITIES: _("Export the page as HTML"),
    Cause.REPEATED: _("Remove one of the two"),
    Cause.NOT_A_PAGE: _("Nothing, if it is no page; otherwise save it as HTML"),
    Cause.FEED: _("Enter its address instead"),
    Cause.GOLD: _("Add its gold to the set, if there is any"),
    Cause.LIMITS: _("Import it by itself, or leave it out"),
    # What was fetched; see `fetching.errors`.
    "address": _("Correct the address"),
    "private-address": _("None: private networks are never asked"),
    "robots": _("Ask the site, or save the page in a browser and import the file"),
    "not-there": _("Open it in a browser: it may have moved, or need a subscription"),
    "sent-too-much": _("Save the page in a browser and import the file"),
    "wrong-type": _("Leave it out: only HTML pages are imported"),
    "bad-answer": _("Open it in a browser, save the page, and import the file"),
    "not-answered": _("Import it again later"),
}
# Tabs of the settings.
SETTINGS_TABS: Names = {
    "labels": _("Labels"),
    "extractors": _("Extractors"),
    "study": _("Study"),
    "people": _("People"),
    "jobs": _("Jobs"),
    "webhooks": _("Webhooks"),
    "danger-zone": _("Danger zone"),
}
