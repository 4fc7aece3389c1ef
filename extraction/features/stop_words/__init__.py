"""Lists of stop words, by the system that published them and by language, and which language a text is in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
# Norwegian pages mostly say "no", which stands for both written languages.
_SAME = {"no": "nb"}


@cache
def languages(system: str) -> tuple[str, ...]:
    """The languages (ISO 639-1) that a system has a list of."""
    return tuple(sorted(path.stem for path in (_HERE / system).glob("*.txt")))


@cache
def stop_words(system: str, language: str) -> frozenset[str]:
    """A system's stop words of a language; empty where it has no list."""
    if language not in languages(system):
        return frozenset()
    return frozenset((_HERE / system / f"{language}.txt").read_text("utf-8").splitlines())


def language_of(code: str, system: str) -> str | None:
    """The language that a `lang` attribute names ("pt-BR"), where the system has a list of it."""
    language = code.strip().lower().replace("_", "-").split("-")[0]
    language = _SAME.get(language, language)
    return language if language in languages(system) else None


def share(words: Sequence[str], stops: frozenset[str]) -> float:
    """The share of lower-case words that are stop words; 0 of no words."""
    return sum(map(stops.__contains__, words)) / len(words) if words else 0.0


def detect_language(words: Sequence[str], system: str) -> tuple[str, float]:
    """The language whose list holds most of some lower-case words, and the share that it holds.

    Lists differ in length, so this does not distinguish closely related languages.
    """
    found = Counter(language for word in words for language in _speakers(system).get(word, ()))
    if not found:
        return "en", 0.0
    language, count = max(found.items(), key=lambda item: (item[1], item[0]))
    return language, count / len(words)


@cache
def _speakers(system: str) -> dict[str, Iterable[str]]:
    """The languages in whose lists each word is."""
    speakers: dict[str, list[str]] = {}
    for language in languages(system):
        for word in stop_words(system, language):
            speakers.setdefault(word, []).append(language)
    return dict(speakers)
