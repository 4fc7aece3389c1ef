"""The cause of an error: decided by what stands around a block, by gold's label, or by the whole page."""

import pytest

from extraction import parse
from extraction.documents.document import Document
from extraction.evaluation.causes import (
    BlockContext,
    ErrorCause,
    ErrorKind,
    block_causes,
    by_cause,
    cause_of,
    page_errors,
)
from extraction.spans import LABEL_SETS, Span

PROSE = "<p>" + "The ferry left the harbour late because of the fog that morning. " * 4 + "</p>"

# One example or more for each cause: what stands beside the prose of an article.
EXAMPLES = [
    (ErrorCause.COMMENT, '<div class="comments"><p>Finally some words about the ferry.</p></div>'),
    (ErrorCause.COMMENT, '<section id="disqus_thread"><ul><li>First!</li></ul></section>'),
    (ErrorCause.RELATED, '<div class="related-stories"><h3>Fog again</h3></div>'),
    (ErrorCause.RELATED, '<p><a href="/fog">Fog closes the airport for another day</a></p>'),
    (ErrorCause.NAVIGATION, "<nav><ul><li>Front page</li></ul></nav>"),
    (ErrorCause.NAVIGATION, '<div class="newsletter-signup"><p>Sign up for our alerts</p></div>'),
    (ErrorCause.CAPTION, "<figure><img src=a.png><figcaption>The harbour on Monday</figcaption></figure>"),
    (ErrorCause.CAPTION, '<p class="photo-credit">Picture: county fire service</p>'),
    (ErrorCause.BYLINE, '<p class="byline">By <a href="/ruth">Ruth Castellan</a></p>'),
    (ErrorCause.BYLINE, "<div><time>14 November, 10.45</time></div>"),
    (ErrorCause.TABLE, "<table><tr><td>Departure</td><td>10.45</td></tr></table>"),
    (ErrorCause.LIST, "<ul><li>Bring something dry to sleep in</li></ul>"),
    (ErrorCause.HEADING, "<h2>What we know</h2>"),
    (ErrorCause.TEXT, "<p>The company is sorry.</p>"),
    # A date inside a paragraph makes no byline of it, nor does a link make it a related one.
    (ErrorCause.TEXT, "<p>The company said on <time>Monday</time> that <a href=/x>it</a> was sorry.</p>"),
    # What a page calls the details of an article may be a paragraph.
    (ErrorCause.TEXT, f'<div class="meta">{PROSE}</div>'),
]


def document_of(extra: str, before: str = "") -> Document:
    main = f"<main class='related'>{before}{PROSE * 4}{extra}</main>"
    return parse(f"<html><body class='comments-enabled'>{main}</body></html>".encode())


@pytest.mark.parametrize(("cause", "extra"), EXAMPLES)
def test_a_block_has_the_cause_of_what_stands_around_it(cause: ErrorCause, extra: str) -> None:
    document = document_of(extra)
    causes = block_causes(document)
    # The article's own element is no aside, whatever it is called.
    assert set(causes[:4]) == {ErrorCause.TEXT}
    assert causes[4:]
    assert set(causes[4:]) == {cause}


def test_the_first_cause_that_fits_is_the_one() -> None:
    around = frozenset({ErrorCause.LIST, ErrorCause.CAPTION, ErrorCause.COMMENT})
    assert cause_of(BlockContext(around, words=5, linked=0.0)) == ErrorCause.COMMENT
    assert cause_of(BlockContext(around - {ErrorCause.COMMENT}, words=5, linked=0.9)) == ErrorCause.CAPTION
    assert cause_of(BlockContext(frozenset({ErrorCause.LIST}), words=5, linked=0.9)) == ErrorCause.RELATED


def test_errors_are_missed_and_wrong_text_block_by_block() -> None:
    document = document_of("<ul><li>A late item</li></ul><div class=comments><p>Not yours</p></div>")
    *prose, item, comment = document.blocks
    gold = [Span(*block, "body") for block in (*prose, item)]
    predicted = [Span(*block, "content") for block in (*prose[1:], comment)]
    errors = page_errors(document, block_causes(document), gold, predicted, LABEL_SETS["main"])
    assert [(each.kind, each.cause, each.start, each.end) for each in errors] == [
        (ErrorKind.MISSED, ErrorCause.TEXT, *prose[0]),
        (ErrorKind.MISSED, ErrorCause.LIST, *item),
        (ErrorKind.WRONG, ErrorCause.COMMENT, *comment),
    ]
    assert [each.size for each in errors[1:]] == [len("Alateitem"), len("Notyours")]
    assert by_cause(errors)[ErrorKind.WRONG, ErrorCause.COMMENT] == len("Notyours")


def test_the_label_of_gold_decides_before_the_elements() -> None:
    document = document_of("<ul><li>First!</li></ul>", before="<p>Ferry late</p>")
    title, *prose, comment = document.blocks
    gold = [Span(*title, "headline"), *(Span(*each, "body") for each in prose), Span(*comment, "comments")]
    predicted = [Span(*each, "content") for each in (*prose, comment)]
    errors = page_errors(document, block_causes(document), gold, predicted, LABEL_SETS["main"])
    assert [(each.kind, each.cause) for each in errors] == [
        (ErrorKind.MISSED, ErrorCause.HEADING),
        (ErrorKind.WRONG, ErrorCause.COMMENT),
    ]


@pytest.mark.parametrize("predicted", [[], ["last"]])
def test_nothing_found_is_an_error_of_the_whole_page(predicted: list[str]) -> None:
    document = document_of("<ul><li>A late item</li></ul>")
    *prose, item = document.blocks
    gold = [Span(*block, "body") for block in prose]
    taken = [Span(*item, "content")] if predicted else []
    errors = page_errors(document, block_causes(document), gold, taken, LABEL_SETS["main"])
    assert {each.cause for each in errors} == {ErrorCause.PAGE}
    assert len(errors) == len(prose) + len(taken)


def test_an_error_in_a_block_has_no_white_space_at_its_ends() -> None:
    document = document_of("")
    first = document.blocks[0]
    cut = document.text.index(" ", first.start + 20)
    gold = [Span(*block, "body") for block in document.blocks]
    predicted = [Span(first.start, cut, "body"), *gold[1:]]
    (error,) = page_errors(document, block_causes(document), gold, predicted, LABEL_SETS["body"])
    assert (error.start, error.end) == (cut + 1, first.end)
