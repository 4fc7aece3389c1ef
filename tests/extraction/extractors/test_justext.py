"""jusText against the worked example that versions 2.2.0 and 3.0.2 were run on, rule by rule."""

import pytest

from extraction.documents.document import Document
from extraction.extractors import extract
from extraction.extractors.justext import JusTextSettings, classify, classify_alone, spoken
from extraction.extractors.paragraphs import Paragraph, paragraphs
from extraction.features.stop_words import share, stop_words
from extraction.parsing.parse import parse

LONG = (
    "The council said on Monday that the bridge which had been closed for most of the year would open again "
    "in the spring, and that the work on it had cost more than it had been told it would when the plan was "
    "made in the first place."
)
PHOTO = "Photo: a bridge seen from the road near the town of the same name, as it was."
SPAM = (
    "Buy now cheap tickets online best price guaranteed today only hurry limited offer available worldwide "
    "shipping free returns"
)
EXAMPLE = f"""<html><head><title>T</title></head><body><div><a href="/">Home</a> | <a href="/n">News</a></div>
<h1>Bridge opens</h1>
<p>It is a short one.</p>
<p>{LONG}</p>
<p>{PHOTO}</p>
<p>{SPAM}</p>
<p>Copyright \xa9 2010 Daily</p></body></html>"""

ENGLISH = stop_words("justext", "en")
SETTINGS = JusTextSettings(ENGLISH)


def example() -> list[Paragraph]:
    return paragraphs(parse(EXAMPLE.encode()))


def pieces(page: Document, **parameters: str) -> list[str]:
    return [page.text[span.start : span.end] for span in extract(page, "justext", **parameters)]


def paragraph(text: str, *, links: int = 0, heading: bool = False) -> Paragraph:
    return Paragraph([], text, links, heading)


def of_length(length: int, *, stops: float = 0.4) -> Paragraph:
    """A paragraph of so many characters, of whose ten words so many are stop words."""
    words = ["a"] * round(10 * stops) + ["x"] * (10 - round(10 * stops))
    return paragraph(" ".join([*words[:-1], words[-1] * (length - 18)]))


def test_example_has_the_features_of_the_description() -> None:
    rows = [
        (len(p.text), round(share(p.text.lower().split(), ENGLISH), 3), p.link_characters, p.is_heading)
        for p in example()
    ]
    assert rows == [
        (11, 0.333, 8, False),
        (12, 0.0, 0, True),
        (18, 0.8, 0, False),
        (229, 0.833, 0, False),
        (77, 0.706, 0, False),
        (123, 0.222, 0, False),
        (22, 0.0, 0, False),
    ]


def test_example_has_the_classes_of_the_description() -> None:
    alone = [classify_alone(paragraph, SETTINGS) for paragraph in example()]
    assert alone == ["bad", "short", "short", "good", "neargood", "bad", "bad"]
    assert classify(example(), SETTINGS) == ["bad", "good", "good", "good", "good", "bad", "bad"]
    newer = SETTINGS._replace(rescues_before_headings=False)
    assert classify(example(), newer) == ["bad", "good", "bad", "good", "good", "bad", "bad"]


def test_compat_loses_the_short_paragraph_after_a_heading() -> None:
    page = parse(EXAMPLE.encode())
    assert pieces(page) == ["Bridge opens", "It is a short one.", LONG, PHOTO]
    assert pieces(page, compat="3.0") == ["Bridge opens", LONG, PHOTO]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (paragraph("x" * 100, links=20), "bad"),  # .2 is not too much, but there are no stop words
        (paragraph(LONG, links=46), "bad"),
        (paragraph(LONG, links=45), "good"),
        (paragraph(f"{LONG} \xa9"), "bad"),
        (paragraph(f"{LONG} &copy"), "bad"),
        (of_length(69), "short"),
        (paragraph("a" * 69, links=1), "bad"),
        (of_length(70), "neargood"),
        (of_length(200), "neargood"),
        (of_length(201), "good"),
        (of_length(201, stops=0.3), "neargood"),
        (of_length(201, stops=0.2), "bad"),
    ],
)
def test_classify_alone_takes_the_first_rule_that_fires(given: Paragraph, expected: str) -> None:
    assert classify_alone(given, SETTINGS) == expected


KINDS = {
    "g": of_length(300),
    "n": of_length(100),
    "s": of_length(30),
    "b": paragraph("x" * 100),
    "H": paragraph("heading", heading=True),
}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("gsg", "ggg"),
        ("bsb", "bbb"),
        ("bsg", "bbg"),
        ("nsg", "ggg"),  # the bad edge is behind a near good one
        ("gsn", "ggg"),
        ("bssg", "bbbg"),
        ("s", "b"),
        ("n", "b"),
        ("bnb", "bbb"),
        ("nn", "bb"),
        ("bng", "bgg"),
        ("gnnb", "gggb"),
        ("nnsb", "bbbb"),
        ("Hg", "gg"),
        ("bHsg", "bggg"),
        ("Hb", "bb"),
        ("Hssssssssg", "Hssssssssg".replace("s", "b").replace("H", "b")),  # 240 characters between
        ("bHng", "bggg"),
        ("", ""),
    ],
)
def test_classify_looks_at_neighbours(given: str, expected: str) -> None:
    found = classify([KINDS[kind] for kind in given], SETTINGS)
    assert "".join(kind[0] for kind in found) == expected


def test_no_headings_takes_them_for_paragraphs() -> None:
    page = parse(EXAMPLE.encode())
    assert pieces(page, headings="no") == [LONG, PHOTO]


def test_many_short_paragraphs_take_no_time() -> None:
    found = classify([KINDS["s"]] * 60_000, SETTINGS)
    assert set(found) == {"bad"}


SPANISH = (
    "El alcalde dijo ayer que el puente, que estuvo cerrado durante casi todo el año, se abrirá de nuevo en "
    "la primavera, y que las obras han costado más de lo que se había dicho cuando se hizo el plan en un "
    "principio."
)


@pytest.mark.parametrize("attribute", ["", " lang=es-MX", " lang=en", " lang=tlh"])
def test_auto_finds_the_language_whatever_the_page_says(attribute: str) -> None:
    page = parse(f"<html{attribute}><body><p>{SPANISH}</p></body></html>".encode())
    assert pieces(page) == [SPANISH]
    assert pieces(page, language="en") == []


def test_auto_goes_by_length_where_no_list_knows_the_words() -> None:
    japanese = "議会は月曜日、年の大半にわたって閉鎖されていた橋が春に再開されると述べた。" * 7
    page = parse(f"<html lang=ja><body><p>{japanese}</p><p>短い</p></body></html>".encode())
    assert spoken(page, paragraphs(page), 70, 0.2) == "none"
    assert pieces(page) == [japanese]
    assert pieces(page, language="en") == []


def test_auto_takes_what_is_declared_where_there_is_too_little_text() -> None:
    page = parse(b"<html lang=de><body><p>kurz</p></body></html>")
    assert spoken(page, paragraphs(page), 70, 0.2) == "de"
