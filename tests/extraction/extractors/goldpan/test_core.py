"""The headline, and the container that holds most of the prose."""

import numpy as np
import pytest

from extraction.extractors.goldpan.core import Groups, Ways
from extraction.extractors.goldpan.features import PageFeatures
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3

BODY = f"<p>{P1}</p><p>{P2}</p><p>{P3}</p>"


def page_of(body: str, title: str = "") -> PageFeatures:
    return PageFeatures.of(parse(f"<title>{title}</title><body>{body}".encode()))


def text_of(page: PageFeatures, block: int) -> str | None:
    return page.texts[block] if block >= 0 else None


def core_texts(page: PageFeatures) -> list[str | None]:
    """The texts of the blocks whose parent is the core."""
    return [
        text_of(page, block) for block in range(page.size) if page.core.parent[block] == page.core.element
    ]


HEADLINE = "Bridge to open again in spring"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (f"<h1>{HEADLINE}</h1>{BODY}", "Daily"),
        (f"<h1>The Daily Bugle</h1><h2>{HEADLINE}</h2>{BODY}", f"{HEADLINE} - The Daily"),
        (f"<div class=t>{HEADLINE}</div>{BODY}", f"{HEADLINE} | Daily"),
        (f"<h1 hidden>Hidden words here</h1><h2>{HEADLINE}</h2>{BODY}", HEADLINE),
        (f"<h1>{HEADLINE}</h1>{BODY}<h1>Read more of our news</h1><ul><li>a", ""),
        (f"<h1>Daily news of the town</h1><p>x<h1>{HEADLINE}</h1>{BODY}", f"{HEADLINE}, today"),
    ],
    ids=["only", "by title", "no heading", "hidden", "lonely", "two"],
)
def test_the_headline_is_found(body: str, title: str) -> None:
    page = page_of(body, title)
    assert text_of(page, page.headline.block) == HEADLINE


def test_of_teasers_that_repeat_headings_none_is_the_headline() -> None:
    teasers = "".join(f"<div class=t><h3>Teaser number {n}</h3><p>{P2}</p></div>" for n in range(4))
    page = page_of(f"{teasers}<div><h2>{HEADLINE}</h2>{BODY}</div>", f"{HEADLINE} - Daily")
    assert text_of(page, page.headline.block) == HEADLINE


@pytest.mark.parametrize("body", [BODY, f"<h4>Not large enough</h4>{BODY}", f"<h1>{'long ' * 80}</h1>{BODY}"])
def test_a_page_may_have_no_headline(body: str) -> None:
    assert page_of(body).headline.block == -1


def test_an_h1_that_is_the_title_is_surest() -> None:
    sure, less = page_of(f"<h1>{HEADLINE}</h1>{BODY}", HEADLINE), page_of(f"<h1>{HEADLINE}</h1>{BODY}", "x")
    assert sure.headline.certainty > less.headline.certainty


def test_prose_counts_less_where_the_page_says_that_it_is_not_the_articles() -> None:
    page = page_of(f"<div>{BODY}{BODY}</div><div class=comments><p>{P3}</p></div>")
    assert page.good[-1] < page.good[-2] == page.layout.prose[-2]


def test_prose_before_the_headline_counts_less() -> None:
    page = page_of(f"<div><p>{P2}</p></div><h1>{HEADLINE}</h1><div>{BODY}</div>", HEADLINE)
    assert 0 < page.good[0] < page.layout.prose[0]


def test_the_core_is_the_container_with_most_prose() -> None:
    page = page_of(f"<div><p>{P1}</p></div><div class=x>{BODY}</div><div class=y><p>{P2}</p></div>")
    assert core_texts(page) == [P1, P2, P3]


def test_containers_made_alike_are_one_core_of_which_the_largest_is_chosen() -> None:
    """Apart, each is smaller than the one that stands alone."""
    parts = f"<div class=part><p>{P1}</p><p>{P2}</p></div><div class=part><p>{P3}</p></div>"
    alone = f"<div class=box><p>{P1}</p><p>{P1}</p></div>"
    page = page_of(parts + alone)
    assert core_texts(page) == [P1, P2]
    assert page.core.by_parent_shape.of.tolist() == [page.core.group] * 3 + [page.core.group + 1] * 2


def test_containers_without_names_are_not_alike() -> None:
    page = page_of(f"<div><p>{P1}</p></div><div><p>{P2}</p></div><section><p>{P3}</p><p>{P1}</p></section>")
    assert page.core.by_parent_shape.count == 3
    assert core_texts(page) == [P3, P1]


def test_comments_that_are_longer_than_the_article_are_not_the_core() -> None:
    comments = "".join(f"<li class=comment><div>Name {n}</div><p>{P3}</p><p>{P2}</p></li>" for n in range(8))
    page = page_of(f"<div class=story><h1>{HEADLINE}</h1>{BODY}</div><ol class=comments>{comments}</ol>")
    assert P1 in core_texts(page)


def test_teasers_that_are_longer_than_the_article_are_not_the_core() -> None:
    teasers = "".join(f"<div class=t><h3>Teaser {n}</h3><p>{P3}</p></div>" for n in range(6))
    page = page_of(f"<h1>{HEADLINE}</h1><div class=story>{BODY}</div><div>{teasers}</div>", HEADLINE)
    assert P1 in core_texts(page)


def test_groups_sum_up() -> None:
    groups = Groups.by(["a", "b", "a"])
    assert (groups.of.tolist(), groups.count) == ([0, 1, 0], 2)
    assert groups.total(np.array([1, 2, 3], dtype=np.float32)).tolist() == [4, 2]
    assert groups.totals(np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)).tolist() == [[4, 2], [10, 5]]


def test_ways_lead_from_the_core_to_every_element() -> None:
    page = page_of(
        f"<main><div id=core>{BODY}</div><aside class=comments><p>note</p></aside></main><p>end</p>"
    )
    layout, core = page.layout, page.core.element
    ways = Ways.of(layout, core)
    note = next(int(layout.element[block]) for block in range(page.size) if text_of(page, block) == "note")
    aside = layout.parents[note]
    assert (ways.rise[core], ways.fall[core]) == (0, 0)
    assert (ways.rise[note], ways.fall[note]) == (1, 2)
    assert ways.meeting[note] == layout.parents[core]
    assert ways.branch[note] == aside
    assert ways.kinds[note] & layout.kinds[aside] == layout.kinds[aside] != 0
    assert all(ways.kinds[int(layout.element[block])] == 0 for block in range(3))
