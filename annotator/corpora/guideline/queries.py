"""Queries about the guideline of a corpus."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.common.display_names import label_title
from annotator.corpora.guideline.examples import Example
from annotator.corpora.guideline.markup import as_html
from annotator.corpora.guideline.text import EVERY_LABEL, UNMARKED, VERDICT, Clause, Text, read
from annotator.corpora.models import Corpus, Guideline, Label
from annotator.corpora.queries import label_numbers_of


def versions(corpus: Corpus) -> QuerySet[Guideline]:
    """All versions, the newest first."""
    return Guideline.objects.filter(corpus=corpus).select_related("made_by").order_by("-number")


def language_of(guideline: Guideline) -> str:
    """The language to show it in: that of the interface, else English, else any."""
    wanted = ((get_language() or "").partition("-")[0], "en", *sorted(guideline.texts))
    found: str = next(language for language in wanted if language in guideline.texts)
    return found


def text_of(guideline: Guideline) -> Text:
    return read(guideline.texts[language_of(guideline)])


@dataclass(frozen=True)
class Chip:
    """A label of a clause, or another subject; a label has its number."""

    title: str
    number: int | None


@dataclass(frozen=True)
class Rule:
    """A clause as shown."""

    number: str
    html: SafeString
    chips: list[Chip]


@dataclass(frozen=True)
class ClauseGroup:
    """The clauses about one label, or about the verdict or unmarked text, which have no number."""

    name: str
    number: int | None
    rules: list[Rule]


@dataclass(frozen=True)
class RuleSection:
    """A section with its clauses."""

    title: str
    rules: list[Rule]


@dataclass(frozen=True, eq=False)
class Rules:
    """The guideline panel beside a page: the version, the URL of its full text, and its clauses by label."""

    number: int
    language: str
    address: str
    sections: list[RuleSection]
    labels: list[ClauseGroup]
    general: ClauseGroup
    unmarked: ClauseGroup
    verdict: ClauseGroup


def rules_beside(corpus: Corpus, number: int, labels: Sequence[Label] | None = None) -> Rules:
    """The guideline panel for a version."""
    numbered = tuple((label.name, label.number) for label in labels or corpus.labels.all())
    return _rules_beside(corpus.pk, corpus.slug, number, numbered, get_language())


@lru_cache(maxsize=64)
def _rules_beside(
    corpus_id: int, slug: str, number: int, labels: tuple[tuple[str, int], ...], _language: str | None
) -> Rules:
    """Cached in the process: a version is never edited (invariant 7), and nothing depends on the user."""
    guideline = Guideline.objects.select_related("corpus").get(corpus=corpus_id, number=number)
    text = text_of(guideline)
    address = reverse("guideline-version", args=[slug, number])
    shown = {clause.number: rule(clause, guideline, text=address) for clause in text.clauses}

    def group(name: str, label_number: int | None = None) -> ClauseGroup:
        return ClauseGroup(name, label_number, rules_of(text.about(name)))

    def rules_of(clauses: Iterable[Clause]) -> list[Rule]:
        return [shown[clause.number] for clause in clauses]

    return Rules(
        number=number,
        language=language_of(guideline),
        address=address,
        sections=[RuleSection(section.title, rules_of(section.clauses)) for section in text.sections],
        labels=[group(name, label_number) for name, label_number in labels],
        general=group(EVERY_LABEL),
        unmarked=group(UNMARKED),
        verdict=group(VERDICT),
    )


def rule(
    clause: Clause, guideline: Guideline, *, numbers: Mapping[str, int] | None = None, text: str = ""
) -> Rule:
    """A clause with chips for its labels; `numbers` are those of the corpus's labels."""
    return Rule(
        clause.number, html(clause.markdown, guideline, text=text), list(chips_of(clause, numbers or {}))
    )


def blocks_of(page: Example, corpus: Corpus) -> list[dict[str, object]]:
    """The blocks of an example page with the chips of this corpus, without labels that it does not have."""
    numbers = label_numbers_of(corpus)
    return [
        {
            "look": block.look,
            "anchor": block.anchor,
            "chips": [Chip(label_title(name), numbers[name]) for name in block.labels if name in numbers],
            "pieces": [(piece.text, numbers.get(piece.label)) for piece in block.pieces],
        }
        for block in page.blocks
    ]


def html(markdown: str, guideline: Guideline, *, text: str = "") -> SafeString:
    """Render Markdown of this version; `text` is the URL of the whole version, if this is not its page."""
    one = reverse("guideline-example", args=[guideline.corpus.slug, "-"])
    return as_html(markdown, examples=one.removesuffix("-/"), text=text)


def chips_of(clause: Clause, numbers: Mapping[str, int]) -> Iterator[Chip]:
    """What a clause is about, as shown beside it: labels of the corpus, then the other subjects."""
    titles = {EVERY_LABEL: _("All labels"), UNMARKED: _("Unmarked"), VERDICT: _("Verdict")}
    yield from (Chip(label_title(name), numbers[name]) for name in numbers if name in clause.labels)
    yield from (Chip(title, None) for name, title in titles.items() if name in clause.labels)
