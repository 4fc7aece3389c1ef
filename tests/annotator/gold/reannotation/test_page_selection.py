"""The selection of pages for re-annotation, and that it is reproducible."""

from types import SimpleNamespace
from typing import Any

import pytest

from annotator.corpora.models import Corpus
from annotator.gold.finalisation import reopen_gold
from annotator.gold.reannotation.page_selection import (
    PageCriteria,
    cited_clauses,
    outdated,
    plan,
    unknown_keys,
)
from annotator.pages.models import Page
from tests.annotator.gold.reannotation.scenarios import (
    adjudicated_page,
    again,
    annotate_alike,
    finalised_page,
    guideline,
    people,
)
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.scored import make_gold
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def chosen(corpus: Corpus, **asked: Any) -> set[int]:
    return set(plan(corpus, PageCriteria(**asked)).pages)


def keys(*pages: Page) -> set[int]:
    return {page.pk for page in pages}


def test_all_pages_finalised_under_an_earlier_version(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    old, done = finalised_page(make_page, cast), finalised_page(make_page, cast)
    make_page()
    make_gold(make_page())
    assert not outdated(corpus).exists(), "nothing is out of date before there is another version"
    eve, fay = people(corpus, "eve", "fay")
    guideline(corpus, cast)
    finalised_page(make_page, cast)
    assert chosen(corpus) == keys(old, done)
    again(done)
    annotate_alike(done, (eve, fay), [span_of(done, "Bridge opens", "headline")])
    assert chosen(corpus) == keys(old), "what was annotated again is up to date"


def test_by_the_clause_that_was_the_reason(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    first = adjudicated_page(make_page, cast, clause="2.1")
    second = adjudicated_page(make_page, cast, clause="2.2")
    other = adjudicated_page(make_page, cast)
    text = corpus.guidelines.get().texts["en"]
    start = text.index("\n2.1 ") + 5
    guideline(corpus, cast, f"{text[:start]}Now otherwise. {text[start:]}")
    assert [(each.number, each.pages, each.changed) for each in cited_clauses(corpus)] == [
        ("2.1", 1, True),
        ("2.2", 1, False),
    ]
    assert chosen(corpus, clauses=("2.1",)) == keys(first)
    assert chosen(corpus, clauses=("2.1", "2.2")) == keys(first, second)
    assert chosen(corpus) == keys(first, second, other)


def test_by_site_language_verdict_label_and_digest(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    here = finalised_page(make_page, cast, url="https://one.example/1")
    there = finalised_page(make_page, cast, url="https://two.example/2")
    Page.objects.filter(pk=there.pk).update(language="es")
    listing = make_page(url="https://one.example/3")
    for person in (cast.ada, cast.ben):
        annotate(listing, person, verdict="not_article", reason="listing")
    finalise(listing)
    guideline(corpus, cast)
    assert chosen(corpus, site="ONE.example") == keys(here, listing)
    assert chosen(corpus, language="es") == keys(there)
    assert chosen(corpus, verdict="not_article") == keys(listing)
    assert chosen(corpus, label="headline") == keys(here, there)
    assert chosen(corpus, label="unanimous") == set(), "a label is no source"
    assert chosen(corpus, keys=(here.sha256, there.sha256[:10])) == keys(here, there)
    assert chosen(corpus, site="one.example", label="headline") == keys(here)
    assert unknown_keys(corpus, (here.sha256[:8], "0" * 8)) == ["0" * 8]


def test_a_share_is_drawn_by_its_seed(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    for _ in range(4):
        finalised_page(make_page, cast)
    guideline(corpus, cast)
    draws = {frozenset(chosen(corpus, share=0.5, seed=seed)) for seed in range(12)}
    assert {len(draw) for draw in draws} == {2}
    assert len(draws) > 1
    assert chosen(corpus, share=0.5, seed=3) == chosen(corpus, share=0.5, seed=3)
    assert chosen(corpus, share=0.25, seed=3) < chosen(corpus, share=0.5, seed=3)


def test_the_plan_counts_excluded_pages(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    looked_at, open_already, free = (finalised_page(make_page, cast) for _ in range(3))
    guideline(corpus, cast)
    reopen_gold(gold=looked_at.gold.get(), by=cast.hanne, why="look again")
    again(open_already)
    would_be = plan(corpus, PageCriteria())
    assert (would_be.matching, would_be.in_work, would_be.too_few) == (3, 2, 0)
    assert would_be.pages == (free.pk,)
    assert (would_be.slots, would_be.fresh) == (2, 0), "ada and ben had it before, and there is nobody else"
    people(corpus, "eve", "fay")
    assert plan(corpus, PageCriteria()).fresh == 1
    corpus.memberships.filter(user__in=[cast.ada, cast.ben]).delete()
    corpus.memberships.filter(user__username="eve").delete()
    assert plan(corpus, PageCriteria()).too_few == 1
