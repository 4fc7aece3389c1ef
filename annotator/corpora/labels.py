"""How labels are named, and what a corpus begins with."""

from collections.abc import Collection, Iterable, Sequence

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotator.common.display_names import default_label_title
from annotator.common.errors import GoldpanError
from annotator.corpora.models import LABEL_TITLE_LENGTH, MAX_LABELS, Corpus, Label
from extraction.spans import CONTENT, LABEL_SETS, LABELS


def first_labels(corpus: Corpus, titles: Iterable[str]) -> list[Label]:
    """The labels of a new corpus, in this order; names of standard labels stand for these, in their colours.

    Raises GoldpanError for titles that cannot be.
    """
    wanted = [one_line(title) for title in titles]
    if not 1 <= len(wanted) <= MAX_LABELS:
        raise GoldpanError(_("A corpus has from 1 to %(most)d labels.") % {"most": MAX_LABELS})
    names: list[str] = []
    for title in wanted:
        names.append(title if title in LABELS else name_for(title, names))
    check_titles(
        [
            default_label_title(name) if name in LABELS else title
            for name, title in zip(names, wanted, strict=True)
        ]
    )
    taken = {LABELS.index(name) + 1 for name in names if name in LABELS}
    free = iter([number for number in range(1, MAX_LABELS + 1) if number not in taken])
    return [
        Label(
            corpus=corpus,
            name=name,
            title="" if name in LABELS else own_title(name, title),
            number=LABELS.index(name) + 1 if name in LABELS else next(free),
            key=place,
            position=place,
        )
        for place, (name, title) in enumerate(zip(names, wanted, strict=True), start=1)
    ]


def check_titles(titles: Sequence[str]) -> None:
    """Raise GoldpanError unless the titles can be told apart."""
    given = [one_line(title).casefold() for title in titles]
    if not all(given):
        raise GoldpanError(_("Enter a name for the label."))
    if any(len(title) > LABEL_TITLE_LENGTH for title in given):
        raise GoldpanError(_("A label has at most %(most)d characters.") % {"most": LABEL_TITLE_LENGTH})
    if len(set(given)) < len(given):
        raise GoldpanError(_("Two labels cannot have the same name."))


def own_title(name: str, title: str) -> str:
    """What is stored as the title: nothing where it is what the label is called anyway."""
    title = one_line(title)
    return "" if title == default_label_title(name) else title


def label_sets(names: Iterable[str]) -> dict[str, frozenset[str]]:
    """The label sets by name, where these labels can be given: `any` is every one of them."""
    return {**LABEL_SETS, "any": frozenset(names)}


def name_for(title: str, taken: Collection[str]) -> str:
    """A name for spans that no label of the corpus has or had."""
    base = slugify(title)[:30].rstrip("-") or "label"
    candidates = (base, *(f"{base}-{number}" for number in range(2, len(taken) + 4)))
    return next(name for name in candidates if name not in taken and name != CONTENT)


def one_line(title: str) -> str:
    return " ".join(title.split())
