"""What metrics are called on screen, and in a sentence each what they compare: docs/metrics.md."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.leaderboard.growth import FIGURES


class MetricWords(NamedTuple):
    title: Promise
    about: Promise


METRICS: dict[str, MetricWords] = {
    "character": MetricWords(
        _("F1 of characters"),
        _("Characters by their place in the document; white space is not counted."),
    ),
    "char-lcs": MetricWords(
        _("F1 of words in order"),
        _(
            "The longest sequence of lower-cased words that both texts have in one order, a word weighing "
            "its length (after the tree-filter paper)."
        ),
    ),
    "block": MetricWords(
        _("F1 of blocks"),
        _(
            "Blocks of the document: each is content if more than half of its words are, and weighs as many "
            "words as it has (after the Boilerpipe paper)."
        ),
    ),
    "shingle": MetricWords(
        _("F1 of runs of four words"),
        _("Runs of four words, as often as both texts have them (after the Scrapinghub benchmark)."),
    ),
    "words": MetricWords(
        _("F1 of words"),
        _("Lower-cased words in any order, as often as both texts have them (after the benchmark WCXB)."),
    ),
    "cleaneval": MetricWords(
        _("F1 after CleanEval"),
        _("Words in order, aligned as Evert's script for the competition CleanEval aligns them."),
    ),
    "rouge": MetricWords(
        _("ROUGE-Lsum"),
        _(
            "Words of each gold sentence that some extracted sentence has in the same order (after the "
            "benchmark WCEB, with our own splitter of sentences)."
        ),
    ),
}
GREW = dict(zip(FIGURES, (_("F1"), _("Precision"), _("Recall")), strict=True))
