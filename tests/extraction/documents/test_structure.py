"""The tree as parallel lists."""

from hypothesis import given

from extraction.documents.structure import Structure
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from tests.extraction.soup import soup

PAGE = b"<title>t</title><div id=a>one<p>two <b>three</b></p>four</div><footer>five</footer>"


def test_ranges_bound_what_lies_below_an_element() -> None:
    tree = parse(PAGE).structure
    div = next(e for e, attributes in enumerate(tree.attributes) if attributes.get("id") == "a")
    assert [tree.tags[e] for e in range(div + 1, tree.ends[div])] == ["p", "b"]
    below = range(tree.first_nodes[div], tree.end_nodes[div])
    assert [tree.node_texts[n] for n in below] == ["one", "two ", "three", "four"]


def test_ranges_agree_with_parents() -> None:
    tree = parse(PAGE).structure
    for element in range(len(tree.tags)):
        inside = [e for e in range(len(tree.tags)) if _is_below(tree, e, element)]
        assert inside == list(range(element + 1, tree.ends[element]))
        nodes = [n for n, e in enumerate(tree.node_parents) if e == element or _is_below(tree, e, element)]
        assert nodes == list(range(tree.first_nodes[element], tree.end_nodes[element]))


def _is_below(tree: Structure, element: int, ancestor: int) -> bool:
    while element >= 0:
        element = tree.parents[element]
        if element == ancestor:
            return True
    return False


def test_events_tell_the_tree_in_order() -> None:
    assert parse(b"<p>one<br>two").structure.events() == [
        *(["html", {}], ["head", {}], None, ["body", {}], ["p", {}]),
        *("one", ["br", {}], None, "two", None, None, None),
    ]


@given(soup)
def test_a_tree_is_the_same_after_its_events(markup: str) -> None:
    try:
        tree = parse(markup.encode()).structure
    except ParseError:
        return
    assert Structure.of(tree.events()) == tree
