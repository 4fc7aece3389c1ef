"""Pages finalised under one guideline, and their rounds under the next."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from annotator.annotations.models import Round
from annotator.annotations.rounds.reannotation import open_reannotation_round
from annotator.corpora.actions import grant_role
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.models import Corpus, User
from annotator.gold import actions
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, finalise, paragraph
from tests.factories import MakePage, annotate, make_user, span_of

OLD = "## 1 One\n\n1.1 Mark it. {body}\n\n1.2 Leave the rest. {none}\n"
NEW = OLD.replace("Mark it.", "Mark all of it.")


def people(corpus: Corpus, *names: str) -> list[User]:
    """New annotators of the corpus."""
    found = [make_user(name) for name in names]
    for person in found:
        grant_role(corpus=corpus, user=person, role="annotator")
    return found


def guideline(corpus: Corpus, cast: SimpleNamespace, text: str = NEW) -> None:
    """Publish the next version."""
    corpus.refresh_from_db()
    write_version(
        corpus=corpus, texts={"en": text}, note="", made_by=cast.hanne, based_on=corpus.guideline_version
    )


def annotate_alike(page: Page, persons: Iterable[User], spans: Iterable[Span]) -> Gold:
    """These people mark the same, which makes gold."""
    marks = list(spans)
    for person in persons:
        annotate(page, person, marks)
    gold = finalise(page)
    assert isinstance(gold, Gold)
    return gold


def finalised_page(make_page: MakePage, cast: SimpleNamespace, **given: Any) -> Page:
    """Gold by ada and ben."""
    page = make_page(**given)
    annotate_alike(
        page, (cast.ada, cast.ben), [span_of(page, HEADLINE, "headline"), paragraph(page, FIRST, "body")]
    )
    return page


def adjudicated_page(
    make_page: MakePage, cast: SimpleNamespace, *, clause: str = "", verdict: str = "article"
) -> Page:
    """Ada and ben disagree on one paragraph; cleo adjudicates it, citing a clause."""
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")], verdict=verdict)
    annotate(page, cast.ben, verdict=verdict)
    assert isinstance(finalise(page), Adjudication)
    held = actions.claim_next(corpus=page.corpus, user=cast.cleo)
    assert held
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="neither", clause=clause)
    actions.submit(adjudication=held, user=cast.cleo)
    return page


def again(page: Page) -> Round:
    return open_reannotation_round(page=Page.objects.get(pk=page.pk))
