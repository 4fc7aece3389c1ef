"""The composed pages of the demo: many, varied, self-contained, and as the generator knows them."""

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest
from django.test import override_settings

from annotator.demo.composing import ComposedPage, compose, spans_in, text_of_marked
from annotator.demo.habits import HABITS, Judgement, ReferenceMarks, judge
from annotator.demo.history import FIRST_PAGE
from annotator.demo.markup import BEGIN, END, LABEL, mark
from annotator.demo.stories import read_stories
from extraction import parse
from extraction.documents.document import Document
from extraction.documents.view.build import build_view
from extraction.spans import LABELS, Span, clip

PAGES = {f"{story.site}/{story.slug}": compose(story) for story in read_stories()}
DOCUMENTS = {name: parse(page.raw, "utf-8") for name, page in PAGES.items()}
# Reading addresses, styles and text of a page of this size must not take the suite long.
SMALLEST, LARGEST = 4_000, 40_000


def reference_of(name: str) -> ReferenceMarks:
    return PAGES[name].reference(DOCUMENTS[name].text, DOCUMENTS[name].blocks)


def test_there_are_sixty_pages_of_nine_sites_in_three_languages_and_two_scripts() -> None:
    assert len(PAGES) >= 60
    assert len({page.story.site for page in PAGES.values()}) == 9
    assert Counter(page.metadata["language"] for page in PAGES.values()).keys() == {"en", "es", "ar"}
    assert any("\u0627" in document.text for document in DOCUMENTS.values())


def test_addresses_and_bytes_are_all_different() -> None:
    assert len({page.story.url for page in PAGES.values()}) == len(PAGES)
    assert len({page.sha256 for page in PAGES.values()}) == len(PAGES)


def test_some_pages_are_no_article_and_one_holds_several() -> None:
    verdicts = Counter((page.story.verdict, page.story.reason) for page in PAGES.values())
    reasons = {reason for verdict, reason in verdicts if verdict == "not_article"}
    assert reasons == {"listing", "paywall", "media", "error_page", "other"}
    assert verdicts["several", ""] == 1


def test_two_sites_print_the_same_report_of_an_agency() -> None:
    bodies = [
        {
            DOCUMENTS[name].text[span.start : span.end]
            for span in reference_of(name).spans
            if span.label == "body"
        }
        for name in ("tidewater/wire-herring-return", "northfield/wire-herring-are-back")
    ]
    assert len(bodies[0] & bodies[1]) == len(bodies[1]) == len(bodies[0]) - 1


def test_the_truth_is_that_of_the_page() -> None:
    """The text with marks is the text of the page, and spans end where blocks or other text begins."""
    for name, document in DOCUMENTS.items():
        reference = reference_of(name)
        assert reference.text == document.text, name
        assert reference.spans == spans_by_parsing(PAGES[name]), name
        assert bool(reference.spans) == (reference.verdict != "not_article"), name
        assert all(one.end <= other.start for one, other in pairwise(reference.spans)), name
        texts = [document.text[span.start : span.end] for span in reference.spans]
        assert all(text.strip() == text != "" for text in texts), name
        if reference.verdict == "article":
            assert Counter(span.label for span in reference.spans)["headline"] == 1, name


def test_pages_look_complete_without_anything_from_outside() -> None:
    for name, document in DOCUMENTS.items():
        raw = PAGES[name].raw
        assert SMALLEST <= len(raw) <= LARGEST, name
        assert build_view(document)["lost_sheets"] == 0, name
        assert not re.search(rb"<img|<link rel=.stylesheet|url\(|@import|<script", raw), name
        hosts = set(re.findall(r"https?://([\w.-]+)", raw.decode()))
        assert all(host.endswith(".example") for host in hosts), name
        assert document.repairs == (), name
        # Nothing of the template language or the notation is left over.
        assert not re.search(r"\{[{%]|\*\*|\\n|lorem", document.text), name
        assert not set(raw.decode()) & {*BEGIN.values(), END}, name


