"""jusText (Pomikalek 2011): paragraphs by length, stop words and links, then by their neighbours.

The logic is that of version 2.2.0, as documented. Versions 3.0 have lost the first step for headings: a short
paragraph between a heading and the text is dropped there, and with `compat="3.0"` here.
"""

from collections.abc import Sequence
from typing import NamedTuple

from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.paragraphs import Paragraph, paragraphs
from extraction.extractors.registry import extractor
from extraction.features.stop_words import detect_language, language_of, languages, share, stop_words
from extraction.spans import Span

BAD, SHORT, NEAR_GOOD, GOOD = "bad", "short", "neargood", "good"
SYSTEM = "justext"  # whose stop words

# The share of a page's words that must be stop words before the page's claim, or a detection, is trusted
# about its language; running text has .3 and more in its own.
_BELIEVED = 0.2
_SAMPLE = 400  # words


class JusTextSettings(NamedTuple):
    """Lengths and distances in characters; densities are shares."""

    stops: frozenset[str]
    length_low: int = 70
    length_high: int = 200
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = 200
    headings: bool = True
    rescues_before_headings: bool = True


@extractor(
    "justext",
    version=1,
    allowed={
        "language": ("auto", "none", *languages(SYSTEM)),
        "headings": ("yes", "no"),
        "compat": ("2.2", "3.0"),
    },
)
def justext(
    document: Document,
    *,
    language: str = "auto",
    length_low: int = 70,
    length_high: int = 200,
    stopwords_low: float = 0.30,
    stopwords_high: float = 0.32,
    max_link_density: float = 0.2,
    max_heading_distance: int = 200,
    headings: str = "yes",
    compat: str = "2.2",
) -> list[Span]:
    """The paragraphs that are long and rich in stop words, and the short ones among them.

    `language` is an ISO code of a stop list; `auto` takes the one that the page declares, if its words bear
    that out, and else the one that its words look like; `none` goes by length alone.
    """
    found = paragraphs(document)
    if language == "auto":
        language = spoken(document, found, length_low, max_link_density)
    if language == "none":
        stopwords_low = stopwords_high = 0.0
    settings = JusTextSettings(
        stop_words(SYSTEM, language),
        length_low,
        length_high,
        stopwords_low,
        stopwords_high,
        max_link_density,
        max_heading_distance,
        headings == "yes",
        compat == "2.2",
    )
    kept = zip(found, classify(found, settings), strict=True)
    return spans_of(document, (node for paragraph, kind in kept if kind == GOOD for node in paragraph.nodes))


def spoken(document: Document, found: Sequence[Paragraph], length_low: int, max_link_density: float) -> str:
    """The language whose stop words a page's long paragraphs use, or "none"."""
    words: list[str] = []
    for paragraph in found:
        if paragraph.length >= length_low and paragraph.link_density <= max_link_density:
            words += paragraph.words
            if len(words) >= _SAMPLE:
                break
    declared = language_of(document.structure.attributes[0].get("lang", ""), SYSTEM) or "en"
    if not words or share(words, stop_words(SYSTEM, declared)) >= _BELIEVED:
        return declared
    language, found_share = detect_language(words, SYSTEM)
    return language if found_share >= _BELIEVED else "none"


def classify(found: Sequence[Paragraph], settings: JusTextSettings) -> list[str]:
    """The class of each paragraph in its context; only good and bad are left."""
    alone = [classify_alone(paragraph, settings) for paragraph in found]
    kinds = list(alone)
    if settings.rescues_before_headings:
        _near_good_headings(found, kinds, settings)
    kinds = _short_by_neighbours(kinds)
    _near_good_by_neighbours(kinds)
    _good_headings(found, kinds, alone, settings)
    return kinds


def classify_alone(paragraph: Paragraph, settings: JusTextSettings) -> str:
    """The class of a paragraph without its context: the first rule that fires."""
    if paragraph.link_density > settings.max_link_density or paragraph.is_copyright:
        return BAD
    if paragraph.length < settings.length_low:
        return BAD if paragraph.link_characters else SHORT
    density = share(paragraph.words, settings.stops)
    if density >= settings.stopwords_high:
        return GOOD if paragraph.length > settings.length_high else NEAR_GOOD
    return NEAR_GOOD if density >= settings.stopwords_low else BAD


def _near_good_headings(found: Sequence[Paragraph], kinds: list[str], settings: JusTextSettings) -> None:
    """A short heading with good text not far after it is near good."""
    for index in _headings(found, settings):
        if kinds[index] == SHORT and _good_follows(found, kinds, index, settings.max_heading_distance):
            kinds[index] = NEAR_GOOD


def _good_headings(
    found: Sequence[Paragraph], kinds: list[str], alone: Sequence[str], settings: JusTextSettings
) -> None:
    """A heading that only its neighbours made bad is good, with good text not far after it."""
    for index in _headings(found, settings):
        made_bad = kinds[index] == BAD != alone[index]
        if made_bad and _good_follows(found, kinds, index, settings.max_heading_distance):
            kinds[index] = GOOD


def _headings(found: Sequence[Paragraph], settings: JusTextSettings) -> list[int]:
    return [index for index, paragraph in enumerate(found) if paragraph.is_heading and settings.headings]


def _good_follows(found: Sequence[Paragraph], kinds: Sequence[str], index: int, max_distance: int) -> bool:
    distance = 0
    for following in range(index + 1, len(found)):
        if distance > max_distance:
            return False
        if kinds[following] == GOOD:
            return True
        distance += found[following].length
    return False


def _short_by_neighbours(kinds: Sequence[str]) -> list[str]:
    """Short paragraphs become what both neighbours are; between good and bad, one near good decides."""
    sure = (GOOD, BAD)
    before, after = _nearest(kinds, sure), _nearest(kinds[::-1], sure)[::-1]
    beside, behind = _nearest(kinds, (*sure, NEAR_GOOD)), _nearest(kinds[::-1], (*sure, NEAR_GOOD))[::-1]

    def resolve(index: int) -> str:
        if before[index] == after[index]:
            return before[index]
        doubtful = beside[index] if before[index] == BAD else behind[index]
        return GOOD if doubtful == NEAR_GOOD else BAD

    return [resolve(index) if kind == SHORT else kind for index, kind in enumerate(kinds)]


def _near_good_by_neighbours(kinds: list[str]) -> None:
    """Near good paragraphs are bad between two bad ones; each sees what became of those before it."""
    after = _nearest(kinds[::-1], (GOOD, BAD))[::-1]
    before = BAD
    for index, kind in enumerate(kinds):
        if kind == NEAR_GOOD:
            kinds[index] = BAD if before == after[index] == BAD else GOOD
        before = kinds[index]


def _nearest(kinds: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """For each index the nearest wanted class before it; bad at the edge."""
    nearest: list[str] = []
    last = BAD
    for kind in kinds:
        nearest.append(last)
        last = kind if kind in wanted else last
    return nearest
