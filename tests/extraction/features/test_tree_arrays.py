"""The tree as arrays: counts of text nodes and questions about elements."""

from extraction.features.tree_arrays import TreeArrays, tree_arrays
from extraction.parsing.parse import parse

PAGE = b"<html><head><title>t</title></head><body><p> one  two\n</p> \n<a>three<b>four</b></a></body></html>"


def arrays(html: bytes = PAGE) -> TreeArrays:
    return tree_arrays(parse(html))


def test_text_nodes_are_measured_with_blanks_collapsed() -> None:
    found = arrays()
    assert found.words.tolist() == [1, 2, 0, 1, 1]
    assert found.lengths.tolist() == [1, len("one two"), 0, len("three"), len("four")]
    assert found.leads.tolist() == [False, True, True, False, False]
    assert found.trails.tolist() == [False, True, True, False, False]


def test_having_finds_elements_by_their_tags() -> None:
    found = arrays()
    tags = parse(PAGE).structure.tags
    assert [tag for tag, there in zip(tags, found.having(frozenset("ab")), strict=True) if there] == [
        "a",
        "b",
    ]
    assert not found.having(frozenset({"table"})).any()


def test_within_are_the_roots_and_what_is_below() -> None:
    found = arrays(b"<div><p>x</p></div><div><i><p>y</p></i></div><u>z</u>")
    inside = found.within(found.having(frozenset({"div"})))
    tags = parse(b"<div><p>x</p></div><div><i><p>y</p></i></div><u>z</u>").structure.tags
    assert [tag for tag, there in zip(tags, inside, strict=True) if there] == ["div", "p", "div", "i", "p"]


def test_starts_and_ends_are_counted_before_each_text_node() -> None:
    found = arrays()
    inline = found.having(frozenset("ab"))
    assert found.starts_before(inline).tolist() == [0, 0, 0, 1, 1, 0]
    assert found.ends_before(inline).tolist() == [0, 0, 0, 0, 0, 2]


def test_a_frameset_has_no_body() -> None:
    assert arrays(b"<frameset><frame></frameset>").body is None
    assert arrays(b"x").body == 2


def test_a_document_makes_its_arrays_once() -> None:
    document = parse(PAGE)
    assert tree_arrays(document) is tree_arrays(document)
