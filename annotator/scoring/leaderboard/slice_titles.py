"""The slices of a leaderboard as its form offers them."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.common.display_names import VERDICTS
from annotator.common.templatetags.names import language_title
from annotator.corpora.models import Corpus
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.slices import GUIDELINE, LANGUAGE, MONTH, RELEASE, SITE, VERDICT, Slice

DIMENSIONS = {
    LANGUAGE: gettext_lazy("Language"),
    SITE: gettext_lazy("Site"),
    MONTH: gettext_lazy("Month of capture"),
    VERDICT: gettext_lazy("Page type"),
    GUIDELINE: gettext_lazy("Guideline version"),
    RELEASE: gettext_lazy("Release"),
}


class SliceChoice(NamedTuple):
    """A slice in the form: what the address has for it, its title, its number of pages."""

    value: str
    title: str
    pages: int | None
    is_chosen: bool


def slice_choices(corpus: Corpus, chosen: Slice, *, most: int) -> list[tuple[str, list[SliceChoice]]]:
    """Return the slices by the title of their dimension, with the chosen one; none of one value only."""
    found = []
    for dimension, slices in totals.slices_of(corpus, most=most).items():
        if dimension == chosen.dimension and chosen not in dict(slices):
            slices.append((chosen, 0))
        if len(slices) > 1 or dimension == RELEASE or dimension == chosen.dimension:
            listed = [
                SliceChoice(str(each), slice_title(each), pages, each == chosen) for each, pages in slices
            ]
            found.append((str(DIMENSIONS[dimension]), listed))
    return [(title, listed) for title, listed in found if listed]


def slice_title(each: Slice) -> str:
    """What a slice is called in its dimension."""
    if not each.value:
        return _("unknown")
    if each.dimension == LANGUAGE:
        return language_title(each.value)
    if each.dimension == VERDICT:
        return str(VERDICTS.get(each.value, each.value))
    return each.value
