"""A guideline's Markdown: numbered sections and clauses, and the labels that each clause is about.

    # What to mark
    ## 2 Headline
    2.1 The title that stands above the article. [Example](example:story#title) {headline}

A section is a heading of the second level that begins with its number; a clause is a paragraph that begins
with the section's number, a full stop and its own, and goes on to the next clause or heading. In braces at
the end of its first paragraph stand the labels that the clause is about, or `*` for all of them, `none` for
text that stays unmarked, `verdict` for what the page as a whole is. Nothing in braces: it is about no label.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError
from annotator.corpora.guideline.markup import PARSER, examples_in

EVERY_LABEL, UNMARKED, VERDICT = "*", "none", "verdict"
BESIDE_LABELS = frozenset({EVERY_LABEL, UNMARKED, VERDICT})
MAX_LENGTH = 100_000

SECTION = re.compile(r"(\d{1,2})\.?\s+(\S.*)")
CLAUSE = re.compile(r"(\d{1,2}\.\d{1,2})\s+(?=\S)")
LABELS = re.compile(r"\s*\{([^{}]*)\}[ \t]*$")


class GuidelineError(GoldpanError):
    """The text is not a valid guideline; `problems` has a sentence for each thing that is wrong."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__(" ".join(self.problems))


@dataclass(frozen=True)
class Clause:
    """One rule. `written` is its Markdown without the number and with the labels in braces."""

    number: str
    written: str

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels in the braces at its end."""
        found = LABELS.search(self._first)
        return frozenset(re.split(r"[\s,]+", found[1].strip())) - {""} if found else frozenset()

    @cached_property
    def markdown(self) -> str:
        """The Markdown without the labels."""
        return LABELS.sub("", self._first) + self.written[len(self._first) :]

    @cached_property
    def examples(self) -> list[str]:
        """The example pages that the clause links to, as `name` or `name#anchor`."""
        return examples_in(self.markdown)

    @property
    def _first(self) -> str:
        return self.written.partition("\n\n")[0]


@dataclass(frozen=True)
class Section:
    """A numbered heading with its clauses and the text before the first."""

    number: str
    title: str
    opening: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Text:
    """A guideline in one language."""

    title: str
    opening: str
    sections: tuple[Section, ...]

    @cached_property
    def clauses(self) -> list[Clause]:
        return [clause for section in self.sections for clause in section.clauses]

    def about(self, label: str) -> list[Clause]:
        """The clauses about the label."""
        return [clause for clause in self.clauses if label in clause.labels]


# ---- reading ----


def with_newlines(markdown: str) -> str:
    """The text with the line ends of Unix."""
    return markdown.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=128)
def read(markdown: str) -> Text:
    """Parse the text. Raises GuidelineError when a number is missing, misplaced or repeated."""
    text, problems = _read(with_newlines(markdown))
    if problems:
        raise GuidelineError(problems)
    return text


def check(markdown: str, *, labels: Iterable[str], examples: Iterable[str]) -> Text:
    """Parse the text. Raises GuidelineError also for labels and example pages that do not exist.

    `labels` are the corpus's; `examples` all that can be linked to, as `name` and `name#anchor`.
    """
    if len(markdown) > MAX_LENGTH:
        raise GuidelineError([_("A guideline has at most %(most)d characters.") % {"most": MAX_LENGTH}])
    text, problems = _read(with_newlines(markdown))
    known, pages = set(labels) | BESIDE_LABELS, set(examples)
    for clause in text.clauses:
        names = {"clause": clause.number}
        for label in sorted(clause.labels - known):
            problems.append(
                _("Clause %(clause)s names the label “%(label)s”, which this corpus does not have.")
                % {**names, "label": label}
            )
        for page in clause.examples:
            if page not in pages:
                problems.append(
                    _("Clause %(clause)s links to the example “%(page)s”, which does not exist.")
                    % {**names, "page": page}
                )
    if problems:
        raise GuidelineError(problems)
    return text


def check_alike(one: Text, other: Text) -> None:
    """Raises GuidelineError unless both languages have the same clauses about the same labels."""
    mine, theirs = ({clause.number: clause for clause in text.clauses} for text in (one, other))
    alone = mine.keys() ^ theirs.keys()
    differing = {
        number for number in mine.keys() & theirs.keys() if mine[number].labels != theirs[number].labels
    }
    problems = [
        message % {"clause": number}
        for message, numbers in (
            (_("Clause %(clause)s exists in one language only."), alone),
            (_("Clause %(clause)s has different labels in different languages."), differing),
        )
        for number in sorted(numbers, key=clause_order)
    ]
    if problems:
        raise GuidelineError(problems)


def _read(markdown: str) -> tuple[Text, list[str]]:
    problems: list[str] = []
    title, opening = "", ""
    sections: list[Section] = []
    for heading, lines in _parts(markdown):
        if heading is None or heading.tag == "h1":
            title = title or (heading.content if heading else "")
            opening += "".join(lines)
        else:
            sections.append(_section(heading.content, "".join(lines), problems))
    text = Text(title, opening.strip(), tuple(sections))
    return text, [*_missing(text), *_twice(text), *problems]


@dataclass(frozen=True)
class _Heading:
    tag: str
    content: str


def _parts(markdown: str) -> Iterator[tuple[_Heading | None, list[str]]]:
    """Each heading of the first two levels with the lines below it; None for what stands before the first."""
    lines = _lines(markdown)
    heading, start = None, 0
    tokens = PARSER.parse(markdown)
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2") and token.map:
            yield heading, lines[start : token.map[0]]
            heading, start = _Heading(token.tag, tokens[index + 1].content), token.map[1]
    yield heading, lines[start:]


def _lines(markdown: str) -> list[str]:
    """The lines as Markdown counts them: `splitlines` also ends one where Word breaks a paragraph."""
    return [f"{line}\n" for line in markdown.split("\n")]


def _section(heading: str, body: str, problems: list[str]) -> Section:
    found = SECTION.fullmatch(heading)
    number, title = (found[1], found[2]) if found else ("", heading)
    if not found:
        problems.append(
            _("The section “%(title)s” has no number: write “## 3 %(title)s”.") % {"title": heading}
        )
    lines = _lines(body)
    starts = list(_clause_starts(body))
    clauses = []
    for (start, named), (end, _next) in pairwise([*starts, (len(lines), "")]):
        if found and named.partition(".")[0] != number:
            problems.append(
                _("Clause %(clause)s is in section %(section)s.") % {"clause": named, "section": number}
            )
        written = "".join(lines[start:end]).strip()
        clauses.append(Clause(named, CLAUSE.sub("", written, count=1)))
    first = starts[0][0] if starts else len(lines)
    return Section(number, title, "".join(lines[:first]).strip(), tuple(clauses))


def _clause_starts(body: str) -> Iterator[tuple[int, str]]:
    """The line in which each clause begins, and its number."""
    tokens = PARSER.parse(body)
    for index, token in enumerate(tokens):
        if token.type == "paragraph_open" and token.level == 0 and token.map:
            clause = CLAUSE.match(tokens[index + 1].content)
            if clause:
                yield token.map[0], clause[1]


def _missing(text: Text) -> Iterator[str]:
    if not text.clauses:
        yield _(
            "The guideline has no clause. A clause is a paragraph that begins with its number, such as 2.1."
        )


def _twice(text: Text) -> Iterator[str]:
    for kind, numbers in (
        (_("Section number %(number)s is used twice."), [section.number for section in text.sections]),
        (_("Clause number %(number)s is used twice."), [clause.number for clause in text.clauses]),
    ):
        for number in dict.fromkeys(number for number in numbers if number and numbers.count(number) > 1):
            yield kind % {"number": number}


def clause_order(number: str) -> list[int]:
    """What to sort clauses by: 2.10 comes after 2.9."""
    return [int(part) for part in number.split(".")]
