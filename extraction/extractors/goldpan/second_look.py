"""A second look at a page: is the body better with more of the blocks in doubt, or with fewer?

One threshold does not fit every page. What a page as a whole says of these blocks (how many they are, where
they stand, how likely the others are) tells learned trees whether to take or to leave them.
"""

from collections.abc import Sequence

import numpy as np

from extraction.extractors.goldpan.features import COMMENT, PageFeatures
from extraction.extractors.goldpan.layout import MIN_RECORDS
from extraction.extractors.goldpan.measures import Flags, Numbers

NAMES = (
    "blocks of page",
    "characters of page",
    "prose of page",
    "headline certainty",
    "core's share",
    "likely share",
    "doubt",
    "comments of page",
    "body",
    "share of body",
    "probability of body",
    "linked in body",
    "prose in body",
    "share of good prose in body",
    "start of body",
    "end of body",
    "runs of body",
    "body after headline",
    "added",
    "changed",
    "changed to body",
    "changed blocks",
    "probability of changed",
    "linked in changed",
    "prose in changed",
    "comments in changed",
    "foreign in changed",
    "records in changed",
    "core in changed",
    "changed before body",
    "changed after body",
)
_FAR = 99


def choice_features(
    page: PageFeatures, probability: Numbers, body: Flags, changes: Sequence[Flags]
) -> Numbers:
    """What the trees are told: a row for each of `NAMES`, a column for each of `changes`.

    A change is what is taken from the body or put to it: some of its blocks, or some of the others.
    """
    measures, layout = page.measures, page.layout
    characters, size = measures.characters, page.size
    blocks = np.arange(size)
    inside = np.flatnonzero(body)
    first, last = (int(inside[0]), int(inside[-1])) if inside.size else (size, size)
    in_core = page.core.by_parent_shape.of == page.core.group
    amounts = np.array(
        (
            characters,
            characters * probability,
            layout.linked,
            layout.prose,
            characters * page.comments,
            characters * (page.foreign > 0),
            characters * (page.records >= MIN_RECORDS),
            characters * in_core,
            characters * (blocks < first),
            characters * (blocks > last),
        )
    )
    of_page = amounts.sum(axis=1)
    of_body = amounts[:, body].sum(axis=1)
    total, mass, in_body = (max(1.0, float(each)) for each in (of_page[0], of_page[1], of_body[0]))
    common = (
        size,
        of_page[0],
        of_page[3],
        page.headline.certainty,
        page.good[in_core].sum() / page.total_good,
        of_page[1] / total,
        (characters * probability * (1 - probability)).sum() / mass,
        layout.prose[page.comments > COMMENT].sum() / max(1.0, float(of_page[3])),
        of_body[0],
        of_body[0] / total,
        of_body[1] / in_body,
        of_body[2] / in_body,
        of_body[3] / in_body,
        page.good[body].sum() / page.total_good,
        first / size,
        last / size,
        np.count_nonzero(np.diff(inside) > 1),
        first - page.headline.block if page.headline.block >= 0 else -_FAR,
    )
    columns = []
    for changed in changes:
        of_changed = amounts[:, changed].sum(axis=1)
        shares = of_changed[1:] / max(1.0, float(of_changed[0]))
        added = not (changed & body).any()
        count = np.count_nonzero(changed)
        columns.append((*common, added, of_changed[0], of_changed[0] / in_body, count, *shares))
    return np.array(columns, dtype=np.float32).T
