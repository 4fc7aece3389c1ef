"""BTE and simple maximum subsequence segmentation on the worked example that both have."""

import numpy as np
import pytest

from extraction.documents.document import Document
from extraction.extractors import extract, get
from extraction.extractors.maximum_sum import maximum_sum
from extraction.extractors.tag_stream import best_nodes, tag_stream
from extraction.parsing.parse import parse

BODY = (
    '<div><a href="/">Home</a> <a href="/n">News</a></div><h1>Bridge opens</h1>'
    "<p>The bridge will open in spring.</p><p>It was <b>very</b> late.</p>"
    '<div><a href="/m">More</a></div>'
)


def document(body: str) -> Document:
    return parse(f"<html><head><title>not in the stream</title></head><body>{body}</body></html>".encode())


def tokens(body: str) -> list[int]:
    """The stream token by token: 0 for a tag, 1 for a word; the tags after the last word are left out."""
    stream = tag_stream(document(body))
    runs = zip(stream.tags, stream.words, strict=True)
    return [token for tags, words in runs for token in (*[0] * tags, *[1] * words)]


def pieces(body: str, name: str, **parameters: float) -> list[str]:
    page = document(body)
    return [page.text[span.start : span.end] for span in extract(page, name, **parameters)]


def test_example_has_the_tokens_of_the_description() -> None:
    words = {2, 5, 9, 10, *range(13, 19), 21, 22, 24, 26, 30}
    assert tokens(BODY) == [int(index in words) for index in range(31)]


@pytest.mark.parametrize(("cost", "first", "last"), [(1, 9, 18), (3.25, 13, 18)])
def test_example_segments_are_those_of_the_description(cost: float, first: int, last: int) -> None:
    segment = maximum_sum(np.where(np.array(tokens(BODY)) == 1, 1, -cost))
    assert segment is not None
    assert (segment.start, segment.end - 1, segment.total) == (first, last, 6)


def test_best_nodes_are_those_of_the_token_segment() -> None:
    stream = tag_stream(document(BODY))
    texts = document(BODY).structure.node_texts
    assert [texts[node] for node in best_nodes(stream, tag_cost=1)] == [
        "Bridge opens",
        "The bridge will open in spring.",
    ]


def test_bte_loses_the_sentence_behind_more_tags() -> None:
    assert pieces(BODY, "bte") == ["Bridge opens", "The bridge will open in spring."]


def test_mss_finds_the_heading_too_dear() -> None:
    assert pieces(BODY, "mss") == ["The bridge will open in spring."]


def test_mss_with_the_cost_of_bte_is_bte() -> None:
    assert pieces(BODY, "mss", tag_cost=1.0) == pieces(BODY, "bte")


def test_empty_elements_are_one_tag() -> None:
    assert tokens("a<br>b<img>c<hr>d<wbr>e") == [1, 0, 1, 0, 1, 0, 1, 0, 1]


def test_tags_that_a_browser_adds_count() -> None:
    assert tokens("<table><tr><td>a</table>b") == [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def test_scripts_are_two_tags_and_comments_none() -> None:
    assert tokens("a<script>if (1) no words</script>b<!-- nor here -->c") == [1, 0, 0, 1]


def test_words_are_divided_by_whitespace_only() -> None:
    assert tokens("don't, U.S.\u00a0a>b — |") == [1] * 5


def test_a_page_without_words_gives_nothing() -> None:
    assert (pieces("<p><img></p>", "bte"), pieces("<p> </p>", "mss")) == ([], [])


def test_a_frameset_gives_nothing() -> None:
    page = parse(b"<html><head></head><frameset><frame src=a><noframes>some words here</noframes></frameset>")
    assert (extract(page, "bte"), extract(page, "mss")) == ([], [])


def test_one_region_swallows_what_stands_in_it() -> None:
    body = f"<p>{'word ' * 30}</p><div><a>an</a> <a>ad</a></div><p>{'text ' * 30}</p>"
    assert [piece[:4] for piece in pieces(body, "bte")] == ["word", "an a", "text"]


def test_bte_and_mss_see_alike() -> None:
    assert get("bte").family == get("mss").family