def test_stories_are_told_once() -> None:
    """No two pages share a paragraph, but the two of the agency."""
    told = {
        name: {
            DOCUMENTS[name].text[span.start : span.end]
            for span in reference_of(name).spans
            if span.label == "body" and span.end - span.start > 80
        }
        for name in PAGES
        if "wire-" not in name
    }
    assert not [(one, other) for one, other in combinations(told, 2) if told[one] & told[other]]


def test_every_kind_of_text_is_there() -> None:
    labels = Counter(span.label for name in PAGES for span in reference_of(name).spans)
    assert set(labels) == set(LABELS)
    assert min(labels.values()) >= 40
    kinds = Counter(block.kind for story in read_stories() for block in story.blocks)
    assert kinds.keys() >= {"live", "table", "pull", "points", "code", "figure", "question", "note", "box"}


def test_the_first_page_is_an_illustrated_article() -> None:
    page = next(page for page in PAGES.values() if page.story.slug == FIRST_PAGE)
    labels = {span.label for span in reference_of(f"{page.story.site}/{page.story.slug}").spans}
    assert labels == {"headline", "body", "supplemental", "related"}
    assert b"a-lighthouse" in page.raw


@override_settings(TIME_ZONE="Asia/Kolkata", LANGUAGE_CODE="es")
def test_composing_again_gives_the_same_bytes() -> None:
    again = {story.url: compose(story).sha256 for story in read_stories()}
    assert again == {page.story.url: page.sha256 for page in PAGES.values()}


# ---- marks ----


def spans_by_parsing(page: ComposedPage) -> tuple[Span, ...]:
    """Where the marks stand in the document of the page with marks, less the marks before them."""
    document = parse(page.marked.encode(), "utf-8")
    spans, before, opened = [], 0, (0, "")
    for place, character in enumerate(document.text):
        if character in LABEL:
            opened = (place - before, LABEL[character])
        elif character == END:
            spans.append(Span(opened[0], place - before, opened[1]))
        before += character in LABEL or character == END
    plain = DOCUMENTS[f"{page.story.site}/{page.story.slug}"]
    return tuple(clip(spans, plain.blocks, plain.text))


def test_marks_become_spans() -> None:
    html = f"<head>A</head> <h1>{mark('A title', 'headline')}</h1><p>By {mark('*Ann* & Bo', 'supplemental')} "
    text = "A title By Ann & Bo"
    spans = spans_in(text, text_of_marked(html))
    assert spans is not None
    assert spans_in(f"{text}!", text_of_marked(html)) is None
    assert spans_in("A title", text_of_marked(html)) is None
    assert [(text[span.start : span.end], span.label) for span in spans] == [
        ("A title", "headline"),
        ("Ann & Bo", "supplemental"),
    ]


def test_a_page_whose_text_is_another_has_no_truth() -> None:
    page = next(iter(PAGES.values()))
    with pytest.raises(ValueError, match="not the document"):
        ComposedPage(page.story, page.raw, page.marked + "<p>more").reference(*_of(parse(page.raw, "utf-8")))


def _of(document: Document) -> tuple[str, list[tuple[int, int]]]:
    return document.text, list(document.blocks)


# ---- habits ----


def test_people_differ_from_the_truth_by_their_habits_and_always_alike() -> None:
    judged = {
        name: [judge(name, reference_of(page), PAGES[page].sha256) for page in PAGES] for name in HABITS
    }
    assert judged["marta"] == [judge("marta", reference_of(page), PAGES[page].sha256) for page in PAGES]
    wrong = {
        name: sum(made.spans != reference_of(page).spans for made, page in zip(found, PAGES, strict=True))
        for name, found in judged.items()
    }
    assert 0 < wrong["ines"] < min(wrong["marta"], wrong["joon"], wrong["tomasz"])
    seconds = {name: sum(made.seconds for made in found) for name, found in judged.items()}
    assert min(seconds, key=lambda name: seconds[name]) == "tomasz"
    assert _labels(judged["marta"], "body") > _labels(judged["ines"], "body")
    assert _length(judged["joon"], "body") < _length(judged["ines"], "body")


def _labels(found: list[Judgement], label: str) -> int:
    return sum(span.label == label for made in found for span in made.spans)


def _length(found: list[Judgement], label: str) -> int:
    spans = [span for made in found for span in made.spans]
    return sum(span.end - span.start for span in spans if span.label == label)
