"""From probabilities to labels. The probabilities are ours here: the model has tests of its own."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.labels import SETTINGS, label
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3
from tests.extraction.news import NEWS, page_of

BODY = f"<p>{P1}</p><p>{P2}</p><p>{P3}</p>"
HEADLINE = "Bridge to open again in spring"
STORY = f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>"

Labels = Mapping[str, tuple[str | None, str]]


def labels_of(
    markup: str,
    *,
    unsure: Mapping[str, float] | None = None,
    comments: Mapping[str, float] | None = None,
    setting: str = "balanced",
) -> Labels:
    """The label and the rule of each text; the three paragraphs are surely body, all else as told or not."""
    page = PageFeatures.of(parse(markup.encode()))
    page = page.knowing(np.array([(comments or {}).get(text, 0.0) for text in page.texts], dtype=np.float32))
    known = {P1: 1.0, P2: 1.0, P3: 1.0, **(unsure or {})}
    texts = page.texts
    probability = np.array([known.get(text, 0.0) for text in texts], dtype=np.float32)
    found = label(page, probability, setting)
    return dict(zip(texts, zip(found.labels, found.rules, strict=True), strict=True))


def test_likely_blocks_are_body_by_the_model_alone() -> None:
    labels = labels_of(f"<div>menu</div>{STORY}<div>{BODY}</div>")
    assert {labels[text] for text in (P1, P2, P3)} == {("body", "")}
    assert labels["menu"] == (None, "")


def test_the_headline_is_no_body_however_likely() -> None:
    labels = labels_of(f"{STORY}<div>{BODY}</div>", unsure={HEADLINE: 1.0})
    assert labels[HEADLINE] == ("headline", "headline")


def test_another_h1_is_nothing() -> None:
    labels = labels_of(f"<h1>The Daily</h1>{STORY}<div>{BODY}</div>", unsure={"The Daily": 1.0})
    assert labels["The Daily"] == (None, "")


@pytest.mark.parametrize(
    "figure",
    [
        "<figure><img><figcaption>The bridge</figcaption></figure>",
        "<div class=caption>The bridge</div>",
        "<figure><p>The bridge</p></figure>",
    ],
)
@pytest.mark.parametrize("probability", [0.0, 0.8])
def test_captions_are_supplemental(figure: str, probability: float) -> None:
    markup = f"{STORY}<div><p>{P1}</p>{figure}<p>{P2}</p><p>{P3}</p></div>"
    assert labels_of(markup, unsure={"The bridge": probability})["The bridge"] == ("supplemental", "caption")


def test_what_is_surely_body_is_no_caption() -> None:
    markup = f"{STORY}<div><figure><p>{P1}</p></figure><p>{P2}</p></div>"
    assert labels_of(markup)[P1] == ("body", "")


def test_captions_far_from_the_body_or_in_a_foreign_container_are_nothing() -> None:
    foreign = "<div class=related><figure><figcaption>Elsewhere</figcaption></figure></div>"
    far = "<div>x</div>" * 5 + "<figure><figcaption>Far away</figcaption></figure>"
    labels = labels_of(f"{STORY}<div><p>{P1}</p>{foreign}<p>{P2}</p></div>{far}")
    assert labels["Elsewhere"] == labels["Far away"] == (None, "")


def test_a_byline_is_supplemental() -> None:
    labels = labels_of(f"{STORY}<div>By Ann Lee</div><time>4 March</time><div>{BODY}</div>")
    assert labels["By Ann Lee"] == labels["4 March"] == ("supplemental", "before-body")


@pytest.mark.parametrize(
    "between",
    [
        "<p>A line</p>" + "<div>x</div>" * 10,
        "<div class=share><p>A line</p></div>",
        "<div hidden><p>A line</p></div>",
        "<div hidden>x</div>" + "<p>A line" + " and more" * 60,
    ],
    ids=["too many", "foreign", "hidden", "long"],
)
def test_what_else_stands_before_the_body_is_nothing(between: str) -> None:
    labels = labels_of(f"{STORY}{between}<div>{BODY}</div>")
    assert all(found == (None, "") for text, found in labels.items() if text.startswith("A line"))


def test_comments_are_labelled_and_are_no_body_however_likely() -> None:
    opinion, hidden = "I do not think so, nor does he.", "So I said."
    labels = labels_of(
        f"{STORY}<div>{BODY}</div><p>{opinion}</p><p hidden>{hidden}</p>",
        unsure={opinion: 1.0},
        comments={opinion: 0.7, hidden: 0.9},
    )
    assert labels[opinion] == ("comments", "comments")
    assert labels[hidden] == (None, "")


def test_what_is_called_comments_and_reads_a_little_like_it_is_labelled() -> None:
    opinion, link = "I do not think so, nor does he.", "Write a comment on this article, if you like"
    markup = (
        f"{STORY}<div>{BODY}</div><ol class=comments><li>{opinion * 2}<li><a href=x>{link}</a><li>two</ol>"
    )
    comments = {opinion * 2: 0.3, link: 0.3, "two": 0.3}
    labels = labels_of(markup, comments=comments)
    assert labels[opinion * 2] == ("comments", "comments")
    assert labels[link] == labels["two"] == (None, "")
    assert labels_of(markup)[opinion * 2] == (None, "")


OPINIONS = {P2: 0.9, P3: 0.9}
FAR = f"{f'<p>{P2}</p><p>{P3}</p>'}{'<div>x</div>' * 20}"


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_short_text_far_from_the_headline_gives_way_to_what_follows_the_headline(setting: str) -> None:
    unsure = {"About the author.": 0.95, "A line to the video.": 0.2, "So do I.": 0.2}
    markup = f"{STORY}<p>A line to the video.</p>{FAR}<p>So do I.</p><p>About the author.</p>"
    labels = labels_of(markup, unsure=unsure, comments=OPINIONS, setting=setting)
    assert labels["A line to the video."] == ("body", "")
    assert labels[P2] == ("comments", "comments")
    assert labels["About the author."] == labels["So do I."] == (None, "")


def test_where_nothing_follows_the_headline_a_short_text_far_away_is_no_article() -> None:
    labels = labels_of(f"{STORY}{FAR}<p>About us.</p>", unsure={"About us.": 0.95}, comments=OPINIONS)
    assert {text: label for text, (label, _) in labels.items() if label} == {P2: "comments", P3: "comments"}


def test_a_long_text_is_the_article_wherever_it_stands() -> None:
    long = f"{P1} " * 5
    markup = f"{STORY}{FAR}<div><p>{long}</p></div>"
    assert labels_of(markup, unsure={long.strip(): 1.0}, comments=OPINIONS)[long.strip()] == ("body", "")


LINES = (
    "A short note from the river, for all who asked: the scaffolding is gone, the painters have left, and "
    "the first cars cross the bridge on Monday morning. There will be cake for those who walk over it soon."
)
NOTE = "I write about bridges, have done so for years, and live beside one with two cats and a piano. " * 6
ABOUT = NOTE.strip()
POST = f"<div>{STORY}<p>{LINES}</p></div>"


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    "page",
    [
        f"<aside><p>{NOTE}</p></aside>{POST}",
        f"{POST}{'<p>x</p>' * 20}<div><p>{NOTE}</p></div>",
        f"{POST}<h4>2 comments:</h4><div><p>{NOTE}</p></div>",
    ],
    ids=["before the headline", "far away", "after the heading of comments"],
)
def test_a_post_of_a_few_lines_is_body_rather_than_the_note_beside_it(page: str, setting: str) -> None:
    labels = labels_of(page, unsure={ABOUT: 0.95}, setting=setting)
    assert labels[LINES] == ("body", "")
    assert labels[ABOUT] == (None, "")


@pytest.mark.parametrize(
    "page",
    [
        f"{POST}<div><p>{NOTE}</p></div>",
        f"{POST}{'<p>x</p>' * 20}<div><p>{NOTE}</p></div>".replace(LINES, LINES[:90]),
        f"{POST}<a href=x>2 comments</a><div><p>{NOTE}</p></div>",
        f"{POST}<h4>2 comments:</h4><div><p>{NOTE}</p><p>{NOTE}</p></div>",
        f"{POST}<h4>2 comments:</h4><div>{f'<p>{NOTE}</p>' * 4}</div>".replace(LINES, LINES * 4),
    ],
    ids=["near", "no post", "a link to comments", "many times the post", "long"],
)
def test_what_is_no_note_beside_a_short_post_is_body(page: str) -> None:
    labels = labels_of(page, unsure={ABOUT: 0.95})
    assert [text for text, (label, _) in labels.items() if label == "body"] == [ABOUT]


def test_a_headline_with_hardly_any_prose_after_it_is_certain_enough() -> None:
    short = LINES[:150]
    labels = labels_of(f"<aside><p>{NOTE}</p></aside>{POST}".replace(LINES, short), unsure={ABOUT: 0.95})
    assert [text for text, (label, _) in labels.items() if label == "body"] == [short]


def test_beside_a_note_that_is_no_longer_than_a_post_only_what_may_be_one_is_taken() -> None:
    labels = labels_of(f"<aside><p>{P1}</p></aside>{POST}", unsure={P1: 0.95})
    assert not [text for text, (label, _) in labels.items() if label == "body"]


def test_the_post_ends_where_its_comments_begin() -> None:
    opinion, links = "I will miss the ferry more than I can say.", "<a href=x>Older post</a>"
    post = f"<div>{STORY}<p>{LINES}</p>{links}<p>{opinion}</p><p>Thank you.</p></div>"
    labels = labels_of(f"<aside>{NOTE}</aside>{post}", unsure={ABOUT: 0.95}, comments={opinion: 0.9})
    assert [text for text, (label, _) in labels.items() if label == "body"] == [LINES]


def test_related_links_are_labelled() -> None:
    related = "<ul class=related><li><a href=x>The other bridge</a><li>No link here</ul>"
    inside = "<p><a href=y>Read about the road</a></p>"
    labels = labels_of(
        f"<ul><li><a href=z>Home</a></ul>{STORY}<div><p>{P1}</p>{inside}<p>{P2}</p></div>{related}"
    )
    assert labels["The other bridge"] == labels["Read about the road"] == ("related", "related")
    assert labels["No link here"] == labels["Home"] == (None, "")


def test_where_the_model_is_lost_the_prose_of_the_core_is_body() -> None:
    page = PageFeatures.of(parse(page_of(NEWS["en"]).encode()))
    found = label(page, np.zeros(page.size, dtype=np.float32), "balanced")
    texts = page.texts
    body = [text for text, name in zip(texts, found.labels, strict=True) if name == "body"]
    assert body == list(NEWS["en"].body)
    rules = {rule for rule, name in zip(found.rules, found.labels, strict=True) if name == "body"}
    assert rules == {"in-core"}


def test_a_page_without_body_has_no_labels_at_all() -> None:
    labels = labels_of("<title>Some title</title><h1>Some title</h1><ul><li><a href=x>Link</a><li>word</ul>")
    assert set(labels.values()) == {(None, "")}


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_takes_what_is_sure_and_nothing_unlikely(setting: str) -> None:
    labels = labels_of(f"{STORY}<div>{BODY}<p>unlikely</p></div>", setting=setting, unsure={"unlikely": 0.2})
    assert [text for text, (name, _) in labels.items() if name == "body"] == [P1, P2, P3]


PAGE = PageFeatures.of(parse(page_of(NEWS["en"]).encode()))


@given(st.lists(st.floats(0, 1, width=32), min_size=PAGE.size, max_size=PAGE.size))
def test_precision_keeps_no_more_than_balanced(chances: list[float]) -> None:
    probability = np.array(chances, dtype=np.float32)
    precise, balanced = (
        {block for block, name in enumerate(label(PAGE, probability, setting).labels) if name == "body"}
        for setting in ("precision", "balanced")
    )
    assert precise <= balanced
