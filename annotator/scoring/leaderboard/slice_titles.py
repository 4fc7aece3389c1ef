"""The slices of a leaderboard as its form offers them."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.common.display_names import VERDICTS
from annotator.common.templatetags.names import language_title
from annotator.corpora.models import Corpus
from annotator.pages.models import Capture
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.slices import (
    CAPTURE,
    GUIDELINE,
    LANGUAGE,
    MONTH,
    RELEASE,
    SITE,
    VERDICT,
    Selection,
    Slice,
)

DIMENSIONS = {
    LANGUAGE: gettext_lazy("Language"),
    SITE: gettext_lazy("Site"),
    MONTH: gettext_lazy("Month of capture"),
    CAPTURE: gettext_lazy("Capture"),
    VERDICT: gettext_lazy("Page type"),
    GUIDELINE: gettext_lazy("Guideline version"),
    RELEASE: gettext_lazy("Release"),
}


class DimensionChoice(NamedTuple):
    """A dimension in the form with its slices, of which one can be chosen."""

    title: str
    slices: list["SliceChoice"]
    is_chosen: bool


class SliceChoice(NamedTuple):
    """A slice in the form: what the address has for it, its title, its number of pages."""

    value: str
    title: str
    pages: int | None
    is_chosen: bool


def slice_choices(corpus: Corpus, selection: Selection, *, most: int) -> list[DimensionChoice]:
    """Return the slices by dimension, with the chosen ones; no dimension of which there is one value only."""
    found = []
    for dimension, slices in totals.slices_of(corpus, most=most).items():
        value = selection.value(dimension)
        chosen = None if value is None else Slice(dimension, value)
        if chosen and chosen not in dict(slices):
            slices.append((chosen, 0))
        if len(slices) > 1 or (slices and dimension == RELEASE) or chosen:
            listed = [
                SliceChoice(str(each), slice_title(each), pages, each == chosen) for each, pages in slices
            ]
            found.append(DimensionChoice(str(DIMENSIONS[dimension]), listed, chosen is not None))
    return found


def slice_title(each: Slice) -> str:
    """What a slice is called in its dimension."""
    if not each.value:
        return _("unknown")
    if each.dimension == LANGUAGE:
        return language_title(each.value)
    if each.dimension == VERDICT:
        return str(VERDICTS.get(each.value, each.value))
    if each.dimension == CAPTURE:
        return str(dict(Capture.choices).get(each.value, each.value))
    return each.value
