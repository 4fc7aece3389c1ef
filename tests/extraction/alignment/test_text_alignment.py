"""Alignment of plain text: what is placed, where, and what is admitted to be missing."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.alignment import Alignment, align, project
from extraction.alignment.matching import Searchable, match
from extraction.documents.document import Document
from extraction.parsing.parse import parse
from extraction.spans import Span, check, text_of
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
    result = align(f"{FIRST} Alternatives are being looked at by others in that position.", document)
    assert placed(result, document) == [FIRST]


def test_align_keeps_a_very_short_text() -> None:
    document = page("Menu", "Closed", "Contact")
    assert placed(align("Closed", document), document) == ["Closed"]


def test_align_of_nothing() -> None:
    result = align("  \n", page(FIRST))
    assert (result.spans, result.placed, result.total, result.share_placed) == ([], 0, 0, 1.0)
    assert align(FIRST, page("<img>")).share_placed == 0.0


@pytest.mark.parametrize("unit", ["a", "ab", "to be or not "])
def test_align_of_a_text_that_only_repeats_is_quick(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    document = page("Menu", text.strip())
    started = time.process_time()
    assert align(text, document).share_placed == 1.0
    assert align(f"{text}!", document).share_placed < 1.0
    assert time.process_time() - started < 5


def test_align_handles_text_that_repeats_itself() -> None:
    lines = [f"Row {n} of the table of results" for n in range(200)]
    document = page("Head", *lines, "Foot")
    assert placed(align("\n".join(lines), document), document) == lines


def test_align_finds_blocks_that_changed_places() -> None:
    document = page(THIRD, "Read also the other news of today", FIRST, SECOND)
    result = align("\n".join([FIRST, THIRD, SECOND]), document)
    assert placed(result, document) == [THIRD, FIRST, SECOND]
    assert result.share_placed == 1.0


def test_align_counts_what_the_text_says_twice_as_placed() -> None:
    document = page("Menu", FIRST, SECOND)
    result = align("\n".join([FIRST, SECOND, FIRST]), document)
    assert placed(result, document) == [FIRST, SECOND]
    assert (result.share_placed, result.missing) == (1.0, [])


@pytest.mark.parametrize(
    ("in_page", "in_text"),
    [
        ("The e\ufb03cient o\ufb03ce was \ufb01nally opened", "The efficient office was finally opened"),
        ("The ex\xadtra\xador\xaddi\xadnary meet\xading", "The extraordinary meeting"),
        ("Cafe\u0301 society in Sa\u0303o Paulo", "Café society in São Paulo"),
        ("It was\u200b so\u2060 very late\u2026 then", "It was so very late... then"),
        ("\uff34he wide letters of the east", "The wide letters of the east"),
        ("Die große Straße der Stadt", "DIE GROSSE STRASSE DER STADT"),
        ("Eine Zahl: 10\xa0000 und ½ dazu", "Eine Zahl: 10 000 und 1⁄2 dazu"),
        ("«Он сказал» — и ушёл потом", '"Он сказал" - и ушел потом'),
    ],
)
def test_align_ignores_the_shapes_of_characters(in_page: str, in_text: str) -> None:
    for first, second in ((in_page, in_text), (in_text, in_page)):
        document = page("Menu", first, "Contact")
        result = align(second, document)
        assert placed(result, document) == [first]
        assert result.share_placed == 1.0


def test_align_does_not_count_what_printing_a_list_adds() -> None:
    items = ["Bring a coat for the wind", "Take the old road by the school", "Come"]
    document = parse(f"<p>{FIRST}</p><ol><li>{'<li>'.join(items)}</ol><p>{SECOND}</p>".encode())
    numbered = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    for listed in (numbered, numbered.replace("1.", "*").replace("2.", "*").replace("3.", "(c)")):
        result = align(f"{FIRST}\n{listed}\n______\n{SECOND}", document)
        assert placed(result, document) == [FIRST, *items, SECOND]
        assert (result.share_placed, result.missing) == (1.0, [])


def test_align_counts_a_number_that_is_not_a_lists() -> None:
    result = align(f"{FIRST} It closes at 9.", page(FIRST, "Menu"))
    assert result.missing == ["It closes at 9."]


def test_align_finds_the_cells_of_a_table() -> None:
    rows = [["30%", "48%", "3.6"], ["31%", "38%", "3.7"], ["5", "14%", "729"]]
    cells = "".join(f"<tr><td>{'<td>'.join(row)}" for row in rows)
    document = parse(f"<p>{FIRST}</p><table>{cells}</table><p>{SECOND}</p>".encode())
    printed = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    result = align(f"{FIRST}\n{printed}\n{SECOND}", document)
    assert placed(result, document) == [FIRST, *(cell for row in rows for cell in row), SECOND]


def test_align_keeps_the_bars_and_accents_at_the_edges() -> None:
    document = page("Menu", "|The bridge that they built|", "Zum Sommer im Cafe\u0301")
    result = align("|The bridge that they built|\nZum Sommer im Café", document)
    assert placed(result, document) == ["|The bridge that they built|", "Zum Sommer im Cafe\u0301"]


def test_align_does_not_take_the_first_word_of_an_advertisement() -> None:
    article = [FIRST, "The old one was said to be safe, but nobody believed them."]
    document = page(article[0], "The best offers of the week are here!", article[1])
    assert placed(align("\n".join(article), document), document) == article


def labelled(alignment: Alignment, document: Document) -> list[tuple[str, str]]:
    return [(document.text[start:end], label) for start, end, label in alignment.spans]


def test_projection_keeps_labels_though_the_page_changed() -> None:
    before = page("Menu", FIRST, SECOND, THIRD)
    first, second, third = before.blocks[1:]
    cut = second.start + SECOND.index("when")
    spans = [Span(*first, "headline"), Span(second.start, cut - 1, "body"), Span(cut, second.end, "comments")]
    spans.append(Span(*third, "body"))
    after = page("Home", "Menu", FIRST, "Buy now!", SECOND, "and more", THIRD.replace("buses", "trams"))
    for document in (before, after):
        projected = project(before.text, spans, document)
        check(projected.spans, document)
        assert labelled(projected, document) == [
            (FIRST, "headline"),
            (SECOND[: SECOND.index(" when")], "body"),
            (SECOND[SECOND.index("when") :], "comments"),
            (THIRD, "body"),
        ]
        assert projected.share_placed == 1.0


def test_projection_counts_only_what_is_marked() -> None:
    projected = project(f"{FIRST} {SECOND}", [Span(0, len(FIRST), "body")], page(SECOND, "Menu"))
    assert (projected.spans, projected.placed, projected.missing) == ([], 0, [FIRST])
    assert projected.total == len("".join(FIRST.split()))


SCRIPTS = ("abcdefghijklmnopqrstuvwxyzáéñüßçł", "абвгдежзийклмнопрстуфхцшщыэюя", "ابتثجحخدذرزسشصضطظعغ")


@st.composite
def marked_pages(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int]]]:
    """Paragraphs that do not repeat themselves, and of each which words are marked: none, or five or more.

    Words are longer than a break that is taken in."""
    # Words as unlike one another as a language's; drawn letter by letter they would all become "aaaaa".
    random = Random(draw(st.integers(0, 10**6)))
    letters = draw(st.sampled_from(SCRIPTS))
    paragraphs, marks = [], []
    for _ in range(draw(st.integers(1, 6))):
        count = draw(st.integers(8, 20))
        words = ["".join(random.choices(letters, k=random.randint(5, 9))) for _ in range(count)]
        start = draw(st.integers(0, count - 5))
        end = draw(st.integers(start + 5, count))
        paragraphs.append(" ".join(words))
        marks.append(draw(st.sampled_from([(0, 0), (0, count), (start, end)])))
    return paragraphs, marks


def spans_of(document: Document, paragraphs: list[str], marks: list[tuple[int, int]]) -> list[Span]:
    found = []
    for paragraph, (first, last) in zip(paragraphs, marks, strict=True):
        words = paragraph.split(" ")
        start = document.text.index(paragraph) + len("".join(f"{word} " for word in words[:first]))
        if first < last:
            found.append(Span(start, start + len(" ".join(words[first:last])), "content"))
    return found


@given(marked_pages())
def test_the_text_of_spans_aligned_back_gives_the_spans(
    marked: tuple[list[str], list[tuple[int, int]]],
) -> None:
    document = page(*marked[0])
    spans = spans_of(document, *marked)
    assert align(text_of(document, spans), document).spans == spans


@given(
    marked_pages(),
    st.lists(st.sampled_from(["Menu", FIRST, "Buy now!", "729", "• •"]), max_size=7),
    st.randoms(),
)
def test_noise_between_paragraphs_changes_nothing(
    marked: tuple[list[str], list[tuple[int, int]]], noise: list[str], random: Random
) -> None:
    clean = page(*marked[0])
    spans = spans_of(clean, *marked)
    paragraphs = [*marked[0]]
    for piece in noise:
        paragraphs.insert(random.randint(0, len(paragraphs)), piece)
    noisy = page(*paragraphs)
    wanted = spans_of(noisy, *marked)
    assert align(text_of(clean, spans), noisy).spans == wanted
    assert project(clean.text, spans, noisy).spans == wanted


@given(marked_pages(), st.randoms())
def test_paragraphs_in_another_order_are_found(
    marked: tuple[list[str], list[tuple[int, int]]], random: Random
) -> None:
    document = page(*marked[0])
    result = align("\n".join(random.sample(marked[0], len(marked[0]))), document)
    # A letter at the end of one may also begin what stands beside another.
    assert result.share_placed >= 0.98
    assert sum(map(len, placed(result, document))) >= 0.98 * sum(map(len, marked[0]))


@given(st.lists(st.text(alphabet="abc dé😀\u0301", max_size=28), min_size=1, max_size=2))
def test_a_documents_own_text_is_placed_whole(paragraphs: list[str]) -> None:
    document = page(*paragraphs)
    result = align(document.text, document)
    check(result.spans, document)
    assert result.share_placed == 1.0


ALPHABET = st.text(alphabet="abc dé😀\u0301", max_size=60)


@given(ALPHABET, ALPHABET)
def test_match_gives_equal_runs_in_order(first: str, second: str) -> None:
    at_a = at_b = 0
    for run in match(Searchable.of(first), Searchable.of(second)):
        assert first[run.a : run.a + run.length] == second[run.b : run.b + run.length]
        assert run.length > 0
        assert run.a >= at_a
        assert run.b >= at_b
        at_a, at_b = run.a + run.length, run.b + run.length


@pytest.mark.parametrize("corpus", sorted(gold_texts()))
def test_published_gold_is_placed_almost_whole(corpus: str) -> None:
    results = [align(text, parse(raw)) for raw, text in gold_texts()[corpus][::6]]
    shares = sorted(result.share_placed for result in results)
    assert shares[len(shares) // 2] >= 0.99
    assert shares[len(shares) // 20] >= 0.95
