"""What is asked about a corpus's guideline."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotator.corpora.guideline.markup import as_html
from annotator.corpora.guideline.text import UNMARKED, VERDICT, Clause, Text, read
from annotator.corpora.models import Corpus, Guideline


def versions(corpus: Corpus) -> QuerySet[Guideline]:
    """All of them, the newest first."""
    return Guideline.objects.filter(corpus=corpus).select_related("made_by").order_by("-number")


def version(corpus: Corpus, number: int) -> Guideline | None:
    return Guideline.objects.filter(corpus=corpus, number=number).select_related("made_by").first()


def language_of(guideline: Guideline) -> str:
    """The language in which to show it: the screen's, else English, else any that it has."""
    wanted = ((get_language() or "").partition("-")[0], "en", *sorted(guideline.texts))
    return next(language for language in wanted if language in guideline.texts)


def text_of(guideline: Guideline) -> Text:
    return read(guideline.texts[language_of(guideline)])


@dataclass(frozen=True)
class Rule:
    """A clause as it is shown."""

    number: str
    html: SafeString
    labels: frozenset[str]


@dataclass(frozen=True)
class Rules:
    """What stands beside the page that is marked: the clauses that a label, or a verdict, is about."""

    number: int
    language: str
    address: str
    groups: list[tuple[str, list[Rule]]]


def rules_beside(corpus: Corpus, number: int, labels: Iterable[str]) -> Rules | None:
    """The clauses by label, then on what stays unmarked and on the verdict; None without a text."""
    guideline = version(corpus, number)
    if guideline is None:
        return None
    text = text_of(guideline)
    return Rules(
        number=number,
        language=language_of(guideline),
        address=reverse("guideline-version", args=[corpus.slug, number]),
        groups=[
            (group, [rule(clause, guideline) for clause in text.about(group)])
            for group in (*labels, UNMARKED, VERDICT)
        ],
    )


def rule(clause: Clause, guideline: Guideline) -> Rule:
    return Rule(clause.number, html(clause.markdown, guideline), clause.labels)


def html(markdown: str, guideline: Guideline) -> SafeString:
    """Some Markdown of this version with its links set."""
    slug = guideline.corpus.slug

    def example(address: str) -> str:
        name, hash_, place = address.partition("#")
        return reverse("guideline-example", args=[slug, name]) + hash_ + place

    here = reverse("guideline-version", args=[slug, guideline.number])
    return as_html(markdown, example=example, here=here)
