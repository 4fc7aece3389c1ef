"""Gold projected to another document of its page: no wrong label, and nothing lost uncounted."""

from collections.abc import Iterator
from random import Random

import pytest

from extraction.alignment import ProjectedSpan, project_each
from extraction.documents.document import Document
from extraction.documents.tags import BLOCK, DROPPED, INLINE, KINDS
from extraction.parsing.parse import parse
from extraction.spans import Span, clip
from tests.extraction.corpora import gold_texts

ELEMENTS = [
    "a",
    "aside",
    "b",
    "button",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h2",
    "li",
    "nav",
    "small",
    "span",
]
ROUND = "People who live near it have been asked to use the other road until then."


def page(*paragraphs: str) -> Document:
    return parse("".join(f"<p>{text}</p>" for text in paragraphs).encode())


def marked(document: Document, *quotes: str) -> list[Span]:
    starts = [document.text.index(quote) for quote in quotes]
    return [Span(start, start + len(quote), "body") for start, quote in zip(starts, quotes, strict=True)]


def texts_of(projected: list[ProjectedSpan], after: Document) -> list[list[str]]:
    return [[after.text[piece.start : piece.end] for piece in each.pieces] for each in projected]


@pytest.mark.parametrize(
    ("before", "after", "quote", "pieces", "lost"),
    [
        pytest.param([ROUND], ["Menu", ROUND], ROUND, [ROUND], 0, id="moved on"),
        pytest.param(
            ["Menu", ROUND, "End"], ["End", ROUND, "Menu"], "Menu", ["Menu"], 0, id="changed places"
        ),
        pytest.param([f"{ROUND} (Ad)"], [ROUND], f"{ROUND} (Ad)", [ROUND], 4, id="shortened"),
        pytest.param([ROUND], [ROUND.replace("road", "old road")], ROUND, None, 0, id="a word put in"),
        pytest.param(
            [ROUND], [ROUND.replace("road", "x" * 9 + "road")], ROUND, 2, 0, id="a long word put in"
        ),
        pytest.param(["Ann Lee", ROUND], [ROUND, "Advertisement"], "Ann Lee", [], 6, id="gone"),
        pytest.param(
            [f"{ROUND} The Mill", "The next day it rained, said Ann"],
            [ROUND, "The next day it rained, said Ben"],
            f"{ROUND} The Mill",
            [ROUND],
            7,
            id="gone, and the next paragraph begins alike",
        ),
    ],
)
def test_what_becomes_of_a_span(
    before: list[str], after: list[str], quote: str, pieces: list[str] | int | None, lost: int
) -> None:
    old, new = page(*before), page(*after)
    (projected,) = project_each(old, marked(old, quote), new)
    expected = after if pieces is None else pieces
    got = texts_of([projected], new)[0]
    assert (len(got) if isinstance(expected, int) else got, projected.lost) == (expected, lost)


@pytest.mark.parametrize("trials", [40, pytest.param(500, marks=pytest.mark.long)])
def test_random_reparses(trials: int) -> None:
    """Other rules leave the tree as it is, so that its text nodes say where each character went."""
    corpus = [raw for pages in gold_texts().values() for raw, _text in pages]
    for seed in range(trials):
        dice = Random(seed)
        raw = dice.choice(corpus)
        before, after = parse(raw), reparsed(raw, dice)
        spans = random_spans(before, dice)
        projected = project_each(before, spans, after)
        truth = dict(moves(before, after))
        wanted = {truth[at]: span.label for span in spans for at in range(*span[:2]) if at in truth}
        found = {
            at: piece.label for each in projected for piece in each.pieces for at in visible(after, piece)
        }
        equal = {at for each in projected for at in in_equal_block(each, before, after)}
        wrong = {at for at, label in found.items() if wanted.get(at) != label} - equal
        assert len(wrong) <= 1, f"wrong labels with seed {seed}"
        for span, each in zip(spans, projected, strict=True):
            assert each.projected + each.lost == len(visible(before, span))
            assert each.lost == sum(len(visible(before, Span(*stretch, ""))) for stretch in each.missing)
        # Small insertions are taken in.
        assert 0 <= len(found) - sum(each.projected for each in projected) <= 20
        assert len(wanted) - len(found) <= 20, f"too much is lost with seed {seed}"


@pytest.mark.parametrize("seed", range(8))
def test_the_same_text_has_the_same_gold(seed: int) -> None:
    dice = Random(seed)
    document = parse(dice.choice(gold_texts()["own"])[0])
    spans = random_spans(document, dice)
    projected = project_each(document, spans, document)
    assert [each.pieces for each in projected] == [[span] for span in spans]
    assert not any(each.lost for each in projected)


def reparsed(raw: bytes, dice: Random) -> Document:
    """The page under other rules: some elements are left out, or made blocks, or no blocks."""
    with pytest.MonkeyPatch.context() as patch:
        for tag in dice.sample(ELEMENTS, 3):
            patch.setitem(KINDS, tag, dice.choice([DROPPED, DROPPED, INLINE, BLOCK]))
        return parse(raw)


def random_spans(document: Document, dice: Random) -> list[Span]:
    """Some of the blocks from one to another, whole or from a word on."""
    blocks = dice.sample(document.blocks, min(len(document.blocks), dice.randint(1, 30)))
    spans = []
    for start, end in sorted(blocks):
        cut = document.text.find(" ", start, end) + 1 if dice.random() < 0.3 else 0
        spans.append(Span(cut or start, end, dice.choice(["body", "headline"])))
    return clip(spans, document.blocks, document.text)


def moves(before: Document, after: Document) -> Iterator[tuple[int, int]]:
    for old, new in zip(before.nodes, after.nodes, strict=True):
        if min(*old, *new) >= 0:
            yield from zip(visible(before, Span(*old, "")), visible(after, Span(*new, "")), strict=True)


def in_equal_block(projected: ProjectedSpan, before: Document, after: Document) -> list[int]:
    """Where the span was a whole block and became one: which of several equal ones, no text can say."""
    span, pieces = projected.span, projected.pieces
    is_whole = len(pieces) == 1 and span[:2] in before.blocks and pieces[0][:2] in after.blocks
    return visible(after, pieces[0]) if is_whole else []


def visible(document: Document, span: Span) -> list[int]:
    return [at for at in range(span.start, span.end) if not document.text[at].isspace()]
