"""Names, versions and parameters of extractors."""

from pathlib import Path

import pytest

from extraction.documents.document import Document
from extraction.extractors import (
    REGISTRY,
    BlockReason,
    Evidence,
    ExtractorError,
    explain,
    extract,
    extractor,
    get,
    own_names,
    parse_with,
)
from extraction.parsing.parse import parse
from extraction.spans import CONTENT, Span, check, subtract
from tests.golden import PAGES

PAGE = b"<h1>Bridge opens</h1><p>One paragraph.</p><p> <img> </p><ul><li>a<li>b</ul>"


def test_boilerpipe_and_tree_filter_are_one_family() -> None:
    names = ("tree-filter", "boilerpipe-article", "boilerpipe-default")
    assert {get(name).family for name in names} == {"boilerpipe"}
    assert get("everything").family == "everything"


def test_everything_is_never_shown_to_annotators() -> None:
    hidden = {name for name, spec in REGISTRY.items() if not spec.can_be_arm}
    assert hidden == {"everything", "boilerpipe-everything"}


def test_everything_marks_each_block() -> None:
    page = parse(PAGE)
    spans = extract(page, "everything")
    assert spans == [Span(*block, CONTENT) for block in page.blocks]


def test_parse_with_reads_and_types_parameters() -> None:
    assert parse_with("tree-filter:depth=3,base=boilerpipe-default") == (
        "tree-filter",
        {"depth": 3, "base": "boilerpipe-default"},
    )
    assert parse_with("everything") == ("everything", {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tree-filters", "no extractor"),
        ("tree-filter:deep=3", "no parameter 'deep'; it has: depth, base"),
        ("tree-filter:depth", "key=value"),
        ("tree-filter:depth=two", "must be int"),
        ("tree-filter:depth=0", "depth cannot be 0"),
        ("tree-filter:base=everything", "base cannot be 'everything'"),
        ("everything:depth=2", "it has: none"),
    ],
)
def test_parse_with_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ExtractorError, match=message):
        parse_with(text)


def test_extract_refuses_a_value_of_another_type() -> None:
    with pytest.raises(ExtractorError, match="depth must be int"):
        extract(parse(PAGE), "tree-filter", depth=2.5)


def test_extractor_registers_a_function_with_its_defaults() -> None:
    @extractor("nothing-for-tests", version=7, tuned_on=frozenset({"ab"}))
    def nothing(document: Document, *, patience: float = 1.5) -> list[Span]:
        return []

    spec = REGISTRY.pop("nothing-for-tests")
    assert (spec.version, spec.family, spec.parameters) == ("7", "nothing-for-tests", {"patience": 1.5})
    assert spec.tuned_on == {"ab"}
    assert spec.with_defaults({"patience": "2"}) == {"patience": 2.0}


def test_an_extractor_may_tell_reasons() -> None:
    def explain_first(document: Document, *, label: str = "body") -> list[BlockReason]:
        return [
            BlockReason(*document.blocks[0], label, 0.5, (Evidence("first", {"of": len(document.blocks)}),))
        ]

    @extractor("first-for-tests", version=1, explain=explain_first)
    def first(document: Document, *, label: str = "body") -> list[Span]:
        return [Span(*document.blocks[0], label)]

    page = parse(PAGE)
    try:
        assert get("first-for-tests").explain is explain_first
        (reason,) = explain(page, "first-for-tests", label="headline")
        with pytest.raises(ExtractorError, match="no parameter 'labels'"):
            explain(page, "first-for-tests", labels="headline")
    finally:
        del REGISTRY["first-for-tests"]
    assert (reason.label, [str(item) for item in reason.evidence]) == ("headline", ["first of=4"])
    assert extract(page, "everything")[0][:2] == reason[:2]


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ExtractorError, match="already an extractor called 'everything'"):

        @extractor("everything", version=2)
        def other(document: Document) -> list[Span]:
            return []

    assert get("everything").version == "1"


def test_get_lists_the_known_names() -> None:
    with pytest.raises(ExtractorError, match="tree-filter"):
        get("nobody")


@pytest.mark.parametrize("folder", PAGES, ids=lambda folder: folder.name)
def test_every_extractor_copes_with_awkward_pages(folder: Path) -> None:
    document = parse((folder / "source.html").read_bytes())
    whole = extract(document, "everything")
    for name in own_names():
        spans = extract(document, name)
        check(spans, document)
        assert subtract(spans, whole) == []
