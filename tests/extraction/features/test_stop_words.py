"""Stop lists: what is there, and which language a text is in."""

import pytest

from extraction.features.stop_words import detect_language, language_of, languages, share, stop_words

SENTENCES = {
    "en": "the council said on monday that the bridge would open again in the spring and that it was safe",
    "es": "el alcalde dijo ayer que el puente se abrirá de nuevo en la primavera y que no había peligro",
    "de": "der bürgermeister sagte am montag dass die brücke im frühjahr wieder geöffnet wird und sicher ist",
    "fr": "le maire a dit hier que le pont sera ouvert au printemps et qu'il n'y a pas de danger",
    "pt": "o presidente da câmara disse ontem que a ponte vai abrir de novo na primavera e que não há perigo",
    "ru": "мэр сказал вчера что мост откроется снова весной и что он не опасен для тех кто живет в городе",
    "ar": "وقال رئيس البلدية إن الجسر سوف يفتح في الربيع وإنه لا يوجد أي خطر على من يعيش في المدينة",
}


def test_lists_have_the_sizes_that_were_published() -> None:
    assert len(stop_words("justext", "en")) == 453
    assert len(stop_words("unfluff", "en")) == 545


def test_lists_of_two_systems_differ() -> None:
    assert stop_words("justext", "en") != stop_words("unfluff", "en")


@pytest.mark.parametrize("system", ["justext", "unfluff"])
def test_every_list_has_single_lines_without_blanks_around(system: str) -> None:
    assert len(languages(system)) > 20
    for language in languages(system):
        words = stop_words(system, language)
        assert words
        assert all(word and word == word.strip() for word in words), language


def test_an_unknown_language_has_no_words() -> None:
    assert stop_words("justext", "tlh") == frozenset()


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("pt-BR", "pt"),
        (" EN_us ", "en"),
        ("no", "nb"),
        ("de", "de"),
        ("tlh", None),
        ("", None),
        ("../unfluff/en", None),
    ],
)
def test_language_of_reads_what_pages_declare(code: str, language: str | None) -> None:
    assert language_of(code, "justext") == language


@pytest.mark.parametrize("language", SENTENCES)
def test_guess_knows_a_language_by_one_sentence(language: str) -> None:
    found, found_share = detect_language(SENTENCES[language].split(), "justext")
    assert found == language
    assert found_share > 0.2


def test_guess_of_nothing_known_has_no_share() -> None:
    assert detect_language(["議会は月曜日に橋が春に再開すると述べた。"], "justext") == ("en", 0.0)
    assert detect_language([], "justext") == ("en", 0.0)


def test_share_counts_every_occurrence() -> None:
    assert share(["the", "cat", "the", "mat"], frozenset({"the"})) == 0.5
    assert share([], frozenset({"the"})) == 0
