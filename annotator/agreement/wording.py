"""How what the figures are about is said on screen."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotator.agreement.choice import ALL, BLIND, SHOWN, Choice
from annotator.common.templatetags.goldpan import count, label_set_title, label_title

MEASURES: dict[str, Promise] = {
    "krippendorff_alpha": gettext_lazy("Krippendorff’s α"),
    "cohen_kappa": gettext_lazy("Cohen’s κ"),
    "gwet_ac1": gettext_lazy("Gwet’s AC1"),
    "f1": gettext_lazy("F1 of what is marked"),
    "observed": gettext_lazy("Observed"),
    "exact_f1": gettext_lazy("F1, same edges"),
    "partial_f1": gettext_lazy("F1, overlapping"),
    "alpha_u_2016": gettext_lazy("αU of 2016"),
    "alpha_u": gettext_lazy("αU of 1995"),
}
UNITS: dict[str, Promise] = {
    "character": gettext_lazy("characters"),
    "word": gettext_lazy("words"),
    "block": gettext_lazy("blocks"),
    "span": gettext_lazy("spans"),
}
PAIRS: dict[str, Promise] = {
    BLIND: gettext_lazy("shown nothing"),
    SHOWN: gettext_lazy("somebody was shown something"),
    ALL: gettext_lazy("all"),
}
_REASONS: dict[str, Promise] = {
    "fewer than two annotators": gettext_lazy("fewer than two annotators"),
    "nobody marked it": gettext_lazy("nobody marked it"),
    "fewer than two were shown nothing": gettext_lazy("where fewer than two were shown nothing"),
    "nobody was shown anything": gettext_lazy("where nobody was shown anything"),
    "without two verdicts": gettext_lazy("without two verdicts"),
    "no character that counts": gettext_lazy("without text"),
    "its text is not known": gettext_lazy("its text is not known"),
    "waiting": gettext_lazy("waiting to be compared"),
    "failed": gettext_lazy("comparison failed"),
    "alone": gettext_lazy("by one annotator alone"),
    "uncounted": gettext_lazy("waiting to be counted"),
}
#: Of alpha_U of 1995: what chance gives of it goes with the cubes of lengths.
LONGEST_DECIDE = "no interval: its longest spans may decide it"
_WITHHELD: dict[str, Promise] = {
    "no page to compare": gettext_lazy("no page to compare"),
    "undefined: everything has one value": gettext_lazy("undefined: everything has one value"),
    "undefined: nobody marked anything": gettext_lazy("undefined: nobody marked anything"),
    "no interval below 30 pages": gettext_lazy("interval withheld below 30 pages"),
    "no interval: undefined without one of the pages": gettext_lazy(
        "no interval: undefined without one of the pages"
    ),
    "no interval: it is the same whichever page is left out": gettext_lazy(
        "no interval: the same whichever page is left out"
    ),
    LONGEST_DECIDE: gettext_lazy("interval withheld: the longest spans may decide"),
}
_TOO_FEW = re.compile(r"no interval: (\d+) pages have it")
_TOO_FEW_AGREE = re.compile(r"no interval: (\d+) pages have agreement on it, (\d+)")


def what_title(choice: Choice) -> str:
    """Which labels a choice is about."""
    if choice.view is None:
        return _("every label by itself")
    kind, name = choice.view
    return label_title(name) if kind == "label" else label_set_title(name)


def withheld_title(why: str | None) -> str:
    """Why there is no value or no interval; nothing where both are there."""
    if why is None:
        return ""
    few = _TOO_FEW.match(why)
    if few:
        n = int(few[1])
        return ngettext(
            "interval withheld: on %(n)s page only, of 30",
            "interval withheld: on %(n)s pages only, of 30",
            n,
        ) % {"n": n}
    agree = _TOO_FEW_AGREE.match(why)
    if agree:
        n = int(agree[1])
        return ngettext(
            "interval withheld: two agree on %(n)s page only, of %(least)s",
            "interval withheld: two agree on %(n)s pages only, of %(least)s",
            n,
        ) % {"n": n, "least": agree[2]}
    return str(_WITHHELD.get(why, why))


def reasons(excluded: dict[str, int]) -> str:
    """Pages left out, by reason, most first: 14 nobody marked it, 2 without text."""
    most_first = sorted(excluded.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count(pages)} {_REASONS.get(reason, reason)}" for reason, pages in most_first)
