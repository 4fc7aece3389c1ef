"""From probabilities to labels: what is body, and what the text around it is.

The model says how likely a block is body, and a second look at the page how likely it has to be. The other
labels follow from where a block stands and what its elements say of themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.layout import MIN_RECORDS, TAG_BITS
from extraction.extractors.goldpan.measures import Flags, Numbers
from extraction.extractors.goldpan.names import BITS, FOREIGN
from extraction.extractors.goldpan.second_look import choice_features
from extraction.extractors.learned.trees import Trees


class Setting(NamedTuple):
    """The lowest probability of body, of a block, and on average of the likely blocks of one parent.

    The second does not hold for the parent with most: a container beside the main one is taken as a whole,
    or not at all.
    """

    block: float
    container: float


SETTINGS = {"balanced": Setting(0.45, 0.7), "precision": Setting(0.6, 0.85)}
_LOWEST = min(setting.block for setting in SETTINGS.values())
# What a second look may choose instead of balanced: more of the blocks in doubt, or fewer. One about less
# than this share of the body is none, and what is chosen is better with more than this probability.
_ALTERNATIVES = (Setting(0.25, 0.4), SETTINGS["precision"])
_WORTH_A_CHOICE, _BETTER = 0.02, 0.5

# With less than this share of the core's prose taken, the model is lost, and the core's prose is taken too.
_LEAST = 0.15
# A caption is supplemental, unless it is as long as this or the model is as sure that it is body.
_MAX_CAPTION, _SURE = 300, 0.9
_CAPTION_TAGS = TAG_BITS["figcaption"] | TAG_BITS["figure"]
# Bylines, dates and summaries: between headline and body, as few and as short.
_MAX_BEFORE_BODY, _MAX_WORDS_BEFORE_BODY = 8, 60
_LINKS_ONLY, _MANY_LINKS = 0.8, 0.5
# From this probability on a block is a comment, and from the second if its container is called so.
_COMMENT, _COMMENT_BY_NAME, _MIN_COMMENT_WORDS = 0.6, 0.2, 3
# A body of less (characters), that begins so many blocks away from a headline that is so certain, is not its
# body. That is looked for among as many blocks after the headline, where so low a probability is enough.
_SMALL_BODY, _FAR_BODY, _CERTAIN, _LOW = 500, 15, 1.5, 0.1
# A post of a few lines is at least so long (characters). What is taken for it, a note about its author or
# the site, is no longer than the second, nor than so many times the post. A headline that little prose
# follows is less certain: 1.25 at most.
_SHORTEST_POST, _LONGEST_NOTE, _NOTE_OF_POST, _CERTAIN_ENOUGH = 100, 2000, 4, 1.2


class Labelled(NamedTuple):
    """For each block a label, or None, and the name of the rule that gave it, "" for the model alone."""

    labels: list[str | None]
    rules: list[str]


class _Seen(NamedTuple):
    """What is known before the body: blocks of other labels, and those of a core that the model has lost.

    `sizes` are the characters of the likely blocks of each parent, `masses` the same by how likely they are.
    """

    probability: Numbers
    heading: Flags
    comments: Flags
    caption: Flags
    other: Flags
    lost: Flags
    sizes: Numbers
    masses: Numbers

    @classmethod
    def of(cls, page: PageFeatures, probability: Numbers) -> _Seen:
        heading = np.zeros(page.size, dtype=np.bool_)
        heading[page.headings] = True
        comments = (page.comments >= _COMMENT) & ~page.hidden
        probability = np.where(comments, 0, probability).astype(np.float32)
        caption = _captions(page) & (probability < _SURE) & (page.measures.characters < _MAX_CAPTION)
        other = heading | caption | comments
        lost = _core_if_lost(page, probability) & ~other
        # Averages are over what any setting would take, so that a stricter one never takes more than another.
        weights = page.measures.characters * (probability >= _LOWEST)
        sizes, masses = page.core.by_parent.totals(np.array((weights, weights * probability)))
        return cls(probability, heading, comments, caption, other, lost, sizes, masses)

    def likely(self, page: PageFeatures, setting: Setting) -> Flags:
        taken = self.masses >= setting.container * self.sizes
        taken[np.argmax(self.masses)] = True
        likely = (self.probability >= setting.block) & taken[page.core.by_parent.of]
        return np.asarray(likely & ~self.other)


def label(
    page: PageFeatures, probability: Numbers, setting: str, second_look: Trees | None = None
) -> Labelled:
    """Label every block by the probabilities of body.

    `second_look` are the trees that may choose another body than the balanced one where that is asked for.
    """
    result = Labelled([None] * page.size, [""] * page.size)

    def mark(blocks: Flags, name: str, rule: str) -> None:
        for block in blocks.nonzero()[0].tolist():
            if result.labels[block] is None:
                result.labels[block], result.rules[block] = name, rule

    seen = _Seen.of(page, probability)
    _, heading, comments, caption, other, lost, *_ = seen
    # Both by what balanced takes, so that a stricter setting never takes more.
    likely = seen.likely(page, SETTINGS["balanced"])
    if _is_far_from_headline(page, likely | lost):
        likely = body = _after_headline(page, seen.probability) & ~other
    elif _is_beside_post(page, likely | lost):
        likely = body = _post(page) & ~other
    else:
        if setting != "balanced":
            likely = seen.likely(page, SETTINGS[setting])
        elif second_look:
            likely = _chosen(page, seen, likely, second_look)
        body = likely | lost
    mark(comments, "comments", "comments")
    if not body.any():
        return result
    first, last = _ends(body, page)
    blocks = np.arange(page.size)
    mark(likely, "body", "")
    mark(body, "body", "in-core")
    elsewhere = _elsewhere(page)
    if page.headline.block >= 0:
        mark(blocks == page.headline.block, "headline", "headline")
    # Within the body, or as near as the picture above or below it.
    is_near = (blocks >= first - _MAX_BEFORE_BODY) & (blocks <= last + 2)
    mark(caption & is_near & ~elsewhere, "supplemental", "caption")
    mark(_before_body(page, first) & ~(heading | elsewhere), "supplemental", "before-body")
    mark(_named_comments(page), "comments", "comments")
    mark(_related(page, first, last) & ~heading, "related", "related")
    return result


def alternatives(page: PageFeatures, probability: Numbers) -> tuple[Numbers, Flags, list[Flags]]:
    """What a second look chooses among: the probabilities without comments, the balanced body, and others.

    There is no other where all that the settings take is about the same.
    """
    seen = _Seen.of(page, probability)
    likely = seen.likely(page, SETTINGS["balanced"])
    body = np.asarray(likely | seen.lost)
    if _is_far_from_headline(page, body) or _is_beside_post(page, body):
        return seen.probability, body, []
    return seen.probability, body, [other | seen.lost for other in _others(page, seen, likely)]


def _others(page: PageFeatures, seen: _Seen, likely: Flags) -> list[Flags]:
    """What is likely by the other settings, where that differs enough."""
    characters = page.measures.characters
    least = max(1.0, _WORTH_A_CHOICE * float(characters[likely | seen.lost].sum()))
    found = [seen.likely(page, setting) for setting in _ALTERNATIVES]
    return [other for other in found if characters[(other ^ likely) & ~seen.lost].sum() >= least]


def _chosen(page: PageFeatures, seen: _Seen, likely: Flags, second_look: Trees) -> Flags:
    """Of what is likely by balanced and by the other settings, the best choice."""
    others = _others(page, seen, likely)
    if not others:
        return likely
    changes = [(other ^ likely) & ~seen.lost for other in others]
    better = second_look.predict(choice_features(page, seen.probability, likely | seen.lost, changes))
    best = int(np.argmax(better))
    return others[best] if better[best] > _BETTER else likely


def _core_if_lost(page: PageFeatures, probability: Numbers) -> Flags:
    core = (page.core.by_parent_shape.of == page.core.group) & (page.good > 0)
    found = page.measures.characters[probability >= _LOWEST].sum()
    return np.asarray(core & (found < _LEAST * page.good[core].sum()))


def _is_far_from_headline(page: PageFeatures, body: Flags) -> bool:
    """Whether what was found is short, and elsewhere: the article is a few lines, or there is none."""
    if page.headline.certainty < _CERTAIN or page.measures.characters[body].sum() >= _SMALL_BODY:
        return False
    return not 0 <= _first(body) - page.headline.block <= _FAR_BODY


def _is_beside_post(page: PageFeatures, body: Flags) -> bool:
    """Whether what was found is a note beside a short post: far away, or below the heading of comments."""
    headline, characters = page.headline.block, page.measures.characters
    if headline < 0 or not 0 < characters[body].sum() <= _LONGEST_NOTE:
        return False
    first = _first(body)
    is_far = page.headline.certainty >= _CERTAIN_ENOUGH and not 0 <= first - headline <= _FAR_BODY
    if not is_far and not _comment_headings(page)[headline + 1 : first].any():
        return False
    post = _post(page)
    length = float(characters[post].sum())
    is_short = characters[body].sum() <= _NOTE_OF_POST * length
    return bool(length >= _SHORTEST_POST and is_short and not (post & body).any())


def _post(page: PageFeatures) -> Flags:
    """What is written after the headline, before comments, in the smallest container with enough of it."""
    layout, blocks = page.layout, np.arange(page.size)
    after = blocks > page.headline.block
    over = np.cumsum(after & (_comment_headings(page) | (page.comments >= _COMMENT))) > 0
    written = after & ~over & _is_written(page)
    sums = np.concatenate(([0.0], np.cumsum(page.measures.characters * written)))
    above = layout.with_ancestors(int(layout.element[page.headline.block]))
    container = next((index for index in above if sums[layout.end[index]] >= _SHORTEST_POST), above[-1])
    return np.asarray(written & (blocks < layout.end[container]))


def _comment_headings(page: PageFeatures) -> Flags:
    """Headings above comments; a link that reads like one leads to them."""
    return np.asarray(page.signs.headings & _is_written(page))


def _is_written(page: PageFeatures) -> Flags:
    return np.asarray(page.layout.linked < _MANY_LINKS * page.measures.characters)


def _first(body: Flags) -> int:
    """The first block of a body, or how many blocks there are."""
    return int(np.argmax(body)) if body.any() else body.size


def _after_headline(page: PageFeatures, probability: Numbers) -> Flags:
    """What may be a short article: the likelier blocks between headline and comments."""
    after = np.arange(page.size) - page.headline.block
    before_comments = np.cumsum((page.comments >= _COMMENT) & (after > 0)) == 0
    return np.asarray((after > 0) & (after <= _FAR_BODY) & before_comments & (probability >= _LOW))


def _ends(body: Flags, page: PageFeatures) -> tuple[int, int]:
    blocks = np.flatnonzero(body)
    after = blocks[blocks > page.headline.block]
    return int((after if after.size else blocks)[0]), int(blocks[-1])


def _captions(page: PageFeatures) -> Flags:
    return np.asarray((page.speaking & _CAPTION_TAGS > 0) | (page.kinds & BITS["caption"] > 0))


def _elsewhere(page: PageFeatures) -> Flags:
    """In a container that is called something else than the article."""
    return np.asarray((page.kinds & FOREIGN > 0) | page.hidden)


def _before_body(page: PageFeatures, first: int) -> Flags:
    """The byline, date or summary between headline and body."""
    result = np.zeros(page.size, dtype=np.bool_)
    start = page.headline.block
    if start >= 0 and first - start - 1 <= _MAX_BEFORE_BODY:
        words = page.measures.words[start + 1 : first]
        result[start + 1 : first] = (words > 0) & (words <= _MAX_WORDS_BEFORE_BODY)
    return result


def _named_comments(page: PageFeatures) -> Flags:
    """What is called comments, and reads enough like it to be none of the links and forms that are, too."""
    named = page.kinds & BITS["comment"] > 0
    telling = (page.layout.prose > 0) | (page.records >= MIN_RECORDS)
    enough = page.measures.words >= _MIN_COMMENT_WORDS
    likely = page.comments >= _COMMENT_BY_NAME
    return np.asarray(named & likely & telling & enough & _is_written(page) & ~page.hidden)


def _related(page: PageFeatures, first: int, last: int) -> Flags:
    """Teasers of other pages: by name, or blocks of nothing but links within the body."""
    linked = page.linked
    named = (page.kinds & BITS["related"] > 0) & (linked >= _MANY_LINKS)
    blocks = np.arange(page.size)
    inside = (
        (first < blocks)
        & (blocks < last)
        & (linked >= _LINKS_ONLY)
        & (page.kinds & FOREIGN & ~BITS["related"] == 0)
    )
    return np.asarray((named | inside) & ~page.hidden)
