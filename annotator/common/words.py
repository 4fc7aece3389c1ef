"""How names in the database are said on screen."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.common.roles import ADJUDICATOR, ADMIN, ANNOTATOR, RESEARCHER

Words = Mapping[str, Promise]

LABELS: Words = {
    "headline": _("Headline"),
    "body": _("Body"),
    "supplemental": _("Supplemental"),
    "comments": _("Comments"),
    "related": _("Related"),
    "content": _("Content"),
}
LABEL_SETS: Words = {
    "main": _("headline and body"),
    "article": _("article"),
    "any": _("all labels"),
    "body": _("body"),
}
# In the order in which work flows.
ROLES: Words = {
    ANNOTATOR: _("annotator"),
    ADJUDICATOR: _("adjudicator"),
    RESEARCHER: _("researcher"),
    ADMIN: _("admin"),
}
VERDICTS: Words = {
    "article": _("Article"),
    "not_article": _("Not an article"),
    "several": _("Several articles"),
    "cannot_tell": _("Cannot tell"),
}
# Why a page is not an article.
REASONS: Words = {
    "error_page": _("An error page"),
    "paywall": _("A paywall or consent wall"),
    "listing": _("A list or front page"),
    "media": _("Only pictures, sound or film"),
    "other": _("Something else"),
}
# How gold came about.
SOURCES: Words = {
    "unanimous": _("Agreed"),
    "adjudicated": _("Adjudicated"),
    "single": _("By one person"),
    "imported": _("Imported"),
    "carried": _("Carried over"),
}
# Why a page could not be parsed: `extraction.parse.ParseError.reason`.
REFUSALS: Words = {
    "too-large": _("Too large"),
    "tag-too-long": _("A tag too long"),
    "too-many-attributes": _("Too many attributes"),
    "too-many-nodes": _("Too many nodes"),
    "too-deep": _("Too deep"),
    "text-too-long": _("Text too long"),
    "empty": _("Empty"),
    "time": _("Took too long"),
    "memory": _("Took too much memory"),
    "crash": _("Crashed the parser"),
}
# Kinds of work, by the names of their models.
WORK: Words = {
    "page": _("Pages to parse"),
    "importedgold": _("Gold to align"),
    "extraction": _("Extractions"),
    "agreement": _("Comparisons"),
    "report": _("Figures of agreement"),
    "change": _("What settling changed"),
    "biasreport": _("What suggestions do"),
    "score": _("Scores"),
    "measurement": _("Scores by other metrics"),
    "export": _("Exports"),
    "release": _("Releases"),
    "move": _("Pages to parse anew"),
    "renewal": _("New rounds"),
}
# Screens of the menu; the key's letter is underlined in them.
SCREENS: Words = {
    "home": _("Home"),
    "corpus": _("Corpus"),
    "guideline": _("Guideline"),
    "agreement": _("Agreement"),
    "leaderboard": _("Leaderboard"),
    "people": _("People"),
    "study": _("Design"),
    "releases": _("Releases"),
    "exports": _("Exports"),
    "health": _("Health"),
}
