"""A corpus to practise on, and people who practise, for whatever tests need them."""

from collections.abc import Iterable
from typing import Any

from annotator.annotations import actions as annotating
from annotator.annotations.models import Slot
from annotator.annotations.qualification.models import PracticeSettings
from annotator.annotations.qualification.queries import newest
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from annotator.practice import actions
from annotator.practice.models import PracticePage
from extraction.sandbox import Parser
from extraction.spans import Span
from tests.annotator.scored import make_gold
from tests.factories import ARTICLE, draft, make_user, page_maker, span_of

PARAGRAPH = "The council said on Monday that the bridge, closed for most of the year, would open again."


def gold_of(page: Page) -> list[Span]:
    """What gold marks on each page made here."""
    return [span_of(page, "Bridge opens", "headline"), span_of(page, PARAGRAPH, "body")]


def corpus_with_gold(parser: Parser, admin: User, *, pages: int = 6, slug: str = "trials") -> Corpus:
    """A corpus of `admin`'s in which every page has gold and no round."""
    made = create_corpus(slug=slug, name=slug.capitalize(), languages=["en"])
    grant_role(corpus=made, user=admin, role="admin")
    make = page_maker(made, parser)
    for number in range(pages):
        page = make(story(slug, number), opened=False)
        make_gold(page, gold_of(page))
    return made


def story(word: str, number: int = 0) -> str:
    """A page that is like others with this word, and has no more than a paragraph in common with the rest."""
    rest = " ".join(f"{word}x{index}" for index in range(120))
    return ARTICLE.format(number=number).replace("</article>", f"<p>{rest}</p></article>")


def ask(corpus: Corpus, admin: User, source: Corpus | None, **settings: Any) -> PracticeSettings:
    """Practice of two pages in at most two attempts, unless said otherwise."""
    last = newest(corpus)
    given = {"pages": 2, "min_verdicts": 2, "max_attempts": 2, **settings}
    based_on = last.number if last else 0
    return actions.set_practice(corpus=corpus, made_by=admin, based_on=based_on, source=source, **given)


def newcomer(corpus: Corpus, name: str = "nell", *, password: str = "") -> User:
    """An annotator who has not done anything yet."""
    person = make_user(name, password=password)
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


def practise(corpus: Corpus, annotator: User, *, well: bool = True, **changes: Any) -> PracticePage:
    """Open the next page of practice and submit it: as gold has it, or with nothing marked."""
    slot = actions.open_next(corpus=corpus, annotator=annotator)
    assert slot
    return submit_practice(slot, annotator, gold_of(slot.round.page) if well else [], **changes)


def submit_practice(slot: Slot, annotator: User, spans: Iterable[Span], **changes: Any) -> PracticePage:
    annotating.save(slot=slot, annotator=annotator, draft=draft(slot, annotator, spans, **changes))
    page = PracticePage.objects.select_related("slot", "attempt").get(slot=slot)
    return actions.submit_page(page=page, annotator=annotator, based_on=slot.annotations.get().revision)
