"""The formats and what they lose, in words, for the screens."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.common.templatetags.figures import count
from annotator.releases.exports.formats import DESCRIPTIONS, LOSSES, WRITERS
from extraction.formats.writing import Loss, PageParts


class FormatChoice(NamedTuple):
    """A format to choose."""

    name: str
    title: Promise | str
    purpose: Promise
    losses: str
    can_leave_pages: bool
    holds_annotations: bool
    holds_outputs: bool
    releases_only: bool


def choices(not_articles: int) -> list[FormatChoice]:
    """Return the formats in their order; `not_articles` is the number of such pages in the gold."""
    return [_choice(name, not_articles) for name in DESCRIPTIONS]


def _choice(name: str, not_articles: int) -> FormatChoice:
    writer, (title, purpose) = WRITERS[name], DESCRIPTIONS[name]
    return FormatChoice(
        name=name,
        title=title,
        purpose=purpose,
        losses="; ".join(_words(writer.loses(with_pages=True), not_articles)),
        can_leave_pages=writer.pages is not PageParts.ALWAYS,
        holds_annotations=writer.annotations,
        holds_outputs=writer.outputs,
        releases_only=writer.releases_only,
    )


def _words(losses: Iterable[Loss], not_articles: int) -> list[str]:
    """The losses in the order in which they are declared."""
    found = set(losses)
    return [
        _left_out(not_articles) if loss is Loss.NOT_ARTICLES and not_articles else str(title)
        for loss, title in LOSSES.items()
        if loss in found
    ]


def _left_out(pages: int) -> str:
    return ngettext("%(n)s page that is not an article", "%(n)s pages that are not articles", pages) % {
        "n": count(pages)
    }


def losses_of(counted: Mapping[str, int] | Mapping[Loss, int]) -> list[tuple[str, int]]:
    """Return what an export lost, and of how many pages, in the order in which losses are declared."""
    return [(str(title), counted[loss]) for loss, title in LOSSES.items() if counted.get(loss)]


def format_title(name: str) -> str:
    """Return the title of a format; “Other” if it is no longer written."""
    return str(DESCRIPTIONS[name][0]) if name in DESCRIPTIONS else _("Other")
