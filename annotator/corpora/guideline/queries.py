"""What is asked about a corpus's guideline."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.common.templatetags.goldpan import label_title
from annotator.corpora.guideline.examples import Example
from annotator.corpora.guideline.markup import as_html
from annotator.corpora.guideline.text import EVERY_LABEL, UNMARKED, VERDICT, Clause, Text, read
from annotator.corpora.models import Corpus, Guideline, Label


def versions(corpus: Corpus) -> QuerySet[Guideline]:
    """All of them, the newest first."""
    return Guideline.objects.filter(corpus=corpus).select_related("made_by").order_by("-number")


def version(corpus: Corpus, number: int) -> Guideline | None:
    return Guideline.objects.filter(corpus=corpus, number=number).select_related("made_by", "corpus").first()


def language_of(guideline: Guideline) -> str:
    """The language in which to show it: the screen's, else English, else any that it has."""
    wanted = ((get_language() or "").partition("-")[0], "en", *sorted(guideline.texts))
    return next(language for language in wanted if language in guideline.texts)


def text_of(guideline: Guideline) -> Text:
    return read(guideline.texts[language_of(guideline)])


@dataclass(frozen=True)
class Chip:
    """What a clause is about, in words; with its number if it is a label."""

    title: str
    number: int | None


@dataclass(frozen=True)
class Rule:
    """A clause as it is shown."""

    number: str
    html: SafeString
    chips: list[Chip]


@dataclass(frozen=True)
class Group:
    """The clauses about one label, by its name and number; about the verdict or what is unmarked, without."""

    name: str
    number: int | None
    rules: list[Rule]


@dataclass(frozen=True)
class Part:
    """A section with its clauses."""

    title: str
    rules: list[Rule]


@dataclass(frozen=True, eq=False)
class Rules:
    """What stands beside the page that is marked: the version, where its whole text is, and its clauses.

    One is made for each version, language and set of labels: templates keep what they render by it.
    """

    number: int
    language: str
    address: str
    sections: list[Part]
    labels: list[Group]
    general: Group
    unmarked: Group
    verdict: Group


def rules_beside(corpus: Corpus, number: int, labels: Sequence[Label] | None = None) -> Rules | None:
    """The clauses by label, and those on all labels, on none and on the verdict; None without a text."""
    numbered = tuple((label.name, label.number) for label in labels or corpus.labels.all())
    try:
        return _rules_beside(corpus.pk, corpus.slug, number, numbered, get_language())
    except Guideline.DoesNotExist:
        return None


@lru_cache(maxsize=64)
def _rules_beside(
    corpus_id: int, slug: str, number: int, labels: tuple[tuple[str, int], ...], _language: str | None
) -> Rules:
    """Kept in the process: a version is never edited (law 7), and nothing in it is of a person."""
    guideline = Guideline.objects.select_related("corpus").get(corpus=corpus_id, number=number)
    text = text_of(guideline)
    address = reverse("guideline-version", args=[slug, number])
    shown = {clause.number: rule(clause, guideline, text=address) for clause in text.clauses}

    def group(name: str, label_number: int | None = None) -> Group:
        return Group(name, label_number, rules_of(text.about(name)))

    def rules_of(clauses: Iterable[Clause]) -> list[Rule]:
        return [shown[clause.number] for clause in clauses]

    return Rules(
        number=number,
        language=language_of(guideline),
        address=address,
        sections=[Part(section.title, rules_of(section.clauses)) for section in text.sections],
        labels=[group(name, label_number) for name, label_number in labels],
        general=group(EVERY_LABEL),
        unmarked=group(UNMARKED),
        verdict=group(VERDICT),
    )


def rule(
    clause: Clause, guideline: Guideline, *, numbers: Mapping[str, int] | None = None, text: str = ""
) -> Rule:
    """The clause with chips for what it is about; `numbers` are those of the corpus's labels."""
    return Rule(
        clause.number, html(clause.markdown, guideline, text=text), list(_chips(clause, numbers or {}))
    )


def numbers_of(corpus: Corpus) -> dict[str, int]:
    """The number of each label, which gives it its colour and pattern."""
    return {label.name: label.number for label in corpus.labels.all()}


def blocks_of(page: Example, corpus: Corpus) -> list[dict[str, object]]:
    """An example page's blocks with this corpus's chips; a label that it has not is left out."""
    numbers = numbers_of(corpus)
    return [
        {
            "look": block.look,
            "place": block.place,
            "chips": [Chip(label_title(name), numbers[name]) for name in block.labels if name in numbers],
            "pieces": [(piece.text, numbers.get(piece.label)) for piece in block.pieces],
        }
        for block in page.blocks
    ]


def html(markdown: str, guideline: Guideline, *, text: str = "") -> SafeString:
    """Some Markdown of this version with its links set; `text` is where all of it stands, if not here."""
    one = reverse("guideline-example", args=[guideline.corpus.slug, "-"])
    return as_html(markdown, examples=one.removesuffix("-/"), text=text)


def _chips(clause: Clause, numbers: Mapping[str, int]) -> Iterator[Chip]:
    titles = {EVERY_LABEL: _("All labels"), UNMARKED: _("Unmarked"), VERDICT: _("Verdict")}
    yield from (Chip(label_title(name), numbers[name]) for name in numbers if name in clause.labels)
    yield from (Chip(title, None) for name, title in titles.items() if name in clause.labels)
