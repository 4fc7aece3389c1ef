"""What the model is told of each block."""

import numpy as np
import pytest
from hypothesis import given

from extraction.extractors.goldpan.features import BODY_PARTS, PageFeatures, _whole
from extraction.extractors.goldpan.model import comments_model, model
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE, P1, P2, P3
from tests.extraction.news import NEWS, page_of
from tests.extraction.soup import raw_soup

PAGES = [
    "<p>x",
    EXAMPLE,
    "<a href=x>link</a>",
    "<ul>" + "<li>x" * 500,
    "<h1>Only</h1>",
    f"<div hidden>{P1}</div>",
    "<table><tr><td>a<td>b</table>",
]


def facts_of(raw: bytes) -> dict[str, np.ndarray]:
    page = PageFeatures.of(parse(raw))
    return dict(zip(PageFeatures.feature_names(), page.features, strict=True))


def test_names_are_given_once_and_belong_to_a_part() -> None:
    names = PageFeatures.body_feature_names()
    assert len(set(names)) == len(names) == sum(PageFeatures.part_sizes())
    assert len(PageFeatures.part_sizes()) == len(BODY_PARTS)
    assert all(size > 0 for size in PageFeatures.part_sizes())


def test_the_models_were_learned_from_these_features() -> None:
    assert comments_model().names == PageFeatures.feature_names()
    assert model().names == PageFeatures.body_feature_names()


@pytest.mark.parametrize("page", [*PAGES, *map(page_of, NEWS.values())])
def test_every_page_has_the_same_rows_and_only_numbers(page: str) -> None:
    looked_at = PageFeatures.of(parse(page.encode()))
    assert looked_at.features.shape == (len(PageFeatures.feature_names()), looked_at.size)
    assert looked_at.body_features.shape == (len(PageFeatures.body_feature_names()), looked_at.size)
    assert np.isfinite(looked_at.body_features).all()


@given(raw_soup)
def test_soup_gives_numbers(raw: bytes) -> None:
    document = parse(raw)
    if document.blocks:
        assert np.isfinite(PageFeatures.of(document).features).all()


def test_looking_again_gives_the_same() -> None:
    document = parse(EXAMPLE.encode())
    assert np.array_equal(PageFeatures.of(document).features, PageFeatures.of(document).features)


def test_facts_about_the_text() -> None:
    features = facts_of(f"<p>One, two.</p><p>{P1} <a href=x>More</a></p><p>One, two.</p>".encode())
    assert features["words"][0] == 2
    assert features["commas"].tolist() == [1, P1.count(","), 1]
    assert features["linked"][1] == pytest.approx(4 / (len(P1) + 5))
    assert features["copies"].tolist() == [2, 1, 2]


def test_facts_about_neighbours_end_at_the_edges() -> None:
    features = facts_of(b"<p>one</p><p>one two</p><p>one two three</p>")
    assert features["previous words"].tolist() == [0, 1, 2]
    assert features["next words"].tolist() == [2, 3, 0]
    assert features["second next words"].tolist() == [3, 0, 0]


def test_features_of_the_position() -> None:
    raw = f"<div>menu</div><div id=x><p>{P1}</p><p>{P2}</p><p>{P3}</p></div><div>end</div>"
    features = facts_of(raw.encode())
    assert features["place in core"].tolist() == pytest.approx([-1.05, 0, 1 / 3, 2 / 3, 2.05], abs=0.06)
    assert features["after core"].tolist() == [0, 0, 0, 0, 1]
    assert features["place in page"].tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])


def test_facts_of_the_page_are_the_same_for_every_block() -> None:
    page = PageFeatures.of(parse(EXAMPLE.encode()))
    whole = page.features[-PageFeatures.part_sizes()[BODY_PARTS.index(_whole)] :]
    assert (whole == whole[:, :1]).all()


def test_the_headings_are_the_headline_and_every_h1() -> None:
    raw = f"<title>Bridge opens again</title><h1>Daily</h1><h2>Bridge opens again</h2><p>{P1}<p>{P2}<h2>More"
    assert PageFeatures.of(parse(raw.encode())).headings == [0, 1]


def test_features_of_signs_count_from_headings_dates_and_buttons() -> None:
    comments = "".join(f"<p>Ann says:<p>{P2}<p>Reply" for _ in range(3))
    features = facts_of(f"<h1>Bridge</h1><p>{P1}</p><h3>3 comments</h3>{comments}".encode())
    assert features["after comment heading"].tolist() == [300, 300, 0, *range(1, 10)]
    assert features["before comment heading"].tolist() == [2, 1, 0, *[30] * 9]
    assert features["signatures of page"][0] == features["buttons of page"][0] == 3
    assert features["after signature"].tolist()[3:] == [0, 1, 2] * 3
    assert features["before button"].tolist()[3:] == [2, 1, 0] * 3
    assert features["prose before comment heading"][0] == -1
    assert features["prose before comment heading"][2] == pytest.approx(len(P1) / (len(P1) + 3 * len(P2)))


def test_the_core_is_looked_for_again_where_comments_are_longer_than_the_article() -> None:
    article, comments = f"<div id=a><p>{P1}</p></div>", f"<div id=c>{f'<p>{P2}</p>' * 4}</div>"
    page = PageFeatures.of(parse(f"{article}{comments}".encode()))
    assert page.core.parent[0] != page.core.element
    knowing = page.knowing(np.array([0, 1, 1, 1, 1], dtype=np.float32))
    assert knowing.core.parent[0] == knowing.core.element
    few = page.knowing(np.zeros(5, dtype=np.float32))
    assert few.core is page.core
    assert np.array_equal(few.features, page.features)
