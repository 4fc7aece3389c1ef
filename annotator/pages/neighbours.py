"""Near duplicates: MinHash over word shingles, its bands as rows (Broder 1997; Leskovec et al., ch. 3)."""

import re
import struct
from collections import Counter
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from annotator.pages.models import Document, Likeness, Page, ShingleBand

PERMUTATIONS = 128
BANDS = 16  # 16 bands of 8 rows: pages with a Jaccard index of .7 meet with probability .6, of .85 with .99
SHINGLE = 5  # words
ALIKE = 0.8  # Jaccard index of the shingles of two near duplicates
COMPARED = 10  # clusters that are compared in full, at most
# Pages of one site share its menu, and so bands: of those with a band, so many are looked at, the newest
# first. A near duplicate meets a page in bands of their own story too, and such a band has few pages.
LOOKED_AT = 64
WORD = re.compile(r"\w+")


class Found(NamedTuple):
    """A page like the one in question: its cluster and itself, by keys, and the Jaccard index of the two."""

    cluster: int
    page: int
    jaccard: float


def cluster_of(page: Page, text: str) -> int:
    """Keep the page's bands; the primary key of the first page of its cluster, its own when it is alone.

    Pages that share a band are compared in full: pages of one site share menus, and so bands. A page that is
    like pages of two clusters makes them one.
    A page without a word has no neighbours. Call it holding the corpus's row.
    """
    shingles = shingles_of(text)
    digests = bands_of(shingles)
    ShingleBand.objects.bulk_create(
        [
            ShingleBand(page=page, corpus_id=page.corpus_id, band=band, digest=digest)
            for band, digest in enumerate(digests)
        ],
        ignore_conflicts=True,
    )
    alike = [found for found in _candidates(page, shingles, digests) if found.jaccard >= ALIKE]
    Likeness.objects.bulk_create(
        Likeness(page=page, other_id=found.page, jaccard=found.jaccard) for found in alike
    )
    return _one([found.cluster for found in alike]) if alike else page.pk


def _one(clusters: list[int]) -> int:
    """The oldest of the clusters, into which the others have gone: they met in a page that is like both."""
    oldest = min(clusters)
    others = set(clusters) - {oldest}
    if others:
        Page.objects.filter(cluster__in=others).update(cluster=oldest)
    return oldest


def _candidates(page: Page, shingles: set[str], digests: list[int]) -> list[Found]:
    """Of each cluster of which a page shares a band, that page which shares most."""
    bands = _meeting(page, digests)
    clusters = dict(Page.objects.filter(pk__in=bands).exclude(cluster=None).values_list("pk", "cluster"))
    nearest: dict[int, int] = {}
    for other in sorted(clusters, key=lambda other: (-bands[other], other)):
        nearest.setdefault(clusters[other], other)
    compared = dict(list(nearest.items())[:COMPARED])
    documents = Document.objects.filter(page__in=compared.values()).order_by("page", "-made_at", "-id")
    texts = dict(documents.distinct("page").values_list("page", "text"))
    return [
        Found(cluster, other, jaccard(shingles, shingles_of(texts[other])))
        for cluster, other in compared.items()
    ]


def _meeting(page: Page, digests: list[int]) -> Counter[int]:
    """How many bands other pages share with this one; however large the corpus, it reads so many rows."""
    bands = ShingleBand.objects.filter(corpus_id=page.corpus_id).exclude(page=page)
    newest = [
        bands.filter(digest=digest).order_by("-page").values_list("page", flat=True)[:LOOKED_AT]
        for digest in digests
    ]
    return Counter(newest[0].union(*newest[1:], all=True)) if newest else Counter()


def bands_of(shingles: set[str]) -> list[int]:
    """One signed 64-bit digest a band, of the band's number too; nothing for a text without words."""
    if not shingles:
        return []
    # It brings along much of scipy, a second's work of every process that starts; few of them look at texts.
    from datasketch import MinHash

    signature = MinHash(num_perm=PERMUTATIONS, seed=1)
    signature.update_batch([shingle.encode() for shingle in shingles])
    rows = np.asarray(signature.hashvalues, dtype=np.uint64).reshape(BANDS, -1)
    return [_digest(bytes([band]) + row.tobytes()) for band, row in enumerate(rows)]


def shingles_of(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    if len(words) < SHINGLE:
        return {" ".join(words)} if words else set()
    return {" ".join(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def _digest(data: bytes) -> int:
    return int(struct.unpack("<q", blake2b(data, digest_size=8).digest())[0])


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
