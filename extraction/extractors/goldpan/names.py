"""What the names that a page gives to its elements hint at: `class` and `id`, cut into words.

These are the English words of web developers, whatever the language of the page is.
"""

import re
from functools import lru_cache

# The order is that of the bits, and of the columns that the model was trained on.
_WORDS = {
    "comment": "comment comments disqus reply replies respond responses discussion livefyre",
    "related": """related recommend recommended recommendations recirc more trending popular outbrain taboola
        zergnet most also similar next latest readmore teaser teasers suggested promo promos promoted mlt""",
    "share": "share sharing shares sharebar social facebook twitter follow addthis addtoany sharedaddy",
    "navigation": """nav navigation menu breadcrumb breadcrumbs crumb crumbs pagination pager paging skip
        toolbar topbar navbar tabs toc""",
    "footer": "footer foot bottom copyright legal disclaimer policy",
    "side": "sidebar aside rail side widget widgets secondary complementary",
    "advertisement": "ad ads advert advertisement adv sponsor sponsored banner dfp commercial affiliate",
    "prompt": """newsletter subscribe subscription signup register login signin paywall form search modal
        popup overlay cookie consent gdpr notice alert donate cta""",
    "meta": """meta byline author authors bio date time timestamp dateline published posted info kicker
        eyebrow category categories tag tags topics label labels reading""",
    "caption": "caption captions credit credits cutline",
    "media": """gallery slideshow figure photo photos image images img media video carousel lightbox thumbnail
        thumb embed tweet instagram""",
    "hidden": "hidden hide sr reader visually noprint invisible offscreen accessibility",
    "summary": """pullquote factbox infobox summary standfirst subtitle dek deck lede lead intro excerpt
        abstract""",
}
KINDS = tuple(_WORDS)
BITS = {kind: 1 << index for index, kind in enumerate(KINDS)}
#: Kinds of containers that seldom hold the article.
FOREIGN = sum(
    BITS[kind]
    for kind in ("comment", "related", "share", "navigation", "footer", "side", "advertisement", "prompt")
)

_BITS_OF_WORD: dict[str, int] = {}
for _kind, _words in _WORDS.items():
    for _word in _words.split():
        _BITS_OF_WORD[_word] = _BITS_OF_WORD.get(_word, 0) | BITS[_kind]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Content systems write metadata about the article into its class: what it is about, not what the element is.
_ABOUT = "tag category cat format status type author term label topic date has no with post node"
_TOPICS = tuple(f"{start}-" for start in _ABOUT.split())
_DIGITS = re.compile(r"\d+")


def kinds_of(names: str) -> int:
    """The kinds that the words of a `class` or `id` hint at, as bits."""
    bits = 0
    for name in names.split():
        bits |= _read(name)[0]
    return bits


def read(names: str) -> tuple[int, str]:
    """The kinds that the words of a `class` or `id` hint at, as bits, and its shape.

    The shape is the names without topics, numbers and order: equal for elements that are made alike.
    """
    bits, shapes = 0, []
    for name in sorted(names.split()):
        kinds, shape = _read(name)
        bits |= kinds
        if shape:
            shapes.append(shape)
    return bits, " ".join(shapes)


@lru_cache(maxsize=20_000)
def _read(name: str) -> tuple[int, str]:
    """The kinds that one name hints at, and the name without its numbers; of a topic nothing."""
    if name.startswith(_TOPICS) and name not in _TOPICS:
        return 0, ""
    bits = 0
    for word in _WORD.findall(name):
        bits |= _BITS_OF_WORD.get(word.lower(), 0)
    return bits, name if name.isalpha() else _DIGITS.sub("#", name)


def forget() -> None:
    """Forget what names hint at, which is kept for the pages that come."""
    _read.cache_clear()
