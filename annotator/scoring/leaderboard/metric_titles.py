"""The titles of the metrics on screens, each with a one-sentence description (see docs/metrics.md)."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.scoring.leaderboard.score_by_size import FIGURES


class MetricTitle(NamedTuple):
    title: Promise
    about: Promise


METRICS: dict[str, MetricTitle] = {
    "character": MetricTitle(
        _("F1 of characters"),
        _("Characters by their place in the document; white space is not counted."),
    ),
    "char-lcs": MetricTitle(
        _("F1 of words in order"),
        _(
            "The longest sequence of lower-cased words that both texts have in one order, a word weighing "
            "its length (after the tree-filter paper)."
        ),
    ),
    "block": MetricTitle(
        _("F1 of blocks"),
        _(
            "Blocks of the document: each is content if more than half of its words are, and weighs as many "
            "words as it has (after the Boilerpipe paper)."
        ),
    ),
    "shingle": MetricTitle(
        _("F1 of runs of four words"),
        _("Runs of four words, as often as both texts have them (after the Scrapinghub benchmark)."),
    ),
    "words": MetricTitle(
        _("F1 of words"),
        _("Lower-cased words in any order, as often as both texts have them (after the benchmark WCXB)."),
    ),
    "cleaneval": MetricTitle(
        _("F1 after CleanEval"),
        _("Words in order, aligned as Evert's script for the competition CleanEval aligns them."),
    ),
    "rouge": MetricTitle(
        _("ROUGE-Lsum"),
        _(
            "Words of each gold sentence that some extracted sentence has in the same order (after the "
            "benchmark WCEB, with our own splitter of sentences)."
        ),
    ),
}
FIGURE_TITLES = dict(zip(FIGURES, (_("F1"), _("Precision"), _("Recall")), strict=True))
