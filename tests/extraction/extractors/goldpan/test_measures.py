"""What is counted of the text of a block, in any script."""

import numpy as np
import pytest

from extraction.extractors.goldpan.measures import BlockMeasures


def measure(*texts: str) -> BlockMeasures:
    """The measures of blocks with these texts, a blank line between two of them as in a document."""
    blocks, start = [], 0
    for text in texts:
        blocks.append((start, start + len(text)))
        start += len(text) + 2
    return BlockMeasures.of("\n\n".join(texts), blocks)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one", 1),
        ("The bridge is open.", 4),
        ("two\u00a0words", 2),
        ("line\nbreak", 2),
        ("Мост снова открыт", 3),
        ("القطار القديم يعود", 3),
        ("橋が開く", 2),
        ("老渡轮下月返航", 3),
        ("รถไฟมาแล้ว", 5),
        ("一" * 100, 50),
        ("Die Brücke 橋", 2),
        ("𝒳 𝒴", 2),
        ("\U00020000\U00020001", 1),
    ],
)
def test_words_of_scripts_with_and_without_blanks(text: str, words: int) -> None:
    found = float(measure(text).words[0])
    assert found == pytest.approx(words, abs=1 if any(ord(char) > 0x0E00 for char in text) else 0)


def test_a_chinese_sentence_has_about_as_many_words_as_its_translation() -> None:
    chinese, english = measure(
        "港务局周二宣布，老渡轮将于下月一日恢复航行。",
        "On Tuesday the harbour board said that the old ferry would sail again next month.",
    ).words
    assert 0.5 < chinese / english < 1.5


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("One. Two! Three?", 3),
        ("Version 3.5 of example.com", 0),
        ("He said: “It is open.” Nobody believed it.", 2),
        ("(Closed.)", 1),
        ("橋が開く。船も戻る。", 2),
        ("太好了！真的？", 2),
        ("هل عاد القطار؟ نعم.", 2),
        ("यह खुला है। वह भी।", 2),
        ("no end", 0),
        ("3,5 Mio.", 1),
    ],
)
def test_stops_end_sentences_only(text: str, stops: int) -> None:
    assert float(measure(text).stops[0]) == stops


def test_commas_of_many_scripts() -> None:
    commas = measure("a, b; c", "一、二，三", "واحد، اثنان", "none.").commas
    assert commas.tolist() == [2, 2, 1, 0]


def test_shares_of_capitals_and_digits() -> None:
    found = measure("ABcd", "МОСТ", "橋橋橋橋", "12ab", "١٢")
    assert found.capitals.tolist() == [0.5, 1, 0, 0, 0]
    assert found.digits.tolist() == [0, 0, 0, 0.5, 1]


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Done.", 1),
        ("“Done.”", 1),
        ("終わり。", 1),
        ("「終わり。」", 1),
        ("Read this:", 2),
        ("one,", 2),
        ("Headline", 0),
        ("“Quote”", 0),
        (".", 1),
        ("”", 0),
    ],
)
def test_how_a_block_ends(text: str, ending: int) -> None:
    assert float(measure(text).ending[0]) == ending


def test_marks_are_told_once() -> None:
    assert measure("a | b | c", "© 2020", "me@example.com", "plain").marks.tolist() == [1, 1, 1, 0]


def test_each_block_has_numbers_of_its_own() -> None:
    texts = ["One. Two.", "橋", "x" * 40, "A, b"]
    together, apart = measure(*texts), [measure(text) for text in texts]
    for name in BlockMeasures.__dataclass_fields__:
        assert getattr(together, name).tolist() == [float(getattr(one, name)[0]) for one in apart]


def test_half_characters_are_no_trouble() -> None:
    found = measure("a \ud800 b.")
    assert found.words[0] == 3
    assert np.isfinite(found.capitals).all()


@pytest.mark.parametrize("many", [300, 70_000])
def test_a_long_block_is_counted_to_its_end_and_no_further(many: int) -> None:
    found = measure("One, two.", "Word, " * (many - 1) + "word,", "Three. Four.")
    assert found.words.tolist() == [2, many, 2]
    assert found.commas.tolist() == [1, many, 0]
    assert found.stops.tolist() == [1, 0, 2]
