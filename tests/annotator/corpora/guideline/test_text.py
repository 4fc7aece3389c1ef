"""Reading a guideline's Markdown: clauses, their labels, what is refused, what becomes HTML."""

import pytest

from annotator.corpora.guideline.differences import differences
from annotator.corpora.guideline.markup import as_html, as_words
from annotator.corpora.guideline.text import GuidelineError, check, check_alike, read

TEXT = """# What to mark

Read *all*.

## 1 How to decide

Before the first.

1.1 Mark what matters. {*}

- a list
- of two

It goes on {not a label} here.

1.2 In two
lines. [Example](example:story#title) {headline, body}

## 2 Headline

2.1 The title. {headline}

2.10 About the page. {verdict}
"""


def problems(markdown: str) -> list[str]:
    with pytest.raises(GuidelineError) as raised:
        check(markdown, labels=["headline", "body"], examples=["story", "story#title"])
    return raised.value.problems


def test_a_text_has_sections_and_clauses() -> None:
    text = read(TEXT)
    assert (text.title, text.opening) == ("What to mark", "Read *all*.")
    assert [(section.number, section.title, section.opening) for section in text.sections] == [
        ("1", "How to decide", "Before the first."),
        ("2", "Headline", ""),
    ]
    assert [clause.number for clause in text.clauses] == ["1.1", "1.2", "2.1", "2.10"]


def test_a_clause_goes_on_to_the_next_and_loses_number_and_braces() -> None:
    first, second, *_rest = read(TEXT).clauses
    assert first.markdown == ("Mark what matters.\n\n- a list\n- of two\n\nIt goes on {not a label} here.")
    assert second.markdown == "In two\nlines. [Example](example:story#title)"
    assert second.labels == {"headline", "body"}
    assert second.examples == ["story#title"]


def test_clauses_are_found_by_label() -> None:
    text = read(TEXT)
    assert [clause.number for clause in text.about("headline")] == ["1.2", "2.1"]
    assert [clause.number for clause in text.about("*")] == ["1.1"]
    assert [clause.number for clause in text.about("verdict")] == ["2.10"]
    assert text.about("none") == []


def test_a_number_inside_code_or_a_list_begins_no_clause() -> None:
    text = read("## 1 One\n\n1.1 First.\n\n    1.2 in code\n\n- 1.3 in a list\n\n> 1.4 quoted\n")
    assert [clause.number for clause in text.clauses] == ["1.1"]


def test_a_section_may_have_no_clause() -> None:
    text = read("## 1 One\n\n1.1 First.\n\n## 2 Sources\n\nOnly words.\n")
    assert [(section.opening, len(section.clauses)) for section in text.sections] == [
        ("", 1),
        ("Only words.", 0),
    ]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_read_the_same(end: str) -> None:
    assert read(TEXT.replace("\n", end)) == read(TEXT)


@pytest.mark.parametrize("separator", ["\v", "\f", "\x85", "\u2028", "\u2029"])
def test_what_word_processors_break_lines_with_moves_no_clause(separator: str) -> None:
    first = f"First,{separator}still{separator}the first."
    text = read(f"## 1 One\n\n1.1 {first}\n\n1.2 Second.\n\n## 2 Two\n\n2.1 Third.\n")
    assert [clause.markdown for clause in text.clauses] == [first, "Second.", "Third."]


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("", "The guideline has no clause"),
        ("# Only a title\n\nand words", "The guideline has no clause"),
        ("## 1 One\n\n1.1 A.\n\n1.1 B.", "Clause number 1.1 is used twice"),
        ("## 1 One\n\n1.1 A.\n\n## 1 Two\n\n1.2 B.", "Section number 1 is used twice"),
        ("## 1 One\n\n2.1 A.", "Clause 2.1 is in section 1"),
        ("## One\n\n1.1 A.", "The section “One” has no number"),
        ("## 1 One\n\n1.1 A. {titel}", "names the label “titel”"),
        ("## 1 One\n\n1.1 [x](example:nowhere)", "links to the example “nowhere”"),
        ("## 1 One\n\n1.1 [x](example:story#nowhere)", "links to the example “story#nowhere”"),
        ("x" * 100_001, "at most 100000 characters"),
    ],
)
def test_what_is_no_guideline_is_refused_with_the_reason(markdown: str, said: str) -> None:
    assert any(said in problem for problem in problems(markdown)), problems(markdown)


