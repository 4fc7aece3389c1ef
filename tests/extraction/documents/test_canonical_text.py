"""The rule of the canonical text, one clause a test."""

import pytest

from extraction.parsing.parse import parse


def blocks_of(html: str) -> list[str]:
    document = parse(b"\xef\xbb\xbf<!doctype html>" + html.encode())
    return [document.text[start:end] for start, end in document.blocks]


def test_blocks_are_runs_of_inline_text_between_block_edges() -> None:
    assert blocks_of("<div>a<p>b</p>c</div>") == ["a", "b", "c"]


def test_blocks_are_joined_by_a_blank_line() -> None:
    assert parse(b"<p>a<p>b").text == "a\n\nb"


@pytest.mark.parametrize(
    "tag", ["td", "li", "dt", "dd", "caption", "h3", "figcaption", "legend", "summary", "form"]
)
def test_each_block_level_element_is_a_block(tag: str) -> None:
    inside = {"td": "<table><tr>{}</table>", "caption": "<table>{}</table>"}.get(tag, "{}")
    assert "x" in blocks_of("before" + inside.format(f"<{tag}>x</{tag}>") + "after")


@pytest.mark.parametrize("html", ["a  \t\n b", "a <b> b</b>", "<i>a </i> b", "a&#10;b", "a<span> </span> b"])
def test_a_run_of_whitespace_is_one_space(html: str) -> None:
    assert blocks_of(html) == ["a b"]


def test_whitespace_is_trimmed_at_the_edges_of_a_block() -> None:
    assert blocks_of("<p>  a <b> </b> </p> <p> b") == ["a", "b"]


def test_one_br_is_a_newline_without_spaces_around_it() -> None:
    assert blocks_of("<p>a <br> b<br>") == ["a\nb"]


@pytest.mark.parametrize("breaks", ["<br><br>", "<br> <br>", "<br><span></span><br><br>"])
def test_two_br_in_a_row_are_a_block_edge(breaks: str) -> None:
    assert blocks_of(f"<p>a{breaks}b") == ["a", "b"]


def test_br_with_text_between_does_not_count_as_a_row() -> None:
    assert blocks_of("<p>a<br>b<br>c") == ["a\nb\nc"]


@pytest.mark.parametrize("tag", ["pre", "listing", "xmp"])
def test_preformatted_elements_keep_their_lines(tag: str) -> None:
    # The parser itself drops one newline after <pre> and <listing>.
    text = blocks_of(f"a<{tag}>  x\r\n\ty  z \n</{tag}>b")
    assert text == ["a", "  x\n\ty  z", "b"]


def test_lines_collapse_again_after_a_preformatted_element() -> None:
    assert blocks_of("<pre>a\n b</pre><p>c\n d") == ["a\n b", "c d"]


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<noscript>x</noscript>",
        "<template>x</template>",
        "<iframe>x</iframe>",
        "<svg><text>x</text></svg>",
        "<select><option>x</select>",
        "<textarea>x</textarea>",
        "<video>x</video>",
        "<!-- x -->",
        "<dialog>x</dialog>",
    ],
)
def test_dropped_elements_leave_neither_text_nor_gap(html: str) -> None:
    assert blocks_of(f"one{html}word") == ["oneword"]


def test_labels_buttons_and_unknown_elements_stay() -> None:
    assert blocks_of("<label>a</label> <button>b</button> <x-y>c</x-y>") == ["a b c"]


def test_control_characters_and_noncharacters_go() -> None:
    assert blocks_of("a\x01b&#xFFFE;c&#1;d") == ["abcd"]


def test_zero_width_and_no_break_characters_stay() -> None:
    assert blocks_of("<p>\u00a0a\u200b\u202b\u00a0") == ["\u00a0a\u200b\u202b\u00a0"]


def test_a_page_without_text_has_no_blocks() -> None:
    document = parse(b"<img src=x><p> </p>")
    assert (document.text, document.blocks) == ("", [])
