"""Alignment of plain text: what is placed, where, and what is admitted to be missing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.align import Alignment, align
from extraction.chaining import Run
from extraction.document import Document
from extraction.matching import Searchable, match
from extraction.parse import parse
from extraction.spans import check
from tests.extraction.corpora import gold_texts

FIRST = "The council said on Monday that the bridge would open again in the spring."
SECOND = "It said the work had cost more than it had been told when the plan was made."
THIRD = "People who live near it have been asked to use the other road until then."


def page(*paragraphs: str) -> Document:
    return parse("".join(f"<p>{text}</p>" for text in paragraphs).encode())


def placed(alignment: Alignment, document: Document) -> list[str]:
    return [document.text[span.start : span.end] for span in alignment.spans]


def test_align_finds_paragraphs_around_an_advertisement() -> None:
    document = page("Menu", FIRST, "Buy now!", SECOND, "More news")
    result = align(f"{FIRST}\n{SECOND}", document, label="body")
    assert placed(result, document) == [FIRST, SECOND]
    assert {span.label for span in result.spans} == {"body"}
    assert result.share_placed == 1.0
    assert result.missing == []
    check(result.spans, document)


def test_align_counts_non_whitespace_characters() -> None:
    document = page(FIRST)
    result = align(f"{FIRST}\n\nNot on the page at all, this one.", document)
    assert result.placed == len("".join(FIRST.split()))
    assert result.total == result.placed + len("Notonthepageatall,thisone.")
    assert result.missing == ["Not on the page at all, this one."]


def test_align_ignores_blanks_case_and_shapes_of_quotes() -> None:
    document = page("He said “no” — it’s late.", "Second&nbsp;paragraph")
    result = align('HE SAID "no" - it\'s   late.Second\tparagraph', document)
    assert result.share_placed == 1.0
    assert len(result.spans) == 2


@pytest.mark.parametrize("teaser_first", [True, False])
def test_align_puts_repeated_text_where_it_is_contiguous(teaser_first: bool) -> None:
    article = [FIRST, SECOND, THIRD]
    others = ["Another story altogether.", SECOND, "And a third one."]
    document = page(*(others + article if teaser_first else article + others))
    result = align("\n".join(article), document)
    start = document.text.index(FIRST)
    assert (result.spans[0].start, result.spans[-1].end) == (start, document.text.index(THIRD) + len(THIRD))
    assert placed(result, document) == article


def test_align_takes_the_first_of_two_whole_copies() -> None:
    document = page(FIRST, SECOND, "between", FIRST, SECOND)
    assert placed(align(f"{FIRST} {SECOND}", document), document) == [FIRST, SECOND]
    assert align(f"{FIRST} {SECOND}", document).spans[0].start == 0


def test_align_finds_a_last_paragraph_that_also_stands_first() -> None:
    document = page(THIRD, "Most read", FIRST, SECOND, THIRD)
    assert placed(align("\n".join([FIRST, SECOND, THIRD]), document), document) == [FIRST, SECOND, THIRD]
    assert align("\n".join([FIRST, SECOND, THIRD]), document).spans[0].start == document.text.index(FIRST)


def test_align_places_a_short_heading_between_paragraphs() -> None:
    document = page("Why", "menu", FIRST, "Why", SECOND)
    result = align(f"{FIRST}\nWhy\n{SECOND}", document)
    assert placed(result, document) == [FIRST, "Why", SECOND]


def test_align_does_not_scatter_words() -> None:
    noise = page(*(f"Some of the other words that people said on page {n}." for n in range(40)))
    result = align("The weather was unkind to those who had hoped for a picnic in the park.", noise)
    assert result.spans == []
    assert result.placed == 0


def test_align_drops_a_far_word_but_keeps_the_article() -> None:
    filler = [f"Entry number {n} in a long list of links" for n in range(30)]
    document = page("Sports", *filler, FIRST, SECOND)
    result = align(f"Sports\n{FIRST}\n{SECOND}", document)
    assert placed(result, document) == [FIRST, SECOND]
    assert result.missing == ["Sports"]


def test_align_bridges_small_differences_inside_a_block() -> None:
    document = page(FIRST.replace("Monday", "Monday [1]"))
    result = align(FIRST, document)
    assert placed(result, document) == [document.text]
    assert result.share_placed == 1.0


def test_align_ends_at_words() -> None:
    document = page(f"{FIRST} Although much was said, nothing was decided.")
    result = align(f"{FIRST} Alternatives are being looked at by others in that place.", document)
    assert placed(result, document) == [FIRST]


def test_align_keeps_a_very_short_text() -> None:
    document = page("Menu", "Closed", "Contact")
    assert placed(align("Closed", document), document) == ["Closed"]


def test_align_of_nothing() -> None:
    result = align("  \n", page(FIRST))
    assert (result.spans, result.placed, result.total, result.share_placed) == ([], 0, 0, 1.0)
    assert align(FIRST, page("<img>")).share_placed == 0.0


def test_align_of_one_repeated_character_is_quick() -> None:
    document = page("a" * 20_000)
    started = time.process_time()
    align("a" * 20_000, document)
    assert time.process_time() - started < 5


def test_align_handles_text_that_repeats_itself() -> None:
    lines = [f"Row {n} of the table of results" for n in range(200)]
    document = page("Head", *lines, "Foot")
    assert placed(align("\n".join(lines), document), document) == lines


ALPHABET = st.text(alphabet="abc dé😀\u0301", max_size=60)


@given(st.lists(st.text(alphabet="abc dé😀\u0301", max_size=28), min_size=1, max_size=2))
def test_a_documents_own_text_is_placed_whole(paragraphs: list[str]) -> None:
    document = page(*paragraphs)
    result = align(document.text, document)
    check(result.spans, document)
    assert result.share_placed == 1.0


@given(ALPHABET, ALPHABET)
def test_match_gives_equal_runs_in_order(first: str, second: str) -> None:
    at_a = at_b = 0
    for run in match(Searchable.of(first), Searchable.of(second)):
        assert first[run.a : run.a + run.length] == second[run.b : run.b + run.length]
        assert run.length > 0
        assert run.a >= at_a
        assert run.b >= at_b
        at_a, at_b = run.a + run.length, run.b + run.length


@given(st.text(min_size=1, max_size=80))
def test_match_of_a_text_with_itself_is_one_run(text: str) -> None:
    if len(set(text)) > len(text) // 2:
        assert match(Searchable.of(text), Searchable.of(text)) == [Run(0, 0, len(text))]


@pytest.mark.parametrize("corpus", sorted(gold_texts()))
def test_published_gold_is_placed_almost_whole(corpus: str) -> None:
    results = [align(text, parse(raw)) for raw, text in gold_texts()[corpus]]
    shares = sorted(result.share_placed for result in results)
    assert shares[len(shares) // 2] >= 0.99
    assert shares[len(shares) // 20] >= 0.95