def test_all_that_is_wrong_is_said_at_once() -> None:
    assert len(problems("## One\n\n1.1 A. {x}\n\n1.1 B. [x](example:y)")) == 4


def test_two_languages_have_the_same_clauses_about_the_same_labels() -> None:
    check_alike(read(TEXT), read(TEXT.replace("The title.", "El título.")))
    with pytest.raises(GuidelineError) as raised:
        check_alike(
            read(TEXT), read(TEXT.replace("2.10", "2.11").replace("title. {headline}", "title. {body}"))
        )
    assert raised.value.problems == [
        "Clause 2.10 exists in one language only.",
        "Clause 2.11 exists in one language only.",
        "Clause 2.1 has different labels in different languages.",
    ]


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>ink()</script>",
        "<b onclick=ink()>x</b>",
        "<!-- x --><iframe src=https://elsewhere.example>",
        "[x](javascript:ink())",
        "[x](data:text/html,ink)",
        "[x](vbscript:ink)",
        "[x](//elsewhere.example/)",
        "![x](https://elsewhere.example/x.png)",
        "![x][y]\n\n[y]: https://elsewhere.example/x.png",
        '[x](https://elsewhere.example/"onmouseover="ink())',
        "<javascript:ink()>",
    ],
)
def test_nothing_in_a_text_becomes_markup_a_script_or_a_picture(markdown: str) -> None:
    html = as_html(markdown, examples="/examples/")
    for bad in (
        "<script",
        "<b",
        "<iframe",
        "<img",
        "<!--",
        'href="javascript',
        'href="data',
        'href="//',
        'vbscript:ink"',
    ):
        assert bad not in html
    assert '"onmouseover' not in html


def test_links_lead_to_examples_clauses_and_other_sites() -> None:
    html = as_html(
        "[a](example:story#title) [b](#2.1) [c](https://elsewhere.example/)",
        examples="/examples/",
        text="/guideline/3/",
    )
    assert '<a href="/examples/story/#title" target="_blank">a</a>' in html
    assert '<a href="/guideline/3/#2.1" target="_blank">b</a>' in html
    assert as_html("[b](#2.1)", examples="/") == '<p><a href="#2.1">b</a></p>\n'
    assert 'rel="noopener noreferrer nofollow"' in html


def test_a_difference_is_told_word_by_word() -> None:
    old = read("## 1 One\n\n1.1 Mark the title.\n\n1.2 Gone.\n\n1.3 The same.")
    new = read("## 1 One\n\n1.1 Mark the whole title.\n\n1.3 The same.\n\n1.4 New.")
    assert [(part.number, part.how) for part in differences(old, new)] == [
        ("1.1", "changed"),
        ("1.4", "added"),
        ("1.2", "removed"),
    ]
    assert differences(old, new)[0].pieces == [
        ("kept", "Mark the "),
        ("added", "whole "),
        ("kept", "title."),
    ]
    assert differences(old, old) == []


def test_a_difference_shows_what_its_readers_see_and_no_markup() -> None:
    old = read("## 1 One\n\n1.1 Mark the **title** in `it`,\nsee [Example](example:story#title). {headline}")
    new = read("## 1 One\n\n1.1 Mark the title in it,\nsee [Example](example:talk).\n\n- a box {body}")
    (found,) = differences(old, new, {"headline": 1, "body": 2})
    assert found.pieces == [
        ("kept", "Mark the title in it, see Example."),
        ("added", "\n\n• a box {body}"),
    ]
    assert [(how, chip.title) for how, chip in found.chips] == [("removed", "Headline")]
    new = read("## 1 One\n\n1.1 Mark the title in it, see Example. {body, *}")
    (found,) = differences(old, new, {"headline": 1, "body": 2})
    assert [(how, chip.title) for how, chip in found.chips] == [
        ("added", "Body"),
        ("added", "All labels"),
        ("removed", "Headline"),
    ]
    assert not found.same_words
    new = read("## 1 One\n\n1.1 Mark the title in it, see [Example](example:talk). {headline}")
    (found,) = differences(old, new, {"headline": 1, "body": 2})
    assert found.same_words


def test_words_of_a_text_keep_its_lists_and_lines() -> None:
    markdown = "1. One\n2. Two\n\n   More\n\n- Three\n\n> Four\\\n&amp; five\n\n    six\n    seven\n"
    assert as_words(markdown) == "1. One\n\n2. Two\n\nMore\n\n• Three\n\nFour\n& five\n\nsix\nseven"
